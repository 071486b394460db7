// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"

#include "check.h"
#include "data.h"
#include "random_tree.h"

#include <math.h>

// An arm that turns about z, in the pose q, and two hands on it.
typedef struct bench {
    atemi_model         *model;
    atemi_data          *scratch;
    atemi_striking_point point;
} bench;

static void bench_begin(bench *b, double q, double v, double a)
{
    atemi_model_builder *builder = tree_begin();
    const atemi_inertia  none = {0}, arm = {.mass = 1.0, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    tree_add_link(builder, "wall", &none);
    tree_add_link(builder, "arm", &arm);
    tree_add_joint(builder, "shoulder", ATEMI_JOINT_REVOLUTE, "wall", "arm",
                   (atemi_vec3){0.0, 0.0, 1.0}, (atemi_vec3){0.1, 0.2, 0.3});
    b->model = tree_finish(builder, ATEMI_BASE_FIXED);
    b->scratch = data_create(b->model);
    atemi_update_kinematics(b->scratch, &q, &v, &a);
    b->point = (atemi_striking_point){.link = 1,
                                      .point = {0.5, 0.0, 0.1},
                                      .direction = {0.0, 1.0, 0.0},
                                      .more = 1,
                                      .others = {{.link = 1, .point = {0.3, 0.0, -0.4}}}};
}

static void bench_end(bench *b)
{
    atemi_data_destroy(b->scratch);
    atemi_model_destroy(b->model);
}

TEST(striking_point, has_one_hand_unless_there_are_more)
{
    const atemi_striking_point one = {.link = 3, .point = {1.0, 2.0, 3.0}};
    const atemi_striking_point two = {.link = 3, .more = 1, .others = {{.link = 7}}};
    CHECK_EQUAL_INT(atemi_striking_point_hands(&one), 1);
    CHECK_EQUAL_INT(atemi_striking_point_hand(&one, 0).link, 3);
    CHECK_NEAR(atemi_striking_point_hand(&one, 0).point.z, 3.0, 0.0);
    CHECK_EQUAL_INT(atemi_striking_point_hands(&two), 2);
    CHECK_EQUAL_INT(atemi_striking_point_hand(&two, 1).link, 7);
    CHECK_BREAKS_CONTRACT(atemi_striking_point_hand(&one, 1));
    CHECK_BREAKS_CONTRACT(atemi_striking_point_hand(&two, -1));
}

// A hand at the distance r: y = r sin q,  y' = r v cos q,  y'' = r (a cos q - v^2 sin q).
TEST(striking_point, on_a_turning_arm_moves_on_a_circle)
{
    const double q = 0.4, v = 2.0, a = -3.0;
    bench        b;
    bench_begin(&b, q, v, a);
    const atemi_data *k = b.scratch;
    const double      r[2] = {0.5, 0.3}, z[2] = {0.4, -0.1};
    for (int i = 0; i < 2; ++i) {
        const atemi_vec3 at = atemi_striking_point_place(k, &b.point, i);
        CHECK_NEAR(at.x, 0.1 + r[i] * cos(q), 1e-14);
        CHECK_NEAR(at.y, 0.2 + r[i] * sin(q), 1e-14);
        CHECK_NEAR(at.z, z[i], 1e-14);
        CHECK_NEAR(atemi_striking_point_speed(k, &b.point, i), r[i] * v * cos(q), 1e-14);
    }
    const double gain = a * cos(q) - v * v * sin(q);
    CHECK_NEAR(atemi_striking_point_acceleration(k, &b.point), 0.4 * gain, 1e-14);
    b.point.more = 0;
    CHECK_NEAR(atemi_striking_point_acceleration(k, &b.point), 0.5 * gain, 1e-14);
    atemi_update_kinematics(b.scratch, &q, NULL, NULL);
    CHECK_BREAKS_CONTRACT(atemi_striking_point_acceleration(k, &b.point));
    bench_end(&b);
}

// Both hands are on one link, at (0.5, 0, 0.1) and (0.3, 0, -0.4) of it: half of -f y at each.
TEST(striking_point, pushes_back_at_each_hand)
{
    const double f = 8.0;
    atemi_force  loads[2] = {{.linear = {1.0, 0.0, 0.0}}, {.linear = {0.0, 0.0, 2.0}}};
    bench        b;
    bench_begin(&b, 0.0, 0.0, 0.0);
    atemi_striking_point_add_force(b.scratch, &b.point, f, loads);
    CHECK_NEAR(loads[0].linear.x, 1.0, 0.0);
    CHECK_NEAR(loads[0].linear.y, 0.0, 0.0);
    CHECK_NEAR(loads[1].linear.y, -f, 1e-14);
    CHECK_NEAR(loads[1].linear.z, 2.0, 0.0);
    CHECK_NEAR(loads[1].angular.x, -0.15 * f, 1e-14);
    CHECK_NEAR(loads[1].angular.z, -0.4 * f, 1e-14);
    bench_end(&b);
}

static void check_refused(const bench *b, const atemi_striking_point *point, const char *part)
{
    atemi_error error;
    CHECK_STATUS(atemi_striking_point_check(b->model, point, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, part);
}

TEST(striking_point, refuses_what_cannot_be)
{
    bench b;
    bench_begin(&b, 0.0, 0.0, 0.0);
    const atemi_striking_point good = b.point;
    CHECK_STATUS(atemi_striking_point_check(b.model, &good, NULL), ATEMI_OK);
    b.point.others[0].link = 2;
    check_refused(&b, &b.point, "link 2");
    b.point = good;
    b.point.others[0].point.y = (double)NAN;
    check_refused(&b, &b.point, "arm is not finite");
    b.point = good;
    b.point.more = 2;
    check_refused(&b, &b.point, "3 hands strike: give 1 to 2");
    b.point.more = -1;
    check_refused(&b, &b.point, "0 hands");
    b.point = good;
    b.point.direction.x = 1.0;
    check_refused(&b, &b.point, "length 1");
    bench_end(&b);
}
