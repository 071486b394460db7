// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_motion.h"

#include "allocations.h"
#include "atemi/model.h"
#include "strike_rig.h"

#include <math.h>

enum { MOST = 64 };

static const double momenta[] = {1.5, 0.5, -0.8, 0.01, 0.02}; // P_z, L_x, L_y, centre of mass

typedef struct trial {
    strike_rig          rig;
    atemi_strike_plan  *plan;
    atemi_strike_motion motion;
} trial;

static void begin(trial *t, double step)
{
    double      x[VARIABLES];
    atemi_error error = {0};
    rig_open(&t->rig);
    rig_posture(1.0, x);
    memcpy(x + AT_SPEED + 1, momenta, sizeof momenta);
    t->plan = rig_evaluate(&t->rig, x);
    CHECK_STATUS(atemi_strike_motion_make(t->plan, step, &t->motion, &error), ATEMI_OK);
}

static void end(trial *t)
{
    atemi_strike_motion_destroy(&t->motion);
    atemi_strike_plan_destroy(t->plan);
    rig_close(&t->rig);
}

static const double *q_of(const trial *t, int i)
{
    return t->motion.q + (size_t)i * (size_t)t->motion.q_count;
}

static const double *v_of(const trial *t, int i)
{
    return t->motion.v + (size_t)i * (size_t)t->motion.v_count;
}

static void look_at(trial *t, int i)
{
    atemi_update_kinematics(t->rig.rest, q_of(t, i), v_of(t, i), NULL);
}

TEST(strike_motion, begins_and_ends_at_rest)
{
    trial t;
    begin(&t, 5e-3);
    CHECK_EQUAL_INT(t.motion.count, 281);
    CHECK_EQUAL_INT(t.motion.touch, 140);
    CHECK_NEAR(atemi_strike_motion_time(&t.motion, 0), -0.7, 1e-12);
    CHECK_NEAR(atemi_strike_motion_time(&t.motion, 280), 0.7, 1e-12);
    CHECK_NEAR(largest_size(v_of(&t, 0), t.motion.v_count), 0.0, 1e-9);
    CHECK_NEAR(largest_size(v_of(&t, 280), t.motion.v_count), 0.0, 1e-9);
    end(&t);
}

TEST(strike_motion, goes_through_the_plan_at_first_touch)
{
    trial t;
    begin(&t, 5e-3);
    CHECK_NEAR(largest_difference(q_of(&t, 140), atemi_strike_plan_q(t.plan), t.motion.q_count),
               0.0, 0.0);
    CHECK_NEAR(largest_difference(v_of(&t, 140), atemi_strike_plan_v(t.plan), t.motion.v_count),
               0.0, 0.0);
    end(&t);
}

TEST(strike_motion, keeps_feet_joints_and_balance)
{
    trial t;
    begin(&t, 1e-3);
    CHECK(t.motion.foot_drift < 1e-6);
    const atemi_strike_peak *peaks = t.motion.peaks;
    CHECK(peaks[ATEMI_DEMAND_BALANCE].value >= 0.05);
    CHECK_NEAR(peaks[ATEMI_DEMAND_POSITION].value, 0.0, 0.0); // the grippers are closed
    CHECK(peaks[ATEMI_DEMAND_SPEED].value > 0.0 && peaks[ATEMI_DEMAND_SPEED].value <= 1.0);
    CHECK(peaks[ATEMI_DEMAND_EFFORT].value > 0.0 && peaks[ATEMI_DEMAND_EFFORT].value < 1.0);
    for (int i = 0; i < t.motion.count; i += 100) {
        look_at(&t, i);
        CHECK_NEAR(atemi_vec3_norm(rig_foot(&t.rig, 0).position), 0.0, 1e-6);
        CHECK_NEAR(rig_foot(&t.rig, 1).position.z, 0.0, 1e-6);
    }
    end(&t);
}

// [STRIKE] Fig. 3: a cubic with level ends has half of its value after half of its time.
static void check_goals(trial *t, int index, double hand, double body)
{
    look_at(t, index);
    const atemi_force  momentum = rig_momentum(&t->rig);
    const double       mass = atemi_model_mass(t->rig.task->model);
    const atemi_motion expected = {.linear = {hand, 0.0, 0.0}};
    CHECK_NEAR(largest_motion_difference(rig_hand(&t->rig, 0), expected), 0.0, 1e-9);
    CHECK_NEAR(momentum.linear.z, body * momenta[0], 1e-9);
    CHECK_NEAR(momentum.angular.x, body * momenta[1], 1e-9);
    CHECK_NEAR(momentum.angular.y, body * momenta[2], 1e-9);
    CHECK_NEAR(momentum.linear.x, body * momenta[3] * mass, 1e-9);
    CHECK_NEAR(momentum.linear.y, body * momenta[4] * mass, 1e-9);
}

TEST(strike_motion, lets_goals_rise_and_fall_along_cubics)
{
    const double u = 0.875; // of the body's way, where the hand is half way
    trial        t;
    begin(&t, 0.7 / 80.0);
    check_goals(&t, 40, 0.0, 0.5);
    check_goals(&t, 70, 0.5, u * u * (3.0 - 2.0 * u));
    check_goals(&t, 80, 1.0, 1.0);
    check_goals(&t, 90, 0.5, u * u * (3.0 - 2.0 * u));
    check_goals(&t, 120, 0.0, 0.5);
    end(&t);
}

TEST(strike_motion, moves_as_its_rates_and_accelerations_say)
{
    const double step = 2e-3;
    trial        t;
    begin(&t, step);
    const int n = t.motion.v_count;
    for (int i = 10; i + 1 < t.motion.count; i += 30) {
        double        mean[MOST], next[MOST];
        const double *v0 = v_of(&t, i - 1), *v = v_of(&t, i), *v1 = v_of(&t, i + 1);
        const double *a = t.motion.a + (size_t)i * (size_t)n;
        for (int k = 0; k < n; ++k) {
            mean[k] = 0.5 * (v[k] + v1[k]);
            CHECK_NEAR(a[k], (v1[k] - v0[k]) / (2.0 * step), 1e-9);
        }
        atemi_configuration_integrate(t.rig.task->model, q_of(&t, i), mean, step, next);
        CHECK_NEAR(largest_difference(next, q_of(&t, i + 1), t.motion.q_count), 0.0, 1e-5);
    }
    end(&t);
}

// What the soles give is no torque: the base has none, and the robot's weight rests on them.
TEST(strike_motion, needs_no_torque_at_the_base)
{
    trial t;
    begin(&t, 5e-3);
    for (int i = 0; i < t.motion.count; i += 20) {
        CHECK_NEAR(largest_size(t.motion.tau + (size_t)i * (size_t)t.motion.v_count, 6), 0.0, 1e-3);
    }
    end(&t);
}

// ---- At any time

TEST(strike_motion, is_its_grid_at_the_grid_and_between_it_otherwise)
{
    trial  t;
    double q[MOST], v[MOST], a[MOST], tau[MOST];
    begin(&t, 5e-3);
    const atemi_model *model = t.rig.task->model;
    const int          n = t.motion.v_count;
    atemi_strike_motion_at(&t.motion, model, atemi_strike_motion_time(&t.motion, 130), q, v, a,
                           tau);
    CHECK_NEAR(largest_difference(q, q_of(&t, 130), t.motion.q_count), 0.0, 1e-9);
    CHECK_NEAR(largest_difference(v, v_of(&t, 130), n), 0.0, 1e-9);
    CHECK_NEAR(largest_difference(a, t.motion.a + 130 * (size_t)n, n), 0.0, 1e-8);
    CHECK_NEAR(largest_difference(tau, t.motion.tau + 130 * (size_t)n, n), 0.0, 1e-6);
    atemi_strike_motion_at(&t.motion, model, atemi_strike_motion_time(&t.motion, 130) + 2.5e-3, q,
                           v, a, NULL);
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(v[i], 0.5 * (v_of(&t, 130)[i] + v_of(&t, 131)[i]), 1e-9);
    }
    end(&t);
}

TEST(strike_motion, rests_before_and_after)
{
    trial  t;
    double q[MOST], v[MOST], a[MOST];
    begin(&t, 5e-3);
    for (int i = 0; i < 2; ++i) {
        const int last = i * (t.motion.count - 1);
        atemi_strike_motion_at(&t.motion, t.rig.task->model, i ? 5.0 : -5.0, q, v, a, NULL);
        CHECK_NEAR(largest_difference(q, q_of(&t, last), t.motion.q_count), 0.0, 1e-6);
        CHECK_NEAR(largest_size(v, t.motion.v_count), 0.0, 1e-9);
    }
    end(&t);
}

TEST(strike_motion, survives_that_memory_runs_out)
{
    trial t;
    bool  failed = true;
    begin(&t, 0.1);
    for (int n = 1; failed; ++n) {
        atemi_strike_motion motion;
        failing_allocator_install(n);
        const atemi_status status = atemi_strike_motion_make(t.plan, 0.1, &motion, NULL);
        failed = failing_allocator_failed();
        CHECK_EQUAL_INT(status == ATEMI_ERROR_MEMORY, failed);
        CHECK(!failed || !motion.q);
        atemi_strike_motion_destroy(&motion);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    end(&t);
}

// ---- Limits between the instants that a plan looks at

// Version 0.1 called a motion feasible that needed 53 times the speed of a joint.
TEST(strike_motion, that_is_too_fast_for_a_joint_is_not_feasible_and_names_it)
{
    trial t;
    begin(&t, 5e-3);
    CHECK(atemi_strike_motion_feasible(&t.motion));
    end(&t);

    strike_rig          rig;
    atemi_strike_motion motion;
    double              x[VARIABLES];
    rig_open(&rig);
    rig_posture(20.0, x);
    atemi_strike_plan *plan = rig_evaluate(&rig, x);
    CHECK_STATUS(atemi_strike_motion_make(plan, 5e-3, &motion, NULL), ATEMI_OK);
    CHECK(!atemi_strike_motion_keeps(&motion, ATEMI_DEMAND_SPEED));
    CHECK(!atemi_strike_motion_feasible(&motion));
    const atemi_strike_peak *peak = &motion.peaks[ATEMI_DEMAND_SPEED];
    const atemi_joint       *joint = atemi_model_joint(rig.task->model, peak->index);
    double                   fastest = 0.0;
    for (int i = 0; i < motion.count; ++i) {
        fastest = fmax(fastest, fabs(motion.v[i * motion.v_count + joint->first_v]));
    }
    CHECK_NEAR(peak->value, fastest / joint->limits.velocity, 1e-12);
    atemi_strike_motion_destroy(&motion);
    atemi_strike_plan_destroy(plan);
    rig_close(&rig);
}

// What the motion needs of an effort is what friction takes as well.
TEST(strike_motion, needs_more_effort_with_friction_in_the_joints)
{
    double efforts[2];
    for (int i = 0; i < 2; ++i) {
        double              viscous[64], x[VARIABLES];
        strike_rig          rig;
        atemi_strike_motion motion;
        rig_open(&rig);
        for (int k = 0; k < 64; ++k) {
            viscous[k] = k < 6 ? 0.0 : 20.0;
        }
        rig.task->servo.viscous = i == 0 ? NULL : viscous;
        rig_posture(1.2, x);
        atemi_strike_plan *plan = rig_evaluate(&rig, x);
        CHECK_STATUS(atemi_strike_motion_make(plan, 5e-3, &motion, NULL), ATEMI_OK);
        efforts[i] = motion.peaks[ATEMI_DEMAND_EFFORT].value;
        atemi_strike_motion_destroy(&motion);
        atemi_strike_plan_destroy(plan);
        rig_close(&rig);
    }
    CHECK(efforts[1] > 1.1 * efforts[0]);
}

// At 1 m/s no joint is faster than it may be. Velocities are in proportion to the goals, so that at
// thirty times the goals some are by far; a search must not take such a motion for one.
TEST(strike_motion, exists_where_its_joints_can_follow)
{
    trial t;
    begin(&t, 1e-3);
    const strike_inside inside = strike_plan_inside(t.plan);
    CHECK(atemi_strike_motion_feasible(&t.motion));
    CHECK(strike_motion_exists(&inside));
    end(&t);
}

TEST(strike_motion, does_not_exist_where_joints_would_have_to_jump)
{
    strike_rig rig;
    double     x[VARIABLES];
    rig_open(&rig);
    rig_posture(30.0, x);
    atemi_strike_plan  *plan = rig_evaluate(&rig, x);
    const strike_inside inside = strike_plan_inside(plan);
    CHECK(!strike_motion_exists(&inside));
    rig_end(&rig, plan);
}
