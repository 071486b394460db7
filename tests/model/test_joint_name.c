// SPDX-License-Identifier: Apache-2.0

#include "model/joint_name.h"

#include "bodies.h"
#include "check.h"

// A pendulum on a rail has a joint that slides and one that rotates; free, the cart's base comes
// first.
TEST(joint_name, of_a_coordinate_is_that_of_its_joint_with_its_units)
{
    const cart   c = {.cart_mass = 1.0, .bob_mass = 1.0, .arm = 1.0};
    atemi_model *on_rail = cart_model(&c, true), *free = cart_model(&c, false);
    CHECK_EQUAL_STRING(atemi_joint_name_at(on_rail, 1), atemi_model_joint(on_rail, 1)->name);
    CHECK_EQUAL_STRING(atemi_joint_units_at(on_rail, 0).velocity, "m/s");
    CHECK_EQUAL_STRING(atemi_joint_units_at(on_rail, 1).velocity, "rad/s");
    CHECK_EQUAL_STRING(atemi_joint_name_at(free, 5), "base");
    CHECK_EQUAL_STRING(atemi_joint_name_at(free, 6), atemi_model_joint(free, 0)->name);
    atemi_model_destroy(on_rail);
    atemi_model_destroy(free);
}
