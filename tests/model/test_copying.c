// SPDX-License-Identifier: Apache-2.0

#include "model/copying.h"

#include "check.h"
#include "data.h"
#include "random_tree.h"

// A model built anew from the descriptions of the parts of another one.
static atemi_model *copy_of(const atemi_model *model)
{
    atemi_model         *copy = NULL;
    atemi_model_builder *builder = tree_begin();
    CHECK_STATUS(atemi_links_copy(model, builder, NULL), ATEMI_OK);
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        const atemi_joint_description joint = atemi_joint_describe(model, i);
        CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    }
    atemi_model_options options = atemi_model_options_default();
    options.base = atemi_model_base(model);
    options.gravity = atemi_model_gravity(model);
    options.mimic_as_coupled = atemi_model_is_coupled(model);
    CHECK_STATUS(atemi_model_builder_finish(builder, &options, &copy, NULL), ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return copy;
}

// The same sums; an axis that is normalized again differs in its last bit.
TEST(copying, of_all_parts_makes_the_same_robot)
{
    for (int index = 0; index < TREE_CASES; ++index) {
        double             tau[TREE_MAX_V], same[TREE_MAX_V];
        const tree_options options = tree_case(index);
        atemi_model       *model = random_tree(&options, 5);
        random_state       x;
        random_state_fill(model, 5, &x);
        atemi_model *copy = copy_of(model);
        atemi_data  *first = data_create(model), *data = data_create(copy);
        const int    n = atemi_model_v_count(model);
        CHECK_EQUAL_INT(atemi_model_v_count(copy), n);
        atemi_inverse_dynamics(first, x.q, x.v, x.a, NULL, tau);
        atemi_inverse_dynamics(data, x.q, x.v, x.a, NULL, same);
        CHECK_NEAR(largest_difference(tau, same, n), 0.0, 1e-13 * (1.0 + largest_size(tau, n)));
        for (int i = 0; i < atemi_model_joint_count(copy); ++i) {
            const atemi_joint *a = atemi_model_joint(model, i), *b = atemi_model_joint(copy, i);
            CHECK_EQUAL_STRING(a->name, b->name);
            CHECK_NEAR(a->limits.lower, b->limits.lower, 0.0);
            CHECK_NEAR(a->limits.upper, b->limits.upper, 0.0);
            CHECK_NEAR(a->armature, b->armature, 0.0);
        }
        atemi_data_destroy(data);
        atemi_model_destroy(copy);
        atemi_data_destroy(first);
        atemi_model_destroy(model);
    }
}
