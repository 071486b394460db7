// SPDX-License-Identifier: Apache-2.0

#include "atemi/inverse_kinematics.h"

#include "allocations.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "lagrange.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 40 };

static const atemi_vec3 origin = {0};

typedef struct bench {
    atemi_model         *model;
    atemi_arena          arena;
    atemi_velocity_goals goals;
    atemi_data          *scratch;
    int                  n;
} bench;

static void bench_begin(bench *b, atemi_model *model)
{
    *b = (bench){.model = model, .arena = atemi_arena_measuring()};
    atemi_velocity_goals_take(&b->arena, model, MAX_ROWS);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    b->goals = atemi_velocity_goals_take(&b->arena, model, MAX_ROWS);
    b->scratch = data_create(model);
    b->n = atemi_model_v_count(model);
}

static void bench_begin_hrp2(bench *b)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    bench_begin(b, model);
}

static void bench_end(bench *b)
{
    atemi_data_destroy(b->scratch);
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static int link_of(const bench *b, const char *name)
{
    return atemi_model_find_link(b->model, name);
}

// Half sitting, turned a little in every joint so that nothing is special.
static void stand(const bench *b, double *q)
{
    const int posture = atemi_model_find_posture(b->model, "half_sitting");
    memcpy(q, atemi_model_posture(b->model, posture),
           (size_t)atemi_model_q_count(b->model) * sizeof *q);
    q[2] = 0.7;
    for (int i = 7; i < atemi_model_q_count(b->model); ++i) {
        q[i] += 0.05 * sin(i);
    }
}

static atemi_motion velocity_of(bench *b, const double *q, const double *v, int link)
{
    atemi_update_kinematics(b->scratch, q, v, NULL);
    return atemi_link_velocity(b->scratch, link);
}

// [STRIKE] eq. 6 and 7: a punch at 2.4 m/s with the momentum of Table I.
static atemi_velocity_report solve_strike(bench *b, const double *q, const double *weights,
                                          double *v)
{
    const int          right = link_of(b, "right_sole"), left = link_of(b, "left_sole");
    const atemi_motion rest = {0}, punch = {.linear = {2.4, 0.0, 0.0}};
    const atemi_force  momentum = {.linear = {0.0, 0.0, 2.68}, .angular = {3.0, 3.0, 0.0}};
    const atemi_vec3   drift = {0.09, -0.06, 0.0};
    const unsigned     rows = ATEMI_AXIS_Z | ATEMI_AXIS_ANGULAR_X | ATEMI_AXIS_ANGULAR_Y;
    atemi_velocity_goals_begin(b->model, q, &b->goals);
    atemi_velocity_goals_add_frame(b->model, link_of(b, "right_fist"), origin, ATEMI_AXES_ALL,
                                   punch, &b->goals);
    atemi_velocity_goals_add_momentum(b->model, origin, rows, momentum, &b->goals);
    atemi_velocity_goals_add_center_of_mass(b->model, ATEMI_AXIS_X | ATEMI_AXIS_Y, drift,
                                            &b->goals);
    atemi_velocity_goals_add_frame(b->model, right, origin, ATEMI_AXES_ALL, rest, &b->goals);
    atemi_velocity_goals_add_closure(b->model, right, left, &b->goals);
    return atemi_velocity_goals_solve(&b->goals, weights, v);
}

TEST(velocity_goals, of_a_strike_are_met)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], v[TREE_MAX_V], weights[TREE_MAX_V];
    stand(&b, q);
    atemi_limit_weights(b.model, q, weights);
    const atemi_velocity_report report = solve_strike(&b, q, weights, v);
    CHECK_EQUAL_INT(report.rows, 23);
    CHECK_EQUAL_INT(report.rank, 23);
    CHECK(report.residual < 1e-12);

    const lagrange_sums sums = lagrange_sum(b.model, q, v);
    const atemi_vec3    L =
        atemi_vec3_add(sums.momentum.angular, atemi_vec3_cross(sums.center, sums.momentum.linear));
    CHECK_NEAR(sums.momentum.linear.z, 2.68, 1e-9);
    CHECK_NEAR(L.x, 3.0, 1e-9);
    CHECK_NEAR(L.y, 3.0, 1e-9);
    CHECK_NEAR(sums.momentum.linear.x / sums.mass, 0.09, 1e-10);
    CHECK_NEAR(sums.momentum.linear.y / sums.mass, -0.06, 1e-10);

    const atemi_motion rest = {0}, punch = {.linear = {2.4, 0.0, 0.0}};
    CHECK(largest_motion_difference(velocity_of(&b, q, v, link_of(&b, "right_fist")), punch) <
          1e-12);
    CHECK(largest_motion_difference(velocity_of(&b, q, v, link_of(&b, "right_sole")), rest) <
          1e-12);
    CHECK(largest_motion_difference(velocity_of(&b, q, v, link_of(&b, "left_sole")), rest) < 1e-12);
    bench_end(&b);
}

// Both feet move with the ground, which moves.
TEST(velocity_goals, of_closure_hold_for_moving_feet)
{
    bench b;
    bench_begin_hrp2(&b);
    double             q[TREE_MAX_Q], v[TREE_MAX_V];
    const atemi_motion ground = {{0.1, 0.2, 0.3}, {0.4, -0.5, 0.6}};
    const int          right = link_of(&b, "right_sole"), left = link_of(&b, "left_sole");
    stand(&b, q);
    atemi_velocity_goals_begin(b.model, q, &b.goals);
    atemi_velocity_goals_add_frame(b.model, right, origin, ATEMI_AXES_ALL, ground, &b.goals);
    atemi_velocity_goals_add_closure(b.model, right, left, &b.goals);
    CHECK_EQUAL_INT(atemi_velocity_goals_solve(&b.goals, NULL, v).rank, 12);

    const atemi_motion moved = velocity_of(&b, q, v, left);
    const atemi_vec3   way = atemi_vec3_sub(atemi_link_pose(b.scratch, left).position,
                                            atemi_link_pose(b.scratch, right).position);
    CHECK(largest_motion_difference(moved, atemi_motion_at(ground, way)) < 1e-12);
    bench_end(&b);
}

TEST(velocity_goals, leave_joints_at_their_limits_alone)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], v[TREE_MAX_V], weights[TREE_MAX_V];
    stand(&b, q);
    const atemi_joint *pitch =
        atemi_model_joint(b.model, atemi_model_find_joint(b.model, "chest_pitch"));
    const atemi_joint *roll =
        atemi_model_joint(b.model, atemi_model_find_joint(b.model, "left_shoulder_roll"));
    q[pitch->first_q] = pitch->limits.lower;
    q[roll->first_q] = roll->limits.upper + 0.1;
    atemi_limit_weights(b.model, q, weights);
    const atemi_velocity_report report = solve_strike(&b, q, weights, v);
    CHECK_EQUAL_INT(report.rank, 23);
    CHECK(report.residual < 1e-11);
    CHECK(v[pitch->first_v] == 0.0 && v[roll->first_v] == 0.0);
    bench_end(&b);
}

TEST(velocity_goals, weigh_joints_by_the_distance_to_their_limits)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], weights[TREE_MAX_V];
    stand(&b, q);
    const atemi_joint *knee =
        atemi_model_joint(b.model, atemi_model_find_joint(b.model, "right_knee"));
    q[knee->first_q] = knee->limits.upper - 0.25;
    atemi_limit_weights(b.model, q, weights);
    const double other = q[knee->first_q] - knee->limits.lower;
    const double sum = pow(0.25, -4.0) + pow(other, -4.0) + pow(acos(-1.0), -4.0);
    CHECK_NEAR(weights[knee->first_v], pow(sum, 0.25), 1e-12);
    CHECK_NEAR(weights[knee->first_v], 4.0, 1e-3); // the nearer limit counts
    for (int i = 0; i < 6; ++i) {
        CHECK(weights[i] == 0.0);
    }
    bench_end(&b);
}

// A planner that follows slopes would be misled by a weight that turns sharply where the other
// limit becomes the nearer one: in version 0.1 the slope went from -1 to 1 over the squared
// distance.
TEST(velocity_goals, weigh_joints_smoothly_where_both_limits_are_as_near)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], weights[3][TREE_MAX_V];
    stand(&b, q);
    const atemi_joint *knee =
        atemi_model_joint(b.model, atemi_model_find_joint(b.model, "right_knee"));
    const double middle = 0.5 * (knee->limits.lower + knee->limits.upper), h = 1e-4;
    for (int i = 0; i < 3; ++i) {
        q[knee->first_q] = middle + (i - 1) * h;
        atemi_limit_weights(b.model, q, weights[i]);
    }
    const double *before = weights[0], *here = weights[1], *after = weights[2];
    const int     k = knee->first_v;
    CHECK_NEAR((after[k] - here[k]) / h, (here[k] - before[k]) / h, 1e-2); // second order: 10 h
    CHECK_NEAR((after[k] - before[k]) / (2.0 * h), 0.0, 1e-6);             // symmetric
    bench_end(&b);
}

// Momentum and the velocity of the centre of mass say the same thing.
TEST(velocity_goals, that_repeat_each_other_are_no_trouble)
{
    bench b;
    bench_begin_hrp2(&b);
    double            q[TREE_MAX_Q], v[TREE_MAX_V];
    const double      mass = atemi_model_mass(b.model);
    const atemi_force momentum = {.linear = {0.1 * mass, 0.0, 0.0}};
    stand(&b, q);
    atemi_velocity_goals_begin(b.model, q, &b.goals);
    atemi_velocity_goals_add_momentum(b.model, origin, ATEMI_AXES_ALL, momentum, &b.goals);
    atemi_velocity_goals_add_center_of_mass(b.model, ATEMI_AXES_LINEAR, (atemi_vec3){0.1, 0.0, 0.0},
                                            &b.goals);
    const atemi_velocity_report agreed = atemi_velocity_goals_solve(&b.goals, NULL, v);
    CHECK_EQUAL_INT(agreed.rows, 9);
    CHECK_EQUAL_INT(agreed.rank, 6);
    CHECK(agreed.residual < 1e-12);

    atemi_velocity_goals_add_center_of_mass(b.model, ATEMI_AXIS_X, (atemi_vec3){0.3, 0.0, 0.0},
                                            &b.goals);
    const atemi_velocity_report torn = atemi_velocity_goals_solve(&b.goals, NULL, v);
    CHECK_EQUAL_INT(torn.rank, 6);
    CHECK_NEAR(torn.residual, 0.2, 1e-3); // the momentum's row weighs mass^2
    bench_end(&b);
}

TEST(velocity_goals, take_rows_of_the_callers_own)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], v[TREE_MAX_V], row[TREE_MAX_V] = {0};
    stand(&b, q);
    row[10] = 2.0;
    atemi_velocity_goals_begin(b.model, q, &b.goals);
    atemi_velocity_goals_add_row(row, 3.0, &b.goals);
    CHECK_EQUAL_INT(atemi_velocity_goals_solve(&b.goals, NULL, v).rank, 1);
    for (int i = 0; i < b.n; ++i) {
        CHECK_NEAR(v[i], i == 10 ? 1.5 : 0.0, 1e-15);
    }
    bench_end(&b);
}

TEST(velocity_goals, about_any_point_are_met_by_trees_of_all_kinds)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        atemi_model       *model = random_tree(&options, 31);
        bench              b;
        bench_begin(&b, model);
        if (b.n >= 6 && atemi_model_mass(model) > 0.0) {
            random_state x;
            random_state_fill(model, 31, &x);
            const atemi_vec3    about = {0.3, -0.4, 0.5};
            const lagrange_sums sums = lagrange_sum(model, x.q, x.v);
            const atemi_vec3    arm = atemi_vec3_sub(sums.center, about);
            const atemi_force   momentum = {
                sums.momentum.linear,
                atemi_vec3_add(sums.momentum.angular, atemi_vec3_cross(arm, sums.momentum.linear))};
            double v[TREE_MAX_V];
            atemi_velocity_goals_begin(model, x.q, &b.goals);
            atemi_velocity_goals_add_momentum(model, about, ATEMI_AXES_ALL, momentum, &b.goals);
            const atemi_velocity_report report = atemi_velocity_goals_solve(&b.goals, NULL, v);
            CHECK(report.residual < 1e-8 * (1.0 + fabs(momentum.linear.x)));
        }
        bench_end(&b);
    }
}

TEST(velocity_goals, take_no_memory)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], v[TREE_MAX_V], weights[TREE_MAX_V];
    stand(&b, q);
    allocations_begin();
    atemi_limit_weights(b.model, q, weights);
    solve_strike(&b, q, weights, v);
    CHECK_EQUAL_INT(allocations_end(), 0);
    bench_end(&b);
}

TEST(velocity_goals, beyond_the_rows_that_were_taken_break_the_contract)
{
    bench b;
    bench_begin_hrp2(&b);
    double             q[TREE_MAX_Q];
    const atemi_motion rest = {0};
    stand(&b, q);
    atemi_velocity_goals_begin(b.model, q, &b.goals);
    for (int i = 0; i < 6; ++i) {
        atemi_velocity_goals_add_frame(b.model, i, origin, ATEMI_AXES_ALL, rest, &b.goals);
    }
    CHECK_BREAKS_CONTRACT(
        atemi_velocity_goals_add_frame(b.model, 6, origin, ATEMI_AXES_ALL, rest, &b.goals));
    CHECK_BREAKS_CONTRACT(
        atemi_velocity_goals_add_frame(b.model, -1, origin, ATEMI_AXES_ALL, rest, &b.goals));
    bench_end(&b);
}
