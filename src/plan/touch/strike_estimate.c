// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_estimate.h"

#include "impact/blow_zmp.h"
#include "impact/striking_point.h"
#include "plan/strike_inside.h"
#include "plan/touch/strike_blow.h"

#include <math.h>
#include <string.h>

// While hand and target touch, for about T, the reference has begun to slow down. The mean of what
// the hand's speed V has lost meanwhile is that of the constant deceleration
//
//   b = 2 / T  mean of (V - n . v)  over T

static const double afterwards = 1.3; // of the time in touch

typedef struct look {
    const atemi_strike_task *task;
    const strike_setup      *setup; ///< of the plan
    const double            *q;
    atemi_strike_estimate   *estimate;
    atemi_arena              arena;
    double                  *rest; ///< [v_count] zero
    atemi_kinematics         kinematics;
    atemi_virtual_base       base;
    atemi_blow_scratch       scratch;
} look;

static void take(look *l, atemi_arena *arena)
{
    const atemi_model *model = l->task->model;
    l->rest = atemi_arena_array(arena, double, atemi_model_v_count(model));
    l->kinematics = atemi_kinematics_take(arena, model);
    l->base = atemi_virtual_base_take(arena, model);
    l->scratch = atemi_blow_scratch_take(arena, model);
}

static double find_drift(look *l, const atemi_strike_motion *motion, double T)
{
    const atemi_model          *model = l->task->model;
    const atemi_striking_point *hand = &l->task->point;
    const int                   rows = (int)fmax(T / motion->step, 1.0);
    double                      first = 0.0, lost = 0.0;
    for (int i = 0; i <= rows && motion->touch + i < motion->count; ++i) {
        const size_t at = (size_t)motion->touch + (size_t)i;
        atemi_kinematics_update(model, motion->q + at * (size_t)motion->q_count,
                                motion->v + at * (size_t)motion->v_count, NULL, &l->kinematics);
        const double speed = atemi_striking_point_speed_in(model, &l->kinematics, hand, 0);
        first = i == 0 ? speed : first;
        lost += (i == rows ? 0.5 : 1.0) * (first - speed) / rows;
    }
    return -2.0 * lost / T;
}

static void on_sample(void *context, const atemi_blow_sample *sample)
{
    look                 *l = (look *)context;
    atemi_strike_instant *now = &l->estimate->instants[l->estimate->count++];
    *now = (atemi_strike_instant){sample->time, sample->force, {NAN, NAN, 0.0}};
    atemi_blow_zmp_in(l->task->model, l->q, l->rest, sample->accelerations, &l->task->point,
                      sample->force, NULL, &l->kinematics, &now->zmp);
}

static atemi_status run_blow(look *l, const atemi_strike_plan *plan, const double *held,
                             double duration, atemi_error *error)
{
    const atemi_blow_setting setting =
        strike_blow_setting(l->setup, atemi_strike_plan_v(plan), held, l->estimate->drift);
    const atemi_blow_options options = strike_blow_options(l->setup, duration);
    double                   times[ATEMI_STRIKE_INSTANTS];
    const atemi_blow_watch   watch = {times, ATEMI_STRIKE_INSTANTS, on_sample, l};
    atemi_blow_result        result;
    for (int i = 0; i < ATEMI_STRIKE_INSTANTS; ++i) {
        times[i] = duration * i / (ATEMI_STRIKE_INSTANTS - 1);
    }
    return atemi_blow(&l->base, &setting, &options, &watch, &l->scratch, &result, error);
}

atemi_status strike_estimate_make(const atemi_strike_task *task, atemi_strike_plan *plan,
                                  const atemi_strike_motion *motion,
                                  atemi_strike_estimate *estimate, atemi_error *error)
{
    const double T = atemi_strike_plan_figures(plan).contact_time;
    look         l = {.task = task,
                      .setup = strike_plan_inside(plan).setup,
                      .q = atemi_strike_plan_q(plan),
                      .estimate = estimate};
    atemi_arena  arena = atemi_arena_measuring();
    *estimate = (atemi_strike_estimate){0};
    if (!(T > 0.0)) {
        return ATEMI_OK; // no blow
    }
    take(&l, &arena);
    atemi_status status = atemi_arena_create(&l.arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&l, &l.arena);
    memset(l.rest, 0, (size_t)motion->v_count * sizeof *l.rest);
    const atemi_ground ground = strike_setup_ground(l.setup);
    status = atemi_virtual_base_update(task->model, l.q, &ground, &task->point, &l.base, error);
    if (!status) {
        const double *held = motion->tau + (size_t)motion->touch * (size_t)motion->v_count;
        estimate->drift = find_drift(&l, motion, l.setup->touch.duration);
        status = run_blow(&l, plan, held, afterwards * T, error);
    }
    atemi_arena_destroy(&l.arena);
    return status;
}
