// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_first_touch.h"

#include <math.h>

static const double foot_speed = 0.01; // m/s: of a foot that stands

void strike_constrain_feet(const strike_setup *s, const atemi_motion *errors,
                           const atemi_kinematics *kinematics, strike_rows *rows)
{
    for (int i = 0; i < s->task.foot_count; ++i) {
        const atemi_motion moved = atemi_link_velocity_in(s->model, kinematics, s->foot_links[i]);
        strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_FOOT_PLACE, i, 0, "m"),
                         strike_at_most(s->task.foot_error, 0.01),
                         atemi_vec3_norm(errors[i].linear));
        strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_FOOT_ORIENTATION, i, 0, "rad"),
                         strike_at_most(s->task.foot_error, 0.01),
                         atemi_vec3_norm(errors[i].angular));
        strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_FOOT_SPEED, i, 0, "m/s"),
                         strike_at_most(foot_speed, 0.01), atemi_vec3_norm(moved.linear));
    }
}

// ---- Joints

static void constrain_legs(const strike_setup *s, const double *q, strike_rows *rows)
{
    for (int i = 0; i < s->leg_joint_count; ++i) {
        const atemi_joint *joint = atemi_model_joint(s->model, s->leg_joints[i]);
        if (isfinite(joint->limits.lower) || isfinite(joint->limits.upper)) {
            strike_constrain(rows,
                             strike_about(ATEMI_CONSTRAIN_JOINT_POSITION, s->leg_joints[i], 0,
                                          joint->type == ATEMI_JOINT_PRISMATIC ? "m" : "rad"),
                             (strike_bounds){strike_setup_lower(s, joint) + s->task.joint_margin,
                                             strike_setup_upper(s, joint) - s->task.joint_margin,
                                             0.1},
                             q[joint->first_q]);
        }
    }
}

static void constrain_speeds(const strike_setup *s, const double *v, strike_rows *rows)
{
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        const double       limit = strike_setup_speed_limit(s, joint);
        if (isfinite(limit) && !strike_setup_is_locked(s, joint)) {
            strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_JOINT_SPEED, j, 0, "rad/s"),
                             strike_within(limit, 0.5), v[joint->first_v]);
        }
    }
}

void strike_constrain_joints(const strike_setup *s, const double *q, const double *v,
                             strike_rows *rows)
{
    constrain_legs(s, q, rows);
    constrain_speeds(s, v, rows);
}

// ---- Momentum and times

void strike_constrain_momentum(const atemi_strike_task *task, const atemi_force *momentum,
                               strike_rows *rows)
{
    const double sides[] = {momentum->linear.x, momentum->linear.y};
    for (int i = 0; i < 2; ++i) {
        strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_MOMENTUM, 0, i, "N s"),
                         strike_within(task->momentum_side, 1.0), sides[i]);
    }
    strike_constrain(rows, strike_about(ATEMI_CONSTRAIN_ANGULAR_MOMENTUM, 0, 2, "N m s"),
                     strike_within(task->spin, 1.0), momentum->angular.z);
}

static void constrain_time(atemi_strike_phase phase, double hand, double body, strike_rows *rows)
{
    strike_constrain(
        rows,
        (atemi_strike_constraint){.kind = ATEMI_CONSTRAIN_DURATION, .phase = phase, .unit = "s"},
        strike_at_least(0.0, 0.1), body - hand);
}

void strike_constrain_times(const atemi_strike_task *task, const strike_values *x,
                            strike_rows *rows)
{
    if (task->hand_rise.upper > task->body_rise.lower) {
        constrain_time(ATEMI_PHASE_BEFORE, x->hand_rise, x->body_rise, rows);
    }
    if (task->hand_fall.upper > task->body_fall.lower) {
        constrain_time(ATEMI_PHASE_AFTER, x->hand_fall, x->body_fall, rows);
    }
}
