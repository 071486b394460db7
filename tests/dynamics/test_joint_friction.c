// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"

#include "check.h"
#include "data.h"
#include "random_tree.h"

// A crank with damping 2 and friction 3, and a slide that copies it at -1.5 with 0.5 and 0.25.
TEST(joint_friction, acts_against_motion_and_through_couplings)
{
    const atemi_inertia     body = {.mass = 1.0, .com = {0.1, 0.0, 0.0}};
    atemi_model_builder    *builder = tree_begin();
    atemi_joint_description joint = atemi_joint_description_default();
    tree_add_link(builder, "base", &body);
    tree_add_link(builder, "crank", &body);
    tree_add_link(builder, "slide", &body);
    joint.name = "crank";
    joint.type = ATEMI_JOINT_CONTINUOUS;
    joint.parent = "base";
    joint.child = "crank";
    joint.axis = (atemi_vec3){0.0, 0.0, 1.0};
    joint.damping = 2.0;
    joint.friction = 3.0;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    joint.name = "slide";
    joint.type = ATEMI_JOINT_PRISMATIC;
    joint.child = "slide";
    joint.damping = 0.5;
    joint.friction = 0.25;
    joint.mimic = "crank";
    joint.mimic_multiplier = -1.5;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_PLANAR);

    const double rates[] = {4.0, -4.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        const double v[] = {9.0, -9.0, 9.0, rates[i]};
        const double sign = (double)((rates[i] > 0.0) - (rates[i] < 0.0));
        double       tau[4] = {7.0, 7.0, 7.0, 7.0};
        atemi_joint_friction(model, v, tau);
        CHECK(tau[0] == 0.0 && tau[1] == 0.0 && tau[2] == 0.0); // the base is free
        CHECK_NEAR(tau[3],
                   -2.0 * rates[i] - 3.0 * sign - 1.5 * (0.5 * 1.5 * rates[i] + 0.25 * sign),
                   1e-14); // roundings of 15 N m
    }
    atemi_model_destroy(model);
}

// Every rate of a joint with several has the joint's damping, each by itself.
TEST(joint_friction, acts_on_every_rate_of_a_planar_joint)
{
    const atemi_inertia     body = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    atemi_model_builder    *builder = tree_begin();
    atemi_joint_description joint = atemi_joint_description_default();
    tree_add_link(builder, "table", &body);
    tree_add_link(builder, "puck", &body);
    joint.name = "ice";
    joint.type = ATEMI_JOINT_PLANAR;
    joint.parent = "table";
    joint.child = "puck";
    joint.damping = 0.5;
    joint.friction = 0.25;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_FIXED);
    const double v[] = {1.0, -2.0, 0.0}, expected[] = {-0.75, 1.25, 0.0};
    double       tau[3];
    atemi_joint_friction(model, v, tau);
    CHECK_NEAR(largest_difference(tau, expected, 3), 0.0, 0.0);
    atemi_model_destroy(model);
}

TEST(joint_friction, requires_its_arrays_unless_nothing_moves)
{
    const atemi_inertia  body = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    atemi_model_builder *builder = tree_begin();
    double               v[3] = {0};
    tree_add_link(builder, "body", &body);
    atemi_model *model = tree_finish(builder, ATEMI_BASE_PLANAR);
    CHECK_BREAKS_CONTRACT(atemi_joint_friction(model, v, NULL));
    CHECK_BREAKS_CONTRACT(atemi_joint_friction(model, NULL, v));
    atemi_model_destroy(model);
    builder = tree_begin();
    tree_add_link(builder, "body", &body);
    model = tree_finish(builder, ATEMI_BASE_FIXED);
    atemi_joint_friction(model, NULL, NULL);
    atemi_model_destroy(model);
}
