// SPDX-License-Identifier: Apache-2.0

#include "simulate/advance.h"

#include "atemi/configuration.h"
#include "simulate/adaptive.h"
#include "simulate/conditions.h"
#include "simulate/damping.h"
#include "simulate/events.h"
#include "simulate/foresight.h"

#include <math.h>
#include <string.h>

// Between events the state obeys  dq/dt = rate(q, v),  dv/dt = a(t, q, v), the modes being fixed,
// and is advanced by the classical Runge-Kutta method of fourth order. A step at whose end a
// condition of the modes is broken is taken again, to the instant at which it breaks: between an
// end where all conditions hold and one where some are broken, the zeros of the broken ones are
// interpolated (regula falsi, Illinois), and the earliest is tried.

static const double event_accuracy = 1e-12; // s

// Beyond this, in m/s and rad/s, numbers mean nothing any more.
static const double fastest = 1e6;

// ARKODE takes no step that is shorter, in s.
static const double shortest = 1e-8;

// The Runge-Kutta method follows what is damped in more than 1 / 2.78 of a step.
static const double most_damped = 2.5;

enum { MOST_TRIALS = 100, MOST_EVENTS_AT_ONCE = 400, STEPS_BETWEEN_LOOKS = 64 };

// ---- One step -------------------------------------------------------------------------------

static void save_start(atemi_simulation *s)
{
    const size_t nq = (size_t)atemi_model_q_count(s->model) * sizeof *s->q;
    const size_t nv = (size_t)atemi_model_v_count(s->model) * sizeof *s->v;
    s->start_time = s->time;
    memcpy(s->start_q, s->q, nq);
    memcpy(s->start_v, s->v, nv);
    memcpy(s->start_a, s->a, nv);
    memcpy(s->start_sightings, s->sightings, (size_t)s->point_count * sizeof *s->sightings);
    atemi_conditions_measure(s, s->whole);
}

// base + h rate
static void move(int n, const double *base, double h, const double *rate, double *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = base[i] + h * rate[i];
    }
}

static void combine(int n, const double *base, double h, double *const k[4], double *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = base[i] + h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    }
}

// From the start of the step to h after it, and what holds there, into the margins.
static atemi_status step_to(atemi_simulation *s, double h)
{
    const int nq = atemi_model_q_count(s->model), nv = atemi_model_v_count(s->model);
    atemi_configuration_rate(s->model, s->start_q, s->start_v, s->rates[0]);
    memcpy(s->pushes[0], s->start_a, (size_t)nv * sizeof *s->a);
    for (int k = 1; k < 4; ++k) {
        const double part = k == 3 ? h : 0.5 * h;
        move(nq, s->start_q, part, s->rates[k - 1], s->stage_q);
        move(nv, s->start_v, part, s->pushes[k - 1], s->stage_v);
        atemi_configuration_rate(s->model, s->stage_q, s->stage_v, s->rates[k]);
        if (atemi_world_evaluate(s, s->start_time + part, s->stage_q, s->stage_v, s->pushes[k])) {
            return ATEMI_ERROR_SINGULAR;
        }
    }
    combine(nq, s->start_q, h, s->rates, s->q);
    combine(nv, s->start_v, h, s->pushes, s->v);
    atemi_configuration_normalize(s->model, s->q);
    s->time = s->start_time + h;
    const atemi_status status = atemi_world_evaluate(s, s->time, s->q, s->v, s->a);
    if (!status) {
        atemi_conditions_measure(s, s->margins);
    }
    return status;
}

static bool is_broken(const atemi_simulation *s, const double *margins)
{
    return atemi_conditions_broken(s, margins).kind != ATEMI_CONDITION_NONE;
}

// ---- Location -------------------------------------------------------------------------------

// The part of the bracket of an event where it is to be sought: after `low`, where all conditions
// hold, and not after `high`, where some are broken or no step is possible.
typedef struct bracket {
    double low, high;
    double low_weight, high_weight; ///< of the margins, halved while the other end stays
    bool   measured;                ///< whether the margins of the high end are known
} bracket;

// The earliest of the interpolated zeros.
static double interpolate(const atemi_simulation *s, const bracket *b)
{
    double earliest = 1.0;
    for (int c = 0; c < atemi_conditions_count(s); ++c) {
        if (s->broken[c] < 0.0 && s->whole[c] > 0.0) {
            const double low = b->low_weight * s->whole[c], high = b->high_weight * s->broken[c];
            earliest = fmin(earliest, low / (low - high));
        }
    }
    return b->low + earliest * (b->high - b->low);
}

static double next_trial(const atemi_simulation *s, const bracket *b, int trial)
{
    const double width = b->high - b->low, edge = fmin(0.5 * event_accuracy, 0.25 * width);
    const bool   halve = !b->measured || trial % 4 == 3; // never slower than that
    const double middle = b->low + 0.5 * width;
    return fmin(fmax(halve ? middle : interpolate(s, b), b->low + edge), b->high - edge);
}

static void swap(double **a, double **b)
{
    double *const kept = *a;
    *a = *b;
    *b = kept;
}

static void narrow(atemi_simulation *s, bracket *b, double trial)
{
    const bool failed = step_to(s, trial) != ATEMI_OK;
    if (failed || is_broken(s, s->margins)) {
        b->high = trial;
        b->measured = !failed;
        b->low_weight *= b->high_weight == 1.0 && b->low_weight <= 1.0 ? 0.5 : 1.0;
        b->high_weight = 1.0;
        swap(&s->broken, &s->margins);
    } else {
        b->low = trial;
        b->high_weight *= b->low_weight == 1.0 && b->high_weight <= 1.0 ? 0.5 : 1.0;
        b->low_weight = 1.0;
        swap(&s->whole, &s->margins);
    }
}

// Shortens the step, which was broken after `h`, until its end is where the first condition breaks;
// or, where no step is possible beyond (ATEMI_ERROR_SINGULAR), just before that.
static atemi_status locate(atemi_simulation *s, double h, bool measured)
{
    bracket b = {.high = h, .low_weight = 1.0, .high_weight = 1.0, .measured = measured};
    swap(&s->broken, &s->margins);
    for (int i = 0; i < MOST_TRIALS && b.high - b.low > event_accuracy; ++i) {
        narrow(s, &b, next_trial(s, &b, i));
    }
    if (b.measured && !step_to(s, b.high)) {
        return ATEMI_OK;
    }
    step_to(s, b.low);
    return ATEMI_ERROR_SINGULAR;
}

// ---- Dips -----------------------------------------------------------------------------------

static double gap_rate(const atemi_sighting *seen)
{
    return atemi_vec3_dot(seen->carrier, seen->view.normal);
}

// When an open point that came nearer and went away again within the step may have been inside: the
// time from the start at which it was nearest, or 0.
static double dip(const atemi_simulation *s, int point, double h)
{
    const atemi_sighting *was = &s->start_sightings[point], *is = &s->sightings[point];
    const double          down = gap_rate(was), up = gap_rate(is);
    const bool            free = s->modes[point] == ATEMI_CONTACT_OPEN && !s->leaving[point];
    if (!free || down >= 0.0 || up <= 0.0 || s->points[point].compliance) {
        return 0.0;
    }
    // The gap stays above where the tangents at both ends meet.
    const double meets = (is->view.gap - was->view.gap - up * h) / (down - up);
    return was->view.gap + down * meets < 0.0 ? h * down / (down - up) : 0.0;
}

// When the first of the points that may have dipped into their surfaces was nearest; h if none.
static double first_dip(const atemi_simulation *s, double h)
{
    double earliest = h;
    for (int i = 0; i < s->point_count; ++i) {
        const double when = dip(s, i, h);
        earliest = when > 0.0 ? fmin(earliest, when) : earliest;
    }
    return earliest;
}

// Looks whether a point dipped into its surface within the step; then the state becomes that of the
// dip. Returns the time from the start, or h.
static double find_dip(atemi_simulation *s, double h)
{
    const double earliest = first_dip(s, h);
    if (earliest == h || step_to(s, earliest) != ATEMI_OK || is_broken(s, s->margins)) {
        return earliest;
    }
    step_to(s, h);
    return h;
}

// ---- Advancing ------------------------------------------------------------------------------

static void keep_books(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (!s->points[i].compliance) {
            s->statistics.deepest = fmax(s->statistics.deepest, -s->sightings[i].view.gap);
        }
    }
    ++s->statistics.steps;
}

static atemi_status finish_step(atemi_simulation *s)
{
    s->restless = 0;
    atemi_events_follow(s);
    return atemi_world_project(s) ? atemi_world_evaluate(s, s->time, s->q, s->v, s->a) : ATEMI_OK;
}

// One step of the Runge-Kutta method, cut at an event.
static atemi_status fixed_step(atemi_simulation *s, double h, bool *event)
{
    atemi_status status = step_to(s, h);
    *event = status || is_broken(s, s->margins);
    if (!*event) {
        const double end = find_dip(s, h);
        *event = end < h;
        h = end;
    }
    return *event ? locate(s, h, status == ATEMI_OK) : ATEMI_OK;
}

// The longest step that damping allows.
static double damped_step(atemi_simulation *s, double h)
{
    if (s->statistics.steps % STEPS_BETWEEN_LOOKS == 0) {
        s->damping = atemi_damping_rate(s);
    }
    return s->damping * h > most_damped ? most_damped / s->damping : h;
}

static void return_to_start(atemi_simulation *s)
{
    s->time = s->start_time;
    memcpy(s->q, s->start_q, (size_t)atemi_model_q_count(s->model) * sizeof *s->q);
    memcpy(s->v, s->start_v, (size_t)atemi_model_v_count(s->model) * sizeof *s->v);
}

// One step of the adaptive integrator, which looks for events at the ends of its steps only: one
// after which a point may have dipped is taken again to where it was nearest.
static atemi_status adaptive_step(atemi_simulation *s, double h, bool *event)
{
    const atemi_status status = atemi_adaptive_step(s, h, event);
    const double       taken = s->time - s->start_time;
    const double       earliest = status || *event ? taken : first_dip(s, taken);
    if (earliest == taken || earliest < shortest) {
        return status;
    }
    return_to_start(s);
    return atemi_adaptive_step(s, earliest, event);
}

static atemi_status step(atemi_simulation *s, double h, int *at_once)
{
    h = s->adaptive ? h : damped_step(s, h);
    const double stride = atemi_foresight_stride(s, h);
    atemi_status status;
    bool         event;
    if (stride < h && atemi_foresight_stops(s) &&
        atemi_events_jump(s, fmin(h, s->options.step / 16.0), &status)) {
        return status;
    }
    save_start(s);
    // Where points turn as they slide, motion is not smooth enough for error control.
    const bool adapts = s->adaptive && stride == h && h > shortest;
    status = adapts ? adaptive_step(s, h, &event) : fixed_step(s, stride, &event);
    if (!event && !status) {
        *at_once = 0;
        return finish_step(s);
    }
    *at_once = s->time - s->start_time < 1e-10 ? *at_once + 1 : 0;
    return status ? atemi_events_jam(s) : atemi_events_handle(s);
}

static bool is_bounded(const atemi_simulation *s)
{
    bool bounded = true;
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        bounded = bounded && fabs(s->v[i]) < fastest;
    }
    return bounded;
}

atemi_status atemi_advance(atemi_simulation *s, double h, int *at_once, atemi_error *error)
{
    const atemi_status status = step(s, h, at_once);
    keep_books(s);
    if (!is_bounded(s)) {
        return atemi_fail(
            error, ATEMI_ERROR_SINGULAR,
            "at t = %.9g s the motion is beyond all bounds: are the torques those of a "
            "stable controller, and is the step, %g s, short enough for it?",
            s->time, s->options.step);
    }
    if (status) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "at t = %.9g s the contacts jam or contradict each other", s->time);
    }
    if (*at_once > MOST_EVENTS_AT_ONCE) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "at t = %.9g s the contacts change without end", s->time);
    }
    return ATEMI_OK;
}
