// SPDX-License-Identifier: Apache-2.0

#include "motion/bodies.h"

#include "check.h"
#include "random_tree.h"

// From the root by moving joints (-) and fixed ones (=):
//
//     0 = 1 - 2 = 3 - 4        so that there are the bodies 0 {0, 1, 7}, 2 {2, 3}, 4, 5 {5, 6}
//         |   |
//         |   - 5 = 6
//         = 7
static atemi_model *sample(void)
{
    static const struct {
        int  parent;
        bool moves;
    } joints[] = {{0, false}, {1, true}, {2, false}, {3, true}, {2, true}, {5, false}, {1, false}};
    static const char *const names[] = {"l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7"};
    const atemi_inertia      one = {.mass = 1.0, .rotational = {.xx = 1.0, .yy = 1.0, .zz = 1.0}};
    atemi_model_builder     *builder = tree_begin();
    for (int i = 0; i < 8; ++i) {
        tree_add_link(builder, names[i], &one);
    }
    for (int i = 0; i < 7; ++i) {
        tree_add_joint(builder, names[i + 1],
                       joints[i].moves ? ATEMI_JOINT_CONTINUOUS : ATEMI_JOINT_FIXED,
                       names[joints[i].parent], names[i + 1], (atemi_vec3){0.0, 0.0, 1.0},
                       (atemi_vec3){0.1, 0.0, 0.0});
    }
    return tree_finish(builder, ATEMI_BASE_FLOATING);
}

static int link(const atemi_model *model, const char *name)
{
    return atemi_model_find_link(model, name);
}

TEST(bodies, are_links_that_fixed_joints_hold_together)
{
    static const char *const names[] = {"l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7"};
    static const char *const bodies[] = {"l0", "l0", "l2", "l2", "l4", "l5", "l5", "l0"};
    atemi_model             *model = sample();
    for (int i = 0; i < 8; ++i) {
        const int body = link(model, bodies[i]);
        CHECK_EQUAL_INT(atemi_body_of(model, link(model, names[i])), body);
        CHECK(atemi_link_is_body(model, link(model, names[i])) == (body == link(model, names[i])));
    }
    atemi_model_destroy(model);
}

TEST(bodies, come_one_after_the_other)
{
    atemi_model *model = sample();
    const int    root = link(model, "l0"), two = link(model, "l2"), four = link(model, "l4");
    const int    five = link(model, "l5");
    CHECK_EQUAL_INT(atemi_body_joint(model, root), ATEMI_NONE);
    CHECK_EQUAL_INT(atemi_body_above(model, root), ATEMI_NONE);
    CHECK_EQUAL_STRING(atemi_model_joint(model, atemi_body_joint(model, four))->name, "l4");
    CHECK_EQUAL_INT(atemi_body_above(model, four), two);
    CHECK_EQUAL_INT(atemi_body_above(model, two), root);
    CHECK_EQUAL_INT(atemi_body_depth(model, root), 0);
    CHECK_EQUAL_INT(atemi_body_depth(model, two), 1);
    CHECK_EQUAL_INT(atemi_body_depth(model, five), 2);
    CHECK_EQUAL_INT(atemi_body_children(model, root), 1);
    CHECK_EQUAL_INT(atemi_body_children(model, two), 2);
    CHECK_EQUAL_INT(atemi_body_children(model, four), 0);
    atemi_model_destroy(model);
}

TEST(bodies, have_a_last_one_in_common)
{
    atemi_model *model = sample();
    const int    root = link(model, "l0"), two = link(model, "l2"), four = link(model, "l4");
    const int    five = link(model, "l5");
    CHECK_EQUAL_INT(atemi_body_common(model, four, five), two);
    CHECK_EQUAL_INT(atemi_body_common(model, five, two), two);
    CHECK_EQUAL_INT(atemi_body_common(model, root, four), root);
    CHECK_EQUAL_INT(atemi_body_common(model, four, four), four);
    CHECK(atemi_body_is_beyond(model, five, root));
    CHECK(atemi_body_is_beyond(model, five, five));
    CHECK(!atemi_body_is_beyond(model, five, four));
    CHECK(!atemi_body_is_beyond(model, root, two));
    atemi_model_destroy(model);
}
