// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "posture_bench.h"

// ---- Reaching -------------------------------------------------------------------------------

// A start near q: up to `turn` in every joint, within limits, and the base by as much.
static void perturb(const bench *b, const double *q, double turn, random_stream *random,
                    double *start)
{
    double v[TREE_MAX_V];
    for (int i = 0; i < b->n; ++i) {
        v[i] = random_uniform(random, -turn, turn);
    }
    atemi_configuration_integrate(b->model, q, v, 1.0, start);
    for (int j = 0; j < atemi_model_joint_count(b->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(b->model, j);
        if (joint->v_count == 1) {
            double *x = &start[joint->first_q];
            *x = fmin(fmax(*x, joint->limits.lower), joint->limits.upper);
        }
    }
}

typedef struct tally {
    int reached, steps;
} tally;

// Both soles and one fist of hrp2_like at postures drawn from the whole range of every joint.
static tally reach_many(bench *b, int cases, double turn, bool held_base)
{
    static const char *const         links[] = {"right_sole", "left_sole", "right_fist"};
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    random_stream                    random = random_seeded(1);
    tally                            t = {0};
    bool                             moving[TREE_MAX_V];
    for (int i = 0; i < b->n; ++i) {
        moving[i] = i >= 6 || !held_base;
    }
    options.moving = moving;
    for (int c = 0; c < cases; ++c) {
        double             q[TREE_MAX_Q], x[TREE_MAX_Q];
        atemi_posture_goal goals[3];
        atemi_configuration_random(b->model, 1000 + (uint64_t)c, q);
        for (int g = 0; g < 3; ++g) {
            goals[g] = named_goal_at(b, q, links[g]);
        }
        perturb(b, q, turn, &random, x);
        if (held_base) {
            memcpy(x, q, 7 * sizeof *x);
        }
        const atemi_posture_report report = solve(b, goals, 3, &options, x);
        CHECK(within_limits(b, x));
        CHECK(report.outcome != ATEMI_POSTURE_REACHED || pose_error(b, x, goals, 3) < 2e-10);
        t.reached += report.outcome == ATEMI_POSTURE_REACHED;
        t.steps += report.iterations;
    }
    return t;
}

TEST(inverse_kinematics, finds_reachable_postures_of_legs_and_arm)
{
    bench b;
    bench_begin_hrp2(&b);
    const tally all = reach_many(&b, 1000, 0.3, false);
    CHECK_EQUAL_INT(all.reached, 1000);
    CHECK(all.steps < 6 * 1000);
    bench_end(&b);
}

// With the base held every leg has six joints for six rows, and folds that no small step leaves.
TEST(inverse_kinematics, finds_legs_that_have_no_joint_to_spare)
{
    bench b;
    bench_begin_hrp2(&b);
    const tally all = reach_many(&b, 1000, 0.3, true);
    CHECK(all.reached >= 999);
    CHECK(all.steps < 8 * 1000);
    bench_end(&b);
}

// Errors of the steps as they come: each at most a multiple of the square of the one before.
TEST(inverse_kinematics, converges_quadratically)
{
    bench b;
    bench_begin_hrp2(&b);
    random_stream random = random_seeded(2);
    double        q[TREE_MAX_Q], start[TREE_MAX_Q];
    half_sitting(&b, q);
    atemi_posture_goal goals[] = {named_goal_at(&b, q, "right_sole"),
                                  named_goal_at(&b, q, "left_sole"),
                                  named_goal_at(&b, q, "right_fist")};
    perturb(&b, q, 0.1, &random, start);
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    options.tolerance = 0.0;
    double last = 1.0;
    for (options.iterations = 1; options.iterations <= 4; ++options.iterations) {
        double x[TREE_MAX_Q];
        memcpy(x, start, sizeof x);
        const atemi_posture_report report = solve(&b, goals, 3, &options, x);
        const double               error = fmax(report.position, report.rotation);
        CHECK(error < fmax(2.0 * last * last, 1e-14));
        last = error;
    }
    CHECK(last < 1e-13);
    bench_end(&b);
}

TEST(inverse_kinematics, stays_where_the_goals_are_met)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], x[TREE_MAX_Q];
    half_sitting(&b, q);
    const atemi_posture_goal goal = named_goal_at(&b, q, "left_fist");
    memcpy(x, q, sizeof x);
    const atemi_posture_report report = solve(&b, &goal, 1, NULL, x);
    CHECK_EQUAL_INT(report.outcome, ATEMI_POSTURE_REACHED);
    CHECK_EQUAL_INT(report.iterations, 0);
    CHECK_NEAR(largest_difference(x, q, atemi_model_q_count(b.model)), 0.0, 1e-15);
    bench_end(&b);
}

TEST(inverse_kinematics, reaches_frames_on_trees_of_all_kinds)
{
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        bench              b;
        bench_begin(&b, random_tree(&options, 41));
        random_stream random = random_seeded(41);
        double        q[TREE_MAX_Q], x[TREE_MAX_Q];
        atemi_configuration_random(b.model, 41, q);
        atemi_posture_goal goal = goal_at(&b, q, atemi_model_link_count(b.model) - 1);
        perturb(&b, q, 0.1, &random, x);
        const atemi_posture_report report = solve(&b, &goal, 1, NULL, x);
        CHECK_EQUAL_INT(report.outcome, ATEMI_POSTURE_REACHED);
        CHECK(pose_error(&b, x, &goal, 1) < 1e-9);
        bench_end(&b);
    }
}

// ---- A planar arm of two links --------------------------------------------------------------

static const double upper_arm = 0.5, lower_arm = 0.3;

static void bench_begin_arm(bench *b)
{
    const atemi_inertia  inertia = {.mass = 1.0, .rotational = {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
    const atemi_vec3     z = {0.0, 0.0, 1.0}, elbow = {upper_arm, 0.0, 0.0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "wall", &inertia);
    tree_add_link(builder, "upper", &inertia);
    tree_add_link(builder, "lower", &inertia);
    tree_add_joint(builder, "shoulder", ATEMI_JOINT_CONTINUOUS, "wall", "upper", z,
                   (atemi_vec3){0});
    tree_add_joint(builder, "elbow", ATEMI_JOINT_CONTINUOUS, "upper", "lower", z, elbow);
    bench_begin(b, tree_finish(builder, ATEMI_BASE_FIXED));
}

// The arm's tip, in its plane.
static atemi_posture_goal tip_goal(double x, double y)
{
    atemi_posture_goal goal = atemi_posture_goal_default();
    goal.link = 2;
    goal.frame.position = (atemi_vec3){lower_arm, 0.0, 0.0};
    goal.target.position = (atemi_vec3){x, y, 0.0};
    memset(goal.weight + 2, 0, 4 * sizeof *goal.weight);
    return goal;
}

TEST(inverse_kinematics, of_a_planar_arm_is_the_law_of_cosines)
{
    bench b;
    bench_begin_arm(&b);
    const double               x = 0.4, y = 0.35, square = x * x + y * y;
    const atemi_posture_goal   goal = tip_goal(x, y);
    double                     q[] = {0.2, 0.5};
    const atemi_posture_report report = solve(&b, &goal, 1, NULL, q);
    CHECK_EQUAL_INT(report.outcome, ATEMI_POSTURE_REACHED);
    CHECK_NEAR(cos(q[1]),
               (square - upper_arm * upper_arm - lower_arm * lower_arm) /
                   (2.0 * upper_arm * lower_arm),
               1e-9);
    bench_end(&b);
}

// Too far: stretched towards the goal. Too near: folded. Both are singular postures with an error,
// so that the Hessian needs the bending; without it convergence would be linear.
TEST(inverse_kinematics, ends_nearest_to_a_goal_out_of_reach)
{
    bench b;
    bench_begin_arm(&b);
    const double  far[] = {0.6, 0.8}, near[] = {0.06, 0.08};
    const double  most = upper_arm + lower_arm, least = upper_arm - lower_arm;
    random_stream random = random_seeded(3);
    for (int c = 0; c < 100; ++c) {
        double q[] = {random_uniform(&random, -2.0, 2.0), random_uniform(&random, -3.0, 3.0)};
        atemi_posture_goal goal = tip_goal(far[0], far[1]);
        CHECK_EQUAL_INT(solve(&b, &goal, 1, NULL, q).outcome, ATEMI_POSTURE_NEAREST);
        CHECK_NEAR(atemi_inverse_kinematics_errors(b.scratch)[0].linear.x, 0.6 * (most - 1.0),
                   1e-9);
        CHECK_NEAR(atemi_inverse_kinematics_errors(b.scratch)[0].linear.y, 0.8 * (most - 1.0),
                   1e-9);
        goal = tip_goal(near[0], near[1]);
        CHECK_EQUAL_INT(solve(&b, &goal, 1, NULL, q).outcome, ATEMI_POSTURE_NEAREST);
        CHECK_NEAR(atemi_inverse_kinematics_errors(b.scratch)[0].linear.x, 0.6 * (least - 0.1),
                   1e-9);
        CHECK_NEAR(atemi_inverse_kinematics_errors(b.scratch)[0].linear.y, 0.8 * (least - 0.1),
                   1e-9);
    }
    bench_end(&b);
}

// No weight, no error: out of reach along x only.
TEST(inverse_kinematics, ignores_rows_without_weight)
{
    bench b;
    bench_begin_arm(&b);
    atemi_posture_goal goal = tip_goal(5.0, 0.3);
    goal.weight[0] = atemi_priority_weight(ATEMI_PRIORITY_IGNORE);
    double q[] = {0.2, 0.5};
    CHECK_EQUAL_INT(solve(&b, &goal, 1, NULL, q).outcome, ATEMI_POSTURE_REACHED);
    CHECK_NEAR(atemi_inverse_kinematics_errors(b.scratch)[0].linear.y, 0.0, 1e-10);
    CHECK(atemi_inverse_kinematics_errors(b.scratch)[0].linear.x < -4.0);
    bench_end(&b);
}

// ---- Singular starts ------------------------------------------------------------------------

// A stretched leg, and a goal straight above its foot: no small motion lifts the foot, and the
// gradient is zero.
TEST(inverse_kinematics, bends_a_stretched_knee)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q];
    atemi_configuration_neutral(b.model, q);
    atemi_posture_goal goal = named_goal_at(&b, q, "right_sole");
    goal.target.position.z += 0.1;
    bool moving[TREE_MAX_V] = {0};
    for (int i = 0; i < 6; ++i) {
        moving[velocity(&b, "right_hip_yaw") + i] = true;
    }
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    options.moving = moving;
    CHECK_EQUAL_INT(solve(&b, &goal, 1, &options, q).outcome, ATEMI_POSTURE_REACHED);
    CHECK(pose_error(&b, q, &goal, 1) < 2e-10);
    CHECK(q[coordinate(&b, "right_knee")] > 0.5);
    bench_end(&b);
}

// The goal is reached by the stretched leg alone: a double root, where Newton's rule is slow.
TEST(inverse_kinematics, stretches_a_knee_to_the_end)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], x[TREE_MAX_Q];
    atemi_configuration_neutral(b.model, q);
    const atemi_posture_goal goals[] = {named_goal_at(&b, q, "right_sole"),
                                        named_goal_at(&b, q, "left_sole"),
                                        named_goal_at(&b, q, "waist")};
    half_sitting(&b, x);
    const atemi_posture_report report = solve(&b, goals, 3, NULL, x);
    CHECK(fmax(report.position, report.rotation) < 1e-9);
    CHECK(fabs(x[coordinate(&b, "right_knee")]) < 1e-3);
    bench_end(&b);
}

// ---- Limits and masks -----------------------------------------------------------------------

static void limited_slide(bench *b)
{
    const atemi_inertia  inertia = {.mass = 1.0, .rotational = {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
    const atemi_vec3     x = {1.0, 0.0, 0.0};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "rail", &inertia);
    tree_add_link(builder, "cart", &inertia);
    tree_add_joint(builder, "slide", ATEMI_JOINT_PRISMATIC, "rail", "cart", x, (atemi_vec3){0});
    bench_begin(b, tree_finish(builder, ATEMI_BASE_FIXED));
}

static atemi_posture_goal cart_goal(double x, atemi_priority priority)
{
    atemi_posture_goal goal = atemi_posture_goal_default();
    goal.link = 1;
    goal.target.position.x = x;
    memset(goal.weight, 0, sizeof goal.weight);
    goal.weight[0] = atemi_priority_weight(priority);
    return goal;
}

// Two goals that contradict each other meet where weight^2 times distance is the same.
TEST(inverse_kinematics, weighs_goals_by_their_priority)
{
    static const double weights[] = {1.0, 0.1, 0.01, 0.001};
    bench               b;
    limited_slide(&b);
    for (int p = ATEMI_PRIORITY_CRITICAL; p <= ATEMI_PRIORITY_LOW; ++p) {
        const atemi_posture_goal goals[] = {cart_goal(0.0, ATEMI_PRIORITY_CRITICAL),
                                            cart_goal(1.0, (atemi_priority)p)};
        const double             share = weights[p] * weights[p];
        double                   q = 0.3;
        CHECK_EQUAL_INT(solve(&b, goals, 2, NULL, &q).outcome, ATEMI_POSTURE_NEAREST);
        CHECK_NEAR(q, share / (1.0 + share), 1e-10);
    }
    bench_end(&b);
}

TEST(inverse_kinematics, moves_only_what_may_move)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q], x[TREE_MAX_Q];
    bool   moving[TREE_MAX_V] = {0};
    half_sitting(&b, q);
    memcpy(x, q, sizeof x);
    for (int i = 0; i < 6; ++i) {
        moving[velocity(&b, "right_shoulder_pitch") + i] = true;
    }
    atemi_posture_goal goal = named_goal_at(&b, q, "right_fist");
    goal.target.position.x += 0.05;
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    options.moving = moving;
    CHECK_EQUAL_INT(solve(&b, &goal, 1, &options, x).outcome, ATEMI_POSTURE_REACHED);
    for (int i = 0; i < atemi_model_q_count(b.model); ++i) {
        const bool arm = i > 0 && i - 1 < b.n && moving[i - 1];
        CHECK(arm || x[i] == q[i]);
    }
    bench_end(&b);
}

// ---- The centre of mass ---------------------------------------------------------------------

TEST(inverse_kinematics, puts_the_centre_of_mass_over_a_foot)
{
    bench b;
    bench_begin_hrp2(&b);
    double q[TREE_MAX_Q];
    half_sitting(&b, q);
    atemi_posture_goal goals[] = {named_goal_at(&b, q, "right_sole"),
                                  named_goal_at(&b, q, "left_sole"), atemi_posture_goal_default()};
    goals[2].kind = ATEMI_GOAL_CENTER_OF_MASS;
    goals[2].target.position = goals[0].target.position;
    goals[2].weight[2] = 0.0;
    CHECK_EQUAL_INT(solve(&b, goals, 3, NULL, q).outcome, ATEMI_POSTURE_REACHED);
    CHECK(pose_error(&b, q, goals, 2) < 2e-10);
    const atemi_vec3 center = atemi_center_of_mass(b.oracle);
    CHECK_NEAR(center.x, goals[0].target.position.x, 1e-10);
    CHECK_NEAR(center.y, goals[0].target.position.y, 1e-10);
    bench_end(&b);
}

// ---- Contracts ------------------------------------------------------------------------------

TEST(inverse_kinematics, takes_no_memory)
{
    bench b;
    bench_begin_hrp2(&b);
    static double D[TREE_MAX_V * 6 * MAX_GOALS];
    double        q[TREE_MAX_Q];
    half_sitting(&b, q);
    atemi_posture_goal goals[] = {named_goal_at(&b, q, "right_sole"), atemi_posture_goal_default()};
    goals[0].target.position.x += 0.1;
    goals[1].kind = ATEMI_GOAL_CENTER_OF_MASS;
    allocations_begin();
    solve(&b, goals, 2, NULL, q);
    atemi_posture_derivative(b.model, q, goals, 2, NULL, b.scratch, D);
    CHECK_EQUAL_INT(allocations_end(), 0);
    bench_end(&b);
}

static void check_refused(bench *b, atemi_posture_goal goal, const char *part)
{
    double               q[TREE_MAX_Q];
    atemi_posture_report report;
    atemi_error          error;
    half_sitting(b, q);
    CHECK_STATUS(atemi_inverse_kinematics(b->model, &goal, 1, NULL, b->scratch, q, &report, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, part);
}

TEST(inverse_kinematics, says_what_is_wrong_with_a_goal)
{
    bench b;
    bench_begin_hrp2(&b);
    atemi_posture_goal goal = atemi_posture_goal_default();
    goal.link = 1000;
    check_refused(&b, goal, "link 1000");
    goal = atemi_posture_goal_default();
    goal.weight[3] = -1.0;
    check_refused(&b, goal, "weight of row 3");
    goal = atemi_posture_goal_default();
    goal.target.position.y = (double)NAN;
    check_refused(&b, goal, "finite");
    goal = atemi_posture_goal_default();
    goal.target.rotation.x.x = 2.0;
    check_refused(&b, goal, "rotations");
    bench_end(&b);
}

TEST(inverse_kinematics, refuses_a_start_that_is_not_finite)
{
    bench b;
    bench_begin_hrp2(&b);
    const atemi_posture_goal goal = atemi_posture_goal_default();
    double                   q[TREE_MAX_Q];
    atemi_posture_report     report;
    half_sitting(&b, q);
    q[9] = (double)INFINITY;
    CHECK_STATUS(atemi_inverse_kinematics(b.model, &goal, 1, NULL, b.scratch, q, &report, NULL),
                 ATEMI_ERROR_INPUT);
    bench_end(&b);
}

// Targets anywhere: something finite comes out, within limits, and the outcome is honest.
TEST(inverse_kinematics, survives_targets_that_make_no_sense)
{
    bench b;
    bench_begin_hrp2(&b);
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    options.iterations = 30;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        random_stream      random = random_seeded(seed);
        const double       size = pow(10.0, random_uniform(&random, -3.0, 6.0));
        double             q[TREE_MAX_Q];
        atemi_posture_goal goals[2];
        random_goals(&b, &random, goals);
        goals[0].target.position.z = size;
        goals[1].target.position.x = -size;
        atemi_configuration_random(b.model, seed, q);
        const atemi_posture_report report = solve(&b, goals, 2, &options, q);
        CHECK(within_limits(&b, q));
        CHECK(isfinite(largest_size(q, atemi_model_q_count(b.model))));
        CHECK(report.outcome != ATEMI_POSTURE_REACHED || report.position <= options.tolerance);
    }
    bench_end(&b);
}

TEST(inverse_kinematics, has_a_word_for_each_outcome)
{
    CHECK_EQUAL_STRING(atemi_posture_outcome_text(ATEMI_POSTURE_REACHED), "reached");
    CHECK_EQUAL_STRING(atemi_posture_outcome_text(ATEMI_POSTURE_NEAREST), "nearest");
    CHECK_EQUAL_STRING(atemi_posture_outcome_text(ATEMI_POSTURE_UNFINISHED), "unfinished");
}
