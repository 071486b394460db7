// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/advance.h"

#include "simulate/energy_watch.h"
#include "simulate/events/adaptive.h"
#include "simulate/events/conditions.h"
#include "simulate/events/event_failure.h"
#include "simulate/events/event_location.h"
#include "simulate/events/events.h"
#include "simulate/events/projection.h"
#include "simulate/events/sliding.h"
#include "simulate/events/step_limit.h"
#include "simulate/motion_check.h"

#include <math.h>
#include <string.h>

// ARKODE takes no step that is shorter, in s.
static const double shortest = 1e-8;

// What a step by extrapolation may be off by, m/s and rad/s, as two answers show it.
static const double fine_velocity = 1e-6;

enum { MOST_EVENTS_AT_ONCE = 400, MOST_CUTS = 4, MOST_ROOMS = 8 };

// ---- One step -------------------------------------------------------------------------------

// What is open has no force to begin a prediction from.
static void forget_forces(const atemi_simulation_contacts *set, atemi_mode_prediction *prediction)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (!atemi_point_is_held(set, i)) {
            prediction->forces[i] = (atemi_vec3){0.0, 0.0, 0.0};
        }
    }
}

static void begin_step(atemi_step *step, const atemi_simulation_contacts *set,
                       const atemi_state *state)
{
    atemi_state_copy(step->evaluation.model, state, &step->start);
    atemi_flows_find(&step->evaluation, set, state->v, &step->flows[0]);
    memcpy(step->start_states, set->states, (size_t)set->point_count * sizeof *set->states);
    atemi_conditions_measure(set, step->whole);
}

// ---- Dips -----------------------------------------------------------------------------------

static double gap_rate(const atemi_contact_state *seen)
{
    return atemi_vec3_dot(seen->carrier, seen->view.normal);
}

// When an open point that came nearer and went away again within the step may have been inside: the
// time from the start at which it was nearest, or 0.
static double dip(const atemi_step *step, const atemi_simulation_contacts *set, int point, double h)
{
    const atemi_contact_state *was = &step->start_states[point], *is = &set->states[point];
    const double               down = gap_rate(was), up = gap_rate(is);
    const bool free = set->modes[point] == ATEMI_CONTACT_OPEN && !set->leaving[point];
    if (!free || down >= 0.0 || up <= 0.0 || set->points[point].compliance) {
        return 0.0;
    }
    // The gap stays above where the tangents at both ends meet.
    const double meets = (is->view.gap - was->view.gap - up * h) / (down - up);
    return was->view.gap + down * meets < 0.0 ? h * down / (down - up) : 0.0;
}

// The same of a joint and one of its stops.
static double joint_dip(const atemi_step *step, const atemi_joint_modes *joints, int k, int side,
                        double h)
{
    const int    i = joints->rates[k], at = joints->bounds->coordinates[i];
    const bool   free = at != ATEMI_NONE && !joints->states[k].held && !joints->states[k].leaving;
    const double down = side * step->start.v[i], up = side * joints->v[k];
    if (!free || down >= 0.0 || up <= 0.0) {
        return 0.0;
    }
    const double is = atemi_joint_gap(joints, k, side);
    const double was = is + side * (step->start.q[at] - joints->q[k]);
    const double meets = (is - was - up * h) / (down - up);
    return was + down * meets < 0.0 ? h * down / (down - up) : 0.0;
}

// When the first of the points and joints that may have dipped was nearest; h if none.
static double first_dip(const atemi_step *step, const atemi_simulation_contacts *set, double h)
{
    double earliest = h;
    for (int k = 0; k < set->joints.count; ++k) {
        for (int side = -1; side <= 1; side += 2) {
            const double when = joint_dip(step, &set->joints, k, side, h);
            earliest = when > 0.0 ? fmin(earliest, when) : earliest;
        }
    }
    for (int i = 0; i < set->point_count; ++i) {
        const double when = dip(step, set, i, h);
        earliest = when > 0.0 ? fmin(earliest, when) : earliest;
    }
    return earliest;
}

// Looks whether a point dipped into its surface within the step; then the state becomes that of the
// dip. Returns the time from the start, or h.
static double find_dip(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                       double h)
{
    const double earliest = first_dip(step, set, h);
    if (earliest == h || atemi_event_location_step(step, set, state, earliest) != ATEMI_OK ||
        atemi_conditions_any_broken(set, step->margins)) {
        return earliest;
    }
    atemi_event_location_step(step, set, state, h);
    return h;
}

// ---- Advancing ------------------------------------------------------------------------------

static void keep_books(const atemi_simulation_contacts *set, const atemi_joint_bounds *joints,
                       const double *q, atemi_simulation_statistics *counted)
{
    counted->overrun = fmax(counted->overrun, atemi_joint_bounds_overrun(joints, q));
    for (int i = 0; i < set->point_count; ++i) {
        if (!set->points[i].compliance) {
            counted->deepest = fmax(counted->deepest, -set->states[i].view.gap);
        }
    }
    ++counted->steps;
}

static bool has_sliding_point(const atemi_simulation_contacts *set)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (set->modes[i] == ATEMI_CONTACT_SLIP) {
            return true;
        }
    }
    return false;
}

// A step by extrapolation, as long as its error is small: else shorter, until the Runge-Kutta
// method can take it. What has just been disturbed fades first.
static atemi_status damped_step(atemi_step *step, atemi_simulation_contacts *set,
                                atemi_state *state, double *h)
{
    *h = fmin(*h, step->comfortable);
    step->damped = atemi_step_limit_is_stiff(&step->evaluation, *h);
    atemi_status status = atemi_event_location_step(step, set, state, *h);
    while (step->damped && (status || !(step->error <= fine_velocity))) {
        *h *= 0.25;
        step->damped = atemi_step_limit_is_stiff(&step->evaluation, *h);
        status = atemi_event_location_step(step, set, state, *h);
    }
    const double ratio = step->damped ? fine_velocity / fmax(step->error, 1e-30) : 16.0;
    step->comfortable = fmin(4.0, 0.8 * sqrt(sqrt(ratio))) * *h;
    return status;
}

// One step of h or as long as it can follow the motion.
static atemi_status followed_step(atemi_step *step, atemi_simulation_contacts *set,
                                  atemi_state *state, double *h)
{
    step->damped = false;
    atemi_status status = atemi_step_limit_is_stiff(&step->evaluation, *h)
                              ? damped_step(step, set, state, h)
                              : atemi_event_location_step(step, set, state, *h);
    const int    cuts = has_sliding_point(set) && !step->damped ? MOST_CUTS : 0;
    for (int i = 0; i < cuts && !status && atemi_step_limit_exceeded(step, *h); ++i) {
        *h = atemi_step_limit_cut(step, *h);
        status = atemi_event_location_step(step, set, state, *h);
    }
    return status;
}

// A step that is as long as sliding seemed to allow is taken again, shorter, where it did not:
// before an event is looked for in it, as friction that turns much within a step hides that.
static atemi_status sliding_step(atemi_step *step, atemi_simulation_contacts *set,
                                 atemi_state *state, double *h)
{
    const double least = step->evaluation.options->step / 16.0;
    atemi_status status = followed_step(step, set, state, h);
    while (!status && *h > least && atemi_sliding_strayed(set, step->start_states)) {
        *h = fmax(0.25 * *h, least);
        status = followed_step(step, set, state, h);
    }
    return status;
}

// The same, cut at an event.
static atemi_status fixed_step(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                               double h, bool *event)
{
    atemi_status status = sliding_step(step, set, state, &h);
    *event = status || atemi_conditions_any_broken(set, step->margins);
    if (!*event) {
        const double end = find_dip(step, set, state, h);
        *event = end < h;
        h = end;
    }
    return *event ? atemi_event_location_find(step, set, state, h, status == ATEMI_OK, event)
                  : ATEMI_OK;
}

// One step of the adaptive integrator, which looks for events at the ends of its steps only: one
// after which a point may have dipped is taken again to where it was nearest.
static atemi_status adaptive_step(atemi_step *step, atemi_simulation_contacts *set,
                                  atemi_state *state, double h, bool *event)
{
    const atemi_status status = atemi_adaptive_step(step, set, state, h, event);
    const double       taken = state->time - step->start.time;
    const double       earliest = status || *event ? taken : first_dip(step, set, taken);
    if (earliest == taken || earliest < shortest) {
        return status;
    }
    atemi_state_copy(step->evaluation.model, &step->start, state);
    return atemi_adaptive_step(step, set, state, earliest, event);
}

// The Runge-Kutta method has projected its step already.
static void finish_step(atemi_simulation *s, bool adaptive)
{
    atemi_evaluation *e = &s->step.evaluation;
    atemi_state      *state = &s->state;
    s->restless = 0;
    atemi_events_follow(&s->set);
    if (adaptive && atemi_project(e, &s->set, state, &s->ledger)) {
        s->settled = !atemi_evaluate_observed(e, &s->set, atemi_step_now(&s->step, state), state->q,
                                              state->v, state->a);
    }
}

static void book_step(atemi_simulation *s, bool adaptive)
{
    atemi_step  *step = &s->step;
    const double h = s->state.time - step->start.time;
    if (adaptive) {
        atemi_flows_find(&step->evaluation, &s->set, s->state.v, &step->flows[1]);
        atemi_ledger_add_ends(&s->ledger, h, step->flows);
    } else {
        atemi_ledger_add_stages(&s->ledger, h, step->flows);
    }
}

// One step of h, or to the first event.
static atemi_status step_once(atemi_simulation *s, double h, bool adapts, bool *event)
{
    begin_step(&s->step, &s->set, &s->state);
    return adapts ? adaptive_step(&s->step, &s->set, &s->state, h, event)
                  : fixed_step(&s->step, &s->set, &s->state, h, event);
}

// The same with all points that may touch on the way: again, with more room about the shapes, if
// one has left its box.
static atemi_status step_among_all(atemi_simulation *s, double h, bool adapts, bool *event)
{
    atemi_step  *step = &s->step;
    atemi_status status = step_once(s, h, adapts, event);
    double       room = 1.0;
    for (int i = 0; i < MOST_ROOMS; ++i) {
        if (atemi_near_points_hold(&step->evaluation, &s->set)) {
            return status;
        }
        atemi_step_restart(step, &s->set, &s->state);
        room *= 4.0;
        atemi_near_points_find(&step->evaluation, &s->set, room);
        atemi_adaptive_forget(step->adaptive);
        status = step_once(s, h, adapts, event);
    }
    return status;
}

static atemi_status take_step(atemi_simulation *s, double h, int *at_once)
{
    atemi_step                *step = &s->step;
    atemi_simulation_contacts *set = &s->set;
    atemi_state               *state = &s->state;
    if (!s->settled) {
        return atemi_events_jam(s);
    }
    const double stable = atemi_step_limit(&step->evaluation, h);
    h = step->adaptive ? h : stable;
    const double slides = atemi_sliding_step(&step->evaluation, set, state->a, h);
    atemi_status status;
    bool         event;
    if (slides < h && atemi_sliding_stops(&step->evaluation, set) &&
        atemi_events_jump(s, fmin(stable, s->options.step / 16.0), &status)) {
        return status;
    }
    // Where points change direction as they slide, motion is not smooth enough for error control.
    const bool adapts = step->adaptive && slides == h && h > shortest;
    status = step_among_all(s, adapts ? h : fmin(slides, stable), adapts, &event);
    book_step(s, adapts);
    if (!event && !status) {
        *at_once = 0;
        finish_step(s, adapts);
        return ATEMI_OK;
    }
    *at_once = state->time - step->start.time < 1e-10 ? *at_once + 1 : 0;
    return status ? atemi_events_jam(s) : atemi_events_handle(s);
}

atemi_status atemi_advance(atemi_simulation *s, int *at_once, atemi_error *error)
{
    atemi_status status =
        atemi_step_limit_renew(&s->step.evaluation, &s->state, s->ledger.statistics.steps, error);
    if (status) {
        return status;
    }
    forget_forces(&s->set, &s->step.evaluation.prediction);
    if (atemi_near_points_find(&s->step.evaluation, &s->set, 1.0)) {
        atemi_adaptive_forget(s->step.adaptive);
    }
    status = take_step(s, atemi_step_next(&s->step, &s->state), at_once);
    keep_books(&s->set, &s->time_step.joints, s->state.q, &s->ledger.statistics);
    atemi_joint_modes_split(&s->set.joints, s->time_step.stop_torques,
                            s->time_step.friction_torques);
    if (atemi_inputs_check(&s->step.evaluation, error)) {
        return ATEMI_ERROR_SINGULAR;
    }
    if (!atemi_motion_is_bounded(&s->step.evaluation, s->state.v)) {
        return atemi_fail(
            error, ATEMI_ERROR_SINGULAR,
            "at t = %.9g s the motion is beyond all bounds: are the torques those of a "
            "stable controller, and is the step, %g s, short enough for it?",
            s->state.time, s->options.step);
    }
    if (atemi_shape_points_check_crossing(&s->set, s->model, s->state.time, error)) {
        return ATEMI_ERROR_SINGULAR;
    }
    if (atemi_shape_points_check_room(&s->set, s->state.time, error)) {
        return ATEMI_ERROR_LIMIT;
    }
    if (status) {
        return atemi_event_failure(s, "the contacts jam or contradict each other", error);
    }
    if (*at_once > MOST_EVENTS_AT_ONCE) {
        return atemi_event_failure(s, "the contacts change without end", error);
    }
    return atemi_energy_watch_look(&s->ledger, &s->step.evaluation, &s->state, error);
}
