// SPDX-License-Identifier: Apache-2.0

#include "simulate/advance.h"

#include "simulate/adaptive.h"
#include "simulate/conditions.h"
#include "simulate/energy_watch.h"
#include "simulate/events.h"
#include "simulate/foresight.h"
#include "simulate/inputs.h"
#include "simulate/ledger.h"
#include "simulate/location.h"
#include "simulate/projection.h"
#include "simulate/runge_kutta.h"
#include "simulate/step_limit.h"

#include <math.h>
#include <string.h>

// Beyond this, in m/s and rad/s, numbers mean nothing any more.
static const double fastest = 1e6;

// ARKODE takes no step that is shorter, in s.
static const double shortest = 1e-8;

enum { MOST_EVENTS_AT_ONCE = 400 };

// ---- One step -------------------------------------------------------------------------------

static void begin_step(atemi_simulation *s)
{
    atemi_runge_kutta_begin(s);
    atemi_ledger_look(s, 0, s->state.v);
    memcpy(s->step.start_states, s->set.states, (size_t)s->set.point_count * sizeof *s->set.states);
    atemi_conditions_measure(s, s->step.whole);
}

// ---- Dips -----------------------------------------------------------------------------------

static double gap_rate(const atemi_contact_state *seen)
{
    return atemi_vec3_dot(seen->carrier, seen->view.normal);
}

// When an open point that came nearer and went away again within the step may have been inside: the
// time from the start at which it was nearest, or 0.
static double dip(const atemi_simulation *s, int point, double h)
{
    const atemi_contact_state *was = &s->step.start_states[point], *is = &s->set.states[point];
    const double               down = gap_rate(was), up = gap_rate(is);
    const bool free = s->set.modes[point] == ATEMI_CONTACT_OPEN && !s->set.leaving[point];
    if (!free || down >= 0.0 || up <= 0.0 || s->set.points[point].compliance) {
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
    for (int i = 0; i < s->set.point_count; ++i) {
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
    if (earliest == h || atemi_location_step(s, earliest) != ATEMI_OK ||
        atemi_location_is_broken(s, s->step.margins)) {
        return earliest;
    }
    atemi_location_step(s, h);
    return h;
}

// ---- Advancing ------------------------------------------------------------------------------

static void keep_books(atemi_simulation *s)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        if (!s->set.points[i].compliance) {
            s->ledger.statistics.deepest =
                fmax(s->ledger.statistics.deepest, -s->set.states[i].view.gap);
        }
    }
    ++s->ledger.statistics.steps;
}

// The Runge-Kutta method has projected its step already.
static void finish_step(atemi_simulation *s, bool adaptive)
{
    s->step.restless = 0;
    atemi_events_follow(s);
    if (adaptive && atemi_world_project(s)) {
        s->step.settled =
            !atemi_world_accelerate(s, atemi_inputs_now(s), s->state.q, s->state.v, s->state.a);
    }
}

// One step of the Runge-Kutta method, cut at an event.
static atemi_status fixed_step(atemi_simulation *s, double h, bool *event)
{
    atemi_status status = atemi_location_step(s, h);
    *event = status || atemi_location_is_broken(s, s->step.margins);
    if (!*event) {
        const double end = find_dip(s, h);
        *event = end < h;
        h = end;
    }
    return *event ? atemi_location_find(s, h, status == ATEMI_OK, event) : ATEMI_OK;
}

// A step that is as long as sliding seemed to allow is taken again, shorter, where it did not.
static atemi_status sliding_step(atemi_simulation *s, double h, bool *event)
{
    const double least = s->options.step / 16.0;
    atemi_status status = fixed_step(s, h, event);
    while (!status && h > least && atemi_foresight_strayed(s)) {
        atemi_runge_kutta_undo(s);
        atemi_world_evaluate(s, s->state.time, s->state.q, s->state.v, s->state.a);
        begin_step(s);
        h = fmax(0.25 * h, least);
        status = fixed_step(s, h, event);
    }
    return status;
}

// One step of the adaptive integrator, which looks for events at the ends of its steps only: one
// after which a point may have dipped is taken again to where it was nearest.
static atemi_status adaptive_step(atemi_simulation *s, double h, bool *event)
{
    const atemi_status status = atemi_adaptive_step(s, h, event);
    const double       taken = s->state.time - s->step.start.time;
    const double       earliest = status || *event ? taken : first_dip(s, taken);
    if (earliest == taken || earliest < shortest) {
        return status;
    }
    atemi_runge_kutta_undo(s);
    return atemi_adaptive_step(s, earliest, event);
}

static atemi_status step(atemi_simulation *s, double h, int *at_once)
{
    if (!s->step.settled) {
        return atemi_events_jam(s);
    }
    const double stable = atemi_step_limit(s, h);
    h = s->step.adaptive ? h : stable;
    const double stride = atemi_foresight_stride(s, h);
    atemi_status status;
    bool         event;
    if (stride < h && atemi_foresight_stops(s) &&
        atemi_events_jump(s, fmin(stable, s->options.step / 16.0), &status)) {
        return status;
    }
    begin_step(s);
    // Where points turn as they slide, motion is not smooth enough for error control.
    const bool adapts = s->step.adaptive && stride == h && h > shortest;
    status = adapts ? adaptive_step(s, h, &event) : sliding_step(s, fmin(stride, stable), &event);
    if (adapts) {
        atemi_ledger_keep_ends(s);
    } else {
        atemi_ledger_keep_stages(s);
    }
    if (!event && !status) {
        *at_once = 0;
        finish_step(s, adapts);
        return ATEMI_OK;
    }
    *at_once = s->state.time - s->step.start.time < 1e-10 ? *at_once + 1 : 0;
    return status ? atemi_events_jam(s) : atemi_events_handle(s);
}

static bool is_bounded(const atemi_simulation *s)
{
    bool bounded = true;
    for (int i = 0; i < atemi_model_v_count(s->model); ++i) {
        bounded = bounded && fabs(s->state.v[i]) < fastest;
    }
    return bounded;
}

// No sliver is left for a last step.
static double next_step(const atemi_simulation *s)
{
    const double left = s->step.limit - s->state.time, step = s->options.step;
    return left < 1.0000001 * step ? left : step;
}

atemi_status atemi_advance(atemi_simulation *s, int *at_once, atemi_error *error)
{
    atemi_status status = atemi_step_limit_renew(s, error);
    if (status) {
        return status;
    }
    status = step(s, next_step(s), at_once);
    keep_books(s);
    if (!is_bounded(s)) {
        return atemi_fail(
            error, ATEMI_ERROR_SINGULAR,
            "at t = %.9g s the motion is beyond all bounds: are the torques those of a "
            "stable controller, and is the step, %g s, short enough for it?",
            s->state.time, s->options.step);
    }
    if (status) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "at t = %.9g s the contacts jam or contradict each other", s->state.time);
    }
    if (*at_once > MOST_EVENTS_AT_ONCE) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "at t = %.9g s the contacts change without end", s->state.time);
    }
    return atemi_energy_watch_look(s, error);
}
