// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_doubt.h"

#include "atemi/base.h"
#include "atemi/strike_verification.h"
#include "impact/striking_point.h"
#include "math/random.h"
#include "plan/doubt/strike_case.h"
#include "plan/strike_inside.h"
#include "plan/touch/strike_blow.h"

#include <math.h>
#include <string.h>

// The hand of the finished motion has gone s(t) along the blow since the planned touch. A target
// that is farther by d is met where s(t) = d; the touch of a draw comes d_t later. From there, as
// long as hand and target touch, about D, the hand's reference loses speed, on average as it would
// at the drift
//
//   b = 2 / D  mean of (s'(t + x) - s'(t)), x from 0 to D
//
// The wrenches of the feet are those that the motion needs at that touch and those that the blow
// adds (strike_feet.c). How badly a draw goes is the least of what it has left in the units in
// which constraints are scaled.

enum { LOOKS = 3 * (STRIKE_BLOW_SAMPLES - 1) + 1 };

static const double zmp_scale = 0.01, force_scale = 10.0, moment_scale = 1.0; // m, N, N m

typedef struct work {
    const atemi_strike_task         *task;
    const atemi_strike_motion       *motion;
    const atemi_strike_draw_options *options;
    atemi_strike_draws              *draws;
    strike_inside                    plan;
    strike_setup                     setup; ///< with the limits in place of the margins
    atemi_arena                      arena;
    double                          *path, *speed;        ///< [motion->count] of the hand
    double                          *q, *v, *a;           ///< at the touch of a draw
    double                          *stiffness, *damping; ///< [v_count]
    atemi_vec3                       place;               ///< of the target, as planned
    // Of the draw that is looked at
    atemi_strike_deviation deviation;
    double                 time; ///< of its touch, s
    atemi_force            motion_wrenches[ATEMI_STRIKE_MAX_FEET];
    double                 zmp_margin, friction_left, edge_left;
} work;

// ---- The hand

static void take(work *w, atemi_arena *arena)
{
    const int n = w->motion->v_count;
    w->path = atemi_arena_array(arena, double, w->motion->count);
    w->speed = atemi_arena_array(arena, double, w->motion->count);
    w->q = atemi_arena_array(arena, double, w->motion->q_count);
    w->v = atemi_arena_array(arena, double, n);
    w->a = atemi_arena_array(arena, double, n);
    w->stiffness = atemi_arena_array(arena, double, n);
    w->damping = atemi_arena_array(arena, double, n);
}

// Of two hands, the first: they go side by side.
static void follow_hand(work *w)
{
    const atemi_strike_motion  *m = w->motion;
    const atemi_striking_point *point = &w->task->point;
    atemi_kinematics           *kinematics = &w->plan.work->kinematics;
    for (int i = 0; i < m->count; ++i) {
        atemi_kinematics_update(w->task->model, m->q + (size_t)i * (size_t)m->q_count,
                                m->v + (size_t)i * (size_t)m->v_count, NULL, kinematics);
        const atemi_vec3 at = atemi_striking_point_place_in(w->task->model, kinematics, point, 0);
        w->path[i] = atemi_vec3_dot(point->direction, at);
        w->speed[i] = atemi_striking_point_speed_in(w->task->model, kinematics, point, 0);
    }
    const double touch = w->path[m->touch];
    for (int i = 0; i < m->count; ++i) {
        w->path[i] -= touch;
    }
}

// The value of a row of the motion at a time, 0 beyond its ends for speeds.
static double row_at(const work *w, const double *rows, double time)
{
    const atemi_strike_motion *m = w->motion;
    const double at = fmax(0.0, fmin(time / m->step + m->touch, (double)(m->count - 1)));
    const int    i = at < m->count - 1 ? (int)at : m->count - 2;
    return rows[i] + (at - i) * (rows[i + 1] - rows[i]);
}

// @return false where the hand never goes so far, or has always been there
static bool find_time(const work *w, double distance, double *time)
{
    const atemi_strike_motion *m = w->motion;
    const int                  sign = distance < 0.0 ? -1 : 1;
    int                        i = m->touch;
    while (i + sign >= 0 && i + sign < m->count && sign * (w->path[i] - distance) < 0.0) {
        i += sign;
    }
    if (sign * (w->path[i] - distance) < 0.0) {
        return false;
    }
    const int    before = i == m->touch ? i : i - sign;
    const double step = w->path[i] - w->path[before];
    const double part = step != 0.0 ? (distance - w->path[before]) / step : 0.0;
    *time = (before + sign * part - m->touch) * m->step;
    return true;
}

static double find_drift(const work *w)
{
    const double D = w->setup.touch.duration, first = row_at(w, w->speed, w->time);
    const int    steps = (int)fmax(D / w->motion->step, 1.0);
    double       sum = 0.0;
    for (int i = 0; i <= steps; ++i) {
        const double speed = row_at(w, w->speed, w->time + D * i / steps);
        sum += (i == 0 || i == steps ? 0.5 : 1.0) * (speed - first) / steps;
    }
    return 2.0 * sum / D;
}

// ---- The estimate

static void look_at_foot(work *w, int foot, atemi_force wrench)
{
    const strike_setup *s = &w->setup;
    const double        friction = w->options->friction * (1.0 + w->deviation.friction);
    double              grip[2], edges[4];
    strike_foot_grip(s, foot, wrench, friction, grip);
    strike_foot_edges(s, &w->plan.at->kinematics, foot, wrench, edges);
    w->friction_left = fmin(w->friction_left, fmin(grip[0], grip[1]));
    for (int i = 0; i < 4; ++i) {
        w->edge_left = fmin(w->edge_left, edges[i]);
    }
}

static void on_sample(void *context, const atemi_blow_sample *sample)
{
    work               *w = (work *)context;
    const strike_setup *s = &w->setup;
    strike_workspace   *memory = w->plan.work;
    atemi_force         wrenches[ATEMI_STRIKE_MAX_FEET];
    atemi_vec3          zmp;
    strike_feet_in_blow(s, memory->base.jacobian, sample, &memory->feet, wrenches);
    for (int k = 0; k < s->task.foot_count; ++k) {
        wrenches[k] = atemi_force_add(wrenches[k], w->motion_wrenches[k]);
        if (isfinite(s->task.friction)) {
            look_at_foot(w, k, wrenches[k]);
        }
    }
    const bool presses = strike_feet_zmp(s, &w->plan.at->kinematics, wrenches, &zmp);
    w->zmp_margin =
        fmin(w->zmp_margin,
             presses ? atemi_support_distance(&w->plan.at->support.polygon, zmp).distance : -1.0);
}

// @return ATEMI_ERROR_SINGULAR and others where a blow there has no estimate
static atemi_status estimate(work *w, atemi_error *error)
{
    const strike_setup *s = &w->setup;
    strike_workspace   *memory = w->plan.work;
    const atemi_ground  ground = strike_setup_ground(s);
    const double        duration = s->touch.times[STRIKE_BLOW_SAMPLES - 1];
    double              times[LOOKS];
    for (int i = 0; i < LOOKS; ++i) {
        times[i] = duration * i * i / ((LOOKS - 1) * (LOOKS - 1));
    }
    atemi_strike_motion_at(w->motion, s->model, w->time, w->q, w->v, w->a, NULL);
    if (isfinite(s->task.friction)) {
        strike_feet_of_motion(s, w->q, w->v, w->a, &memory->feet, w->motion_wrenches);
    } else {
        strike_feet_of_motion(s, w->q, NULL, NULL, &memory->feet, w->motion_wrenches);
    }
    memcpy(memory->held, memory->feet.torques, (size_t)s->v_count * sizeof *memory->held);
    strike_feet_prepare(s, w->q, &memory->feet);
    const atemi_status status =
        atemi_virtual_base_update(s->model, w->q, &ground, &s->task.point, &memory->base, error);
    if (status) {
        return status;
    }
    const atemi_blow_watch   watch = {times, LOOKS, on_sample, w};
    const atemi_blow_options options = strike_blow_options(s, duration);
    atemi_blow_setting       setting = strike_blow_setting(s, w->v, memory->held, find_drift(w));
    atemi_blow_result        result;
    strike_case_set(s, &w->deviation, w->stiffness, w->damping, &setting);
    return atemi_blow(&memory->base, &setting, &options, &watch, &memory->blow, &result, error);
}

// ---- Full dynamics

static bool on_step(void *context)
{
    const work *w = (const work *)context;
    return !w->options->goes_on || w->options->goes_on(w->options->context);
}

// The task with the target and the servos of the draw.
static atemi_strike_task task_of(const work *w)
{
    atemi_strike_task  task = *w->task;
    atemi_blow_setting setting = {.servo = task.servo, .target = task.target};
    strike_case_set(&w->setup, &w->deviation, w->stiffness, w->damping, &setting);
    task.servo = setting.servo;
    task.target = setting.target;
    return task;
}

static atemi_status simulate(work *w, bool meets, bool *stands, bool *still, atemi_error *error)
{
    const double            gone = meets ? row_at(w, w->path, w->time) : w->deviation.distance;
    const atemi_strike_task task = task_of(w);
    const atemi_strike_verify_options options = {
        .friction = w->options->friction * (1.0 + w->deviation.friction),
        .place = atemi_vec3_add(w->place, atemi_vec3_scale(gone, w->task->point.direction)),
        .goes_on = on_step,
        .context = w};
    atemi_strike_verification verification;
    const atemi_status        status =
        atemi_strike_verify(&task, w->motion, &options, &verification, error);
    *stands = !status && atemi_strike_stands(&verification);
    *still = *stands && verification.result.lift_offs == 0 && verification.result.slips == 0;
    w->draws->stopped = w->draws->stopped || verification.stopped;
    atemi_strike_verification_destroy(&verification);
    return status;
}

// ---- Draws

static void draw(work *w, uint64_t *random)
{
    const atemi_strike_deviation *d = &w->task->doubt;
    atemi_strike_deviation       *to = &w->deviation;
    const double                  most[] = {d->mass, d->friction, d->distance, d->timing, d->gains};
    double *const values[] = {&to->mass, &to->friction, &to->distance, &to->timing, &to->gains};
    for (int i = 0; i < 5; ++i) {
        *values[i] = most[i] * (2.0 * random_unit_next(random) - 1.0);
    }
}

static double left_of(const work *w)
{
    return fmin(w->zmp_margin / zmp_scale,
                fmin(w->friction_left / force_scale, w->edge_left / moment_scale));
}

static void keep(work *w, double *worst)
{
    atemi_strike_draws *draws = w->draws;
    draws->zmp_margin = fmin(draws->zmp_margin, w->zmp_margin);
    draws->friction_left = fmin(draws->friction_left, w->friction_left);
    draws->edge_left = fmin(draws->edge_left, w->edge_left);
    if (left_of(w) < *worst) {
        *worst = left_of(w);
        draws->worst = w->deviation;
    }
}

// A blow that has no estimate counts as one that does not hold.
static bool holds(work *w, bool meets, double *worst)
{
    atemi_error error;
    w->zmp_margin = w->friction_left = w->edge_left = INFINITY;
    if (!meets) {
        return true;
    }
    if (estimate(w, &error)) {
        w->zmp_margin = -INFINITY;
    }
    keep(w, worst);
    return left_of(w) >= 0.0;
}

static atemi_status run(work *w, atemi_error *error)
{
    const atemi_strike_draw_options *o = w->options;
    atemi_strike_draws              *draws = w->draws;
    int                              held = 0, stood = 0, stayed = 0, i = 0, full = 0;
    uint64_t                         random = o->seed;
    double                           worst = INFINITY;
    atemi_status                     status = ATEMI_OK;
    for (; i < o->draws && !status && !draws->stopped; ++i) {
        draw(w, &random);
        const bool meets = find_time(w, w->deviation.distance, &w->time);
        w->time += w->deviation.timing;
        draws->missed += !meets;
        held += holds(w, meets, &worst);
        if (i < o->full) {
            bool stands = false, still = false;
            status = simulate(w, meets, &stands, &still, error);
            stood += stands;
            stayed += still;
            full += !draws->stopped;
        } else {
            draws->stopped = draws->stopped || !on_step(w);
        }
    }
    draws->holds = atemi_strike_rate_of(held, i);
    draws->stands = atemi_strike_rate_of(stood, full);
    draws->still = atemi_strike_rate_of(stayed, full);
    return status;
}

atemi_strike_draw_options atemi_strike_draw_options_default(void)
{
    return (atemi_strike_draw_options){.draws = 1000, .full = 20, .seed = 1, .friction = 0.8};
}

bool atemi_strike_is_in_doubt(const atemi_strike_task *task)
{
    const atemi_strike_deviation *d = &task->doubt;
    return d->mass > 0.0 || d->friction > 0.0 || d->distance > 0.0 || d->timing > 0.0 ||
           d->gains > 0.0;
}

atemi_status atemi_strike_draws_make(const atemi_strike_task *task, atemi_strike_plan *plan,
                                     const atemi_strike_motion       *motion,
                                     const atemi_strike_draw_options *options,
                                     atemi_strike_draws *draws, atemi_error *error)
{
    ATEMI_REQUIRE_OR(task && plan && motion && draws, ATEMI_ERROR_CONTRACT);
    const atemi_strike_draw_options usual = atemi_strike_draw_options_default();
    work w = {.task = task, .motion = motion, .draws = draws, .plan = strike_plan_inside(plan)};
    w.options = options ? options : &usual;
    *draws = (atemi_strike_draws){.holds = atemi_strike_rate_of(0, 0),
                                  .stands = atemi_strike_rate_of(0, 0),
                                  .still = atemi_strike_rate_of(0, 0),
                                  .zmp_margin = INFINITY,
                                  .friction_left = INFINITY,
                                  .edge_left = INFINITY};
    if (!atemi_strike_is_in_doubt(task) || motion->count < 2) {
        return ATEMI_OK;
    }
    w.setup = *w.plan.setup;
    w.setup.task.edge_margin = 0.0;
    atemi_arena         measuring = atemi_arena_measuring();
    atemi_strike_target target;
    take(&w, &measuring);
    atemi_status status = atemi_arena_create(&w.arena, measuring.used, error);
    if (status) {
        return status;
    }
    take(&w, &w.arena);
    follow_hand(&w);
    status = atemi_strike_target_find(task, atemi_strike_plan_q(plan), 0.0, &target, error);
    w.place = target.place;
    status = status ? status : run(&w, error);
    atemi_arena_destroy(&w.arena);
    return status;
}
