// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_evaluation.h"

#include "plan/doubt/strike_case.h"
#include "plan/motion/strike_phases.h"
#include "plan/motion/strike_self.h"
#include "plan/touch/strike_blow.h"
#include "plan/touch/strike_first_touch.h"
#include "plan/touch/strike_hands.h"
#include "plan/touch/strike_posture.h"

#include <math.h>
#include <string.h>

// ---- Stages

static void find_posture(const strike_setup *s, const strike_evaluation *same,
                         strike_workspace *work, strike_evaluation *at)
{
    if (!same) {
        strike_posture_find(s, &at->values, work->ik, at->q, at->foot_errors);
    } else if (same != at) {
        memcpy(at->q, same->q, (size_t)atemi_model_q_count(s->model) * sizeof *at->q);
        memcpy(at->foot_errors, same->foot_errors, sizeof at->foot_errors);
    }
}

// The joint velocities of first touch, and what the whole body does by them.
static void find_velocities(const strike_setup *s, strike_workspace *work, strike_evaluation *at)
{
    strike_components_find(s, &at->values, at->q, &work->velocities, &at->components);
    for (int i = 0; i < s->v_count; ++i) {
        at->v[i] = at->components.hand[i] + at->components.body[i];
    }
    atemi_kinematics_update(s->model, at->q, at->v, NULL, &at->kinematics);
    at->com = atemi_center_of_mass_in(s->model, &at->kinematics);
    at->momentum = atemi_momentum_in(s->model, &at->kinematics);
    at->momentum.angular =
        atemi_vec3_add(at->momentum.angular, atemi_vec3_cross(at->com, at->momentum.linear));
}

static void constrain_first_touch(const strike_setup *s, strike_evaluation *at, strike_rows *rows)
{
    strike_constrain_hands(&s->task, &at->kinematics, rows);
    strike_constrain_feet(s, at->foot_errors, &at->kinematics, rows);
    strike_constrain_joints(s, at->q, at->v, rows);
    strike_constrain_momentum(&s->task, &at->momentum, rows);
    strike_constrain_times(&s->task, &at->values, rows);
    strike_support_find(s, &at->kinematics, &at->support);
    at->motion_margin = strike_constrain_balance(s, &at->values, at->com, &at->support, rows);
}

// What happens before and after the blow, as far as the task limits it.
static void constrain_motion(const strike_setup *s, strike_workspace *work, strike_evaluation *at,
                             strike_rows *rows)
{
    const atemi_strike_task *task = &s->task;
    const bool               travels = isfinite(task->travel_margin);
    const bool works = isfinite(task->effort_fraction) || isfinite(task->travel_friction);
    const bool avoids = s->balls.count > 0;
    const bool separates = s->capsules.count > 0;
    rows->motion.first = rows->next;
    rows->motion.first_part = rows->next_part;
    if (travels || works || avoids || separates || isfinite(task->friction) ||
        strike_cases_move(task)) {
        strike_trajectories_follow(s, &at->values, &work->velocities, &work->trajectory,
                                   at->trajectories);
    }
    if (travels) {
        strike_constrain_motion(s, at, work, rows);
    }
    if (works) {
        strike_constrain_effort(s, at, work, rows);
    }
    if (avoids) {
        strike_constrain_clearance(s, at, work, rows);
    }
    strike_constrain_self(s, at, work, rows);
    rows->motion.end = rows->next;
    rows->motion.end_part = rows->next_part;
}

static void pass_motion(const strike_setup *s, strike_workspace *work, strike_evaluation *at,
                        strike_rows *rows)
{
    if (strike_cases_move(&s->task)) {
        strike_trajectories_follow(s, &at->values, &work->velocities, &work->trajectory,
                                   at->trajectories);
    } else {
        strike_trajectories_start(s, &at->values, &work->velocities, &work->trajectory,
                                  at->trajectories);
    }
    rows->next = rows->motion.end;
    rows->next_part = rows->motion.end_part;
}

static void constrain_blow(const strike_setup *s, strike_workspace *work, strike_evaluation *at,
                           strike_rows *rows)
{
    strike_blow_find(s, at, work, &at->outcome);
    at->impact_margin = strike_constrain_blow(s, at, work, rows);
    at->objective = s->task.peak_weight * at->outcome.blow.peak_force +
                    s->task.impulse_weight * at->outcome.blow.impulse;
}

// ---- Evaluation

static double now(const strike_meter *meter)
{
    return meter->clock ? meter->clock() : 0.0;
}

static void evaluate(const strike_setup *s, const strike_values *values,
                     const strike_evaluation *known, bool is_whole, strike_workspace *work,
                     strike_rows *rows, strike_evaluation *at)
{
    strike_meter *meter = work->meter;
    const double  begin = now(meter);
    const bool    same_posture =
        known && known->is_done && strike_values_same_posture(&known->values, values);
    at->values = *values;
    find_posture(s, same_posture ? known : NULL, work, at);
    const double posture = now(meter);
    find_velocities(s, work, at);
    const double velocities = now(meter);
    constrain_first_touch(s, at, rows);
    const double balance = now(meter);
    if (is_whole) {
        constrain_motion(s, work, at, rows);
    } else {
        pass_motion(s, work, at, rows);
    }
    const double motion = now(meter);
    constrain_blow(s, work, at, rows);
    at->is_done = true;
    ++meter->evaluations;
    meter->times.posture += posture - begin;
    meter->times.velocities += velocities - posture;
    meter->times.zmp += balance - velocities;
    meter->times.motion += motion - balance;
    meter->times.blow += now(meter) - motion;
}

void strike_evaluate(const strike_setup *s, const strike_values *values,
                     const strike_evaluation *known, strike_workspace *work, strike_rows *rows,
                     strike_evaluation *at)
{
    evaluate(s, values, known, true, work, rows, at);
}

void strike_evaluate_touch(const strike_setup *s, const strike_values *values,
                           const strike_evaluation *known, strike_workspace *work,
                           strike_rows *rows, strike_evaluation *at)
{
    evaluate(s, values, known, false, work, rows, at);
}

void strike_evaluation_take(strike_evaluation *e, atemi_arena *arena, const strike_setup *s,
                            const strike_grid *grid)
{
    *e = (strike_evaluation){.q = atemi_arena_array(arena, double, atemi_model_q_count(s->model)),
                             .v = atemi_arena_array(arena, double, s->v_count),
                             .components = strike_components_take(arena, s->model),
                             .kinematics = atemi_kinematics_take(arena, s->model)};
    for (int i = 0; i < 2; ++i) {
        e->trajectories[i] =
            strike_trajectory_take(arena, s->model, grid, e->q, e->v, e->components);
    }
}
