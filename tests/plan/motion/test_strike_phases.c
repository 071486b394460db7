// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_phases.h"

#include "strike_finished.h"

#include <math.h>
#include <stdio.h>

typedef struct stretch {
    const char *name;
    double      from, to; ///< s
} stretch;

static const stretch stretches[] = {{"hand gathers speed", -0.175, 0.0},
                                    {"body gathers speed", -0.7, -0.175},
                                    {"hand slows down", 0.0, 0.175},
                                    {"body slows down", 0.175, 0.7}};

// By differences of 1e-6 rad/s: the third derivative is at most 3 coulomb / (0.05 rad/s)^3.
TEST(strike_phases, slope_of_joint_friction_is_that_of_its_torque)
{
    const double           viscous[] = {0.7, 0.0}, coulomb[] = {3.0, 5.0}, h = 1e-6;
    const atemi_blow_servo servo = {.viscous = viscous, .coulomb = coulomb};
    for (int joint = 0; joint < 2; ++joint) {
        for (int i = -5; i <= 5; ++i) {
            const double v = 0.03 * i;
            const double change = strike_joint_friction(&servo, joint, v + h) -
                                  strike_joint_friction(&servo, joint, v - h);
            CHECK_NEAR(strike_joint_friction_slope(&servo, joint, v), change / (2.0 * h), 1e-6);
        }
    }
}

static double fastest(const finished *f, const stretch *s, int rate)
{
    double most = 0.0;
    for (int i = 0; i < f->motion.count; ++i) {
        const double time = atemi_strike_motion_time(&f->motion, i);
        if (time > s->from - 1e-9 && time < s->to + 1e-9) {
            most = fmax(most, fabs(f->motion.v[i * f->motion.v_count + rate]));
        }
    }
    return most;
}

static double margin_at(const finished *f, int instant, const atemi_joint *joint)
{
    const double q = f->motion.q[instant * f->motion.q_count + joint->first_q];
    return fmin(q - joint->limits.lower, joint->limits.upper - q);
}

static double least_margin(const finished *f, const stretch *s, const atemi_joint *joint)
{
    double least = INFINITY;
    for (int i = 0; i < f->motion.count; ++i) {
        const double time = atemi_strike_motion_time(&f->motion, i);
        if (time > s->from - 1e-9 && time < s->to + 1e-9) {
            least = fmin(least, margin_at(f, i, joint));
        }
    }
    return least;
}

// To 2e-3 of the limit where it is near enough to matter; elsewhere what was looked at is enough.
TEST(strike_phases, misses_no_speed)
{
    finished f;
    finished_open(&f);
    for (int j = 0; j < atemi_model_joint_count(f.trial.rig.task->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(f.trial.rig.task->model, j);
        const bool         moves =
            joint->v_count == 1 && !strike_setup_is_locked(&f.trial.problem.setup, joint);
        for (int k = 0; k < 4 && moves; ++k) {
            char name[ATEMI_STRIKE_NAME];
            snprintf(name, sizeof name, "speed of %s while the %s", joint->name, stretches[k].name);
            const double speed = fastest(&f, &stretches[k], joint->first_v);
            const double limit = joint->limits.velocity;
            CHECK_NEAR(trial_constraint(&f.trial, name), speed,
                       (speed > 0.5 * limit ? 2e-3 : 1e-2) * limit);
        }
    }
    finished_close(&f);
}

// Where a stretch begins, next to the blow, the room is that of the stretch before or of first
// touch.
static void check_margin(const finished *f, const stretch *s, const atemi_joint *joint)
{
    char         name[ATEMI_STRIKE_NAME];
    const double begin = fabs(s->from) < fabs(s->to) ? s->from : s->to;
    const int    first = f->motion.touch + (int)lround(begin / f->motion.step);
    snprintf(name, sizeof name, "margin of %s while the %s", joint->name, s->name);
    CHECK_NEAR(fmin(trial_constraint(&f->trial, name), margin_at(f, first, joint)),
               least_margin(f, s, joint), 4e-3);
}

TEST(strike_phases, misses_no_range)
{
    finished f;
    finished_open(&f);
    for (int j = 0; j < atemi_model_joint_count(f.trial.rig.task->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(f.trial.rig.task->model, j);
        const bool         moves =
            joint->v_count == 1 && !strike_setup_is_locked(&f.trial.problem.setup, joint);
        for (int k = 0; k < 4 && moves; ++k) {
            check_margin(&f, &stretches[k], joint);
        }
    }
    finished_close(&f);
}

// By accelerations that are five per cent off, 1 % of the limit.
static void check_torques(finished *f, const char *phase, int instant, double time)
{
    double q[64], v[64], a[64], tau[64];
    atemi_strike_motion_at(&f->motion, f->trial.rig.task->model, time, q, v, a, tau);
    for (int j = 0; j < atemi_model_joint_count(f->trial.rig.task->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(f->trial.rig.task->model, j);
        if (joint->v_count == 1) {
            char name[ATEMI_STRIKE_NAME];
            snprintf(name, sizeof name, "torque of %s %s (%d/9)", joint->name, phase, instant);
            CHECK_NEAR(trial_constraint(&f->trial, name),
                       fabs(tau[joint->first_v]) / joint->limits.effort, 0.01);
        }
    }
}

TEST(strike_phases, needs_the_torques_of_the_finished_motion)
{
    finished f;
    finished_open(&f);
    check_torques(&f, "gathering speed", 9, -0.7);
    check_torques(&f, "gathering speed", 3, -0.45 * 0.175);
    check_torques(&f, "slowing down", 0, 0.0);
    check_torques(&f, "slowing down", 4, 0.6 * 0.175);
    check_torques(&f, "slowing down", 7, 0.175 + 0.525 / 3.0);
    finished_close(&f);
}

// Both feet together hold what the whole robot needs: its weight at rest, without push or turning.
TEST(strike_phases, needs_no_friction_at_rest)
{
    finished f;
    finished_open(&f);
    const double weight = 9.81 * atemi_model_mass(f.trial.rig.task->model);
    const double grip = trial_constraint(&f.trial, "friction of right_sole gathering speed (9/9)") +
                        trial_constraint(&f.trial, "friction of left_sole gathering speed (9/9)");
    CHECK(grip < 0.7 * weight + 1e-6);
    CHECK(grip > 0.5 * weight);
    finished_close(&f);
}

// ---- Optima

static atemi_strike_plan *search(const strike_rig *rig)
{
    atemi_strike_plan *plan;
    CHECK_STATUS(atemi_strike_plan_make(rig->task, NULL, &plan, NULL), ATEMI_OK);
    CHECK(atemi_strike_plan_feasible(plan));
    return plan;
}

// At one posture, what limits the blow is the speed of a joint: as planned between knots, so in the
// motion.
TEST(strike_phases, leaves_no_excess_of_speed_at_an_optimum)
{
    strike_rig          rig;
    atemi_strike_motion motion;
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    rig.task->other_speed = 0.3;
    atemi_strike_plan *plan = search(&rig);
    CHECK_STATUS(atemi_strike_motion_make(plan, 1e-3, &motion, NULL), ATEMI_OK);
    const double speed = motion.peaks[ATEMI_DEMAND_SPEED].value;
    CHECK(speed > 0.999 * 0.3 && speed < 1.001 * 0.3);
    atemi_strike_motion_destroy(&motion);
    atemi_strike_plan_destroy(plan);
    rig_close(&rig);
}

static void loosen(atemi_strike_range *time, double least, double most)
{
    time->lower = least;
    time->upper = most;
}

// At one posture, what limits the blow is a torque; of the torques between the instants that are
// looked at, 3 % may be missed.
TEST(strike_phases, holds_torques_back_and_gains_by_times_that_are_decided)
{
    const double part = 0.4;
    strike_rig   rig;
    double       speeds[2];
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    rig.task->effort_fraction = part;
    for (int i = 0; i < 2; ++i) {
        atemi_strike_motion motion;
        atemi_strike_plan  *plan = search(&rig);
        CHECK_STATUS(atemi_strike_motion_make(plan, 1e-3, &motion, NULL), ATEMI_OK);
        CHECK(motion.peaks[ATEMI_DEMAND_EFFORT].value < 1.03 * part);
        CHECK(motion.peaks[ATEMI_DEMAND_SPEED].value < 1.0);
        speeds[i] = atemi_strike_plan_figures(plan).speed;
        atemi_strike_motion_destroy(&motion);
        atemi_strike_plan_destroy(plan);
        loosen(&rig.task->hand_rise, 0.1, 0.5);
        loosen(&rig.task->hand_fall, 0.1, 0.5);
        loosen(&rig.task->body_rise, 0.3, 1.0);
        loosen(&rig.task->body_fall, 0.3, 1.0);
    }
    CHECK(speeds[1] > 1.1 * speeds[0]);
    rig_close(&rig);
}
