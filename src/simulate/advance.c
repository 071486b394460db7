// SPDX-License-Identifier: Apache-2.0

#include "simulate/advance.h"

#include "simulate/adaptive.h"
#include "simulate/conditions.h"
#include "simulate/damping.h"
#include "simulate/events.h"
#include "simulate/foresight.h"
#include "simulate/runge_kutta.h"

#include <math.h>
#include <string.h>

// A step at whose end a condition of the modes is broken is taken again, to the instant at which it
// breaks: between an end where all conditions hold and one where some are broken, the zeros of the
// broken ones are interpolated, and the earliest is tried. Where friction turns at once within the
// step, its end depends on its length with a leap; the state before the leap is the one to go on
// from, and what is broken after it is what happens.

static const double event_accuracy = 1e-12; // s
static const double leap = 1e-10;           // m: farther than points get in that time

// Beyond this, in m/s and rad/s, numbers mean nothing any more.
static const double fastest = 1e6;

// ARKODE takes no step that is shorter, in s.
static const double shortest = 1e-8;

// A way of such a part of a step, to where contacts jam, is not halved any more.
static const double last_way = 1.0 / 64.0;

// The Runge-Kutta method follows what is damped in more than 1 / 2.78 of a step.
static const double most_damped = 2.5;

// And it keeps the energy of a tumbling body to about 1e-11 of itself a step where that turns by no
// more, in rad.
static const double most_turned = 0.025;

enum { MOST_TRIALS = 100, MOST_EVENTS_AT_ONCE = 400, STEPS_BETWEEN_LOOKS = 64 };

// ---- One step -------------------------------------------------------------------------------

static void begin_step(atemi_simulation *s)
{
    atemi_runge_kutta_begin(s);
    memcpy(s->start_sightings, s->sightings, (size_t)s->point_count * sizeof *s->sightings);
    atemi_conditions_measure(s, s->whole);
}

// From the start of the step to h after it, and what holds there, into the margins.
static atemi_status step_to(atemi_simulation *s, double h)
{
    const atemi_status status = atemi_runge_kutta_step(s, h);
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

// The part of the step in which an event is to be sought: after `low`, where all conditions hold,
// and not after `high`, where some are broken or no step is possible.
typedef struct bracket {
    double low, high, old; ///< old: the end that was replaced last, whose margins are in `margins`
    bool   measured;       ///< whether the margins of the high end are known
    bool   remembered;     ///< and those of the old one
    bool   rose;           ///< the low end is the newer one
} bracket;

// Where a condition's margin is zero: by inverse quadratic interpolation, if it can be trusted
// (Chandrupatla's test), otherwise in the middle; at first, by a straight line. With a the newer
// end of the bracket, b the other one and o the old one.
static double zero_of(const bracket *x, double at_low, double at_high, double at_old)
{
    const double a = x->rose ? x->low : x->high, b = x->rose ? x->high : x->low;
    const double fa = x->rose ? at_low : at_high, fb = x->rose ? at_high : at_low, fo = at_old;
    if (at_low == 0.0) {
        return x->low;
    }
    if (!x->remembered) {
        return a + fa / (fa - fb) * (b - a);
    }
    const double across = (a - b) / (x->old - b), rise = (fa - fb) / (fo - fb);
    if (rise * rise >= across || (1.0 - rise) * (1.0 - rise) >= 1.0 - across) {
        return a + 0.5 * (b - a);
    }
    return a + fa / (fb - fa) * fo / (fb - fo) * (b - a) +
           fa / (fo - fa) * fb / (fo - fb) * (x->old - a);
}

// The earliest of the interpolated zeros.
static double interpolate(const atemi_simulation *s, const bracket *b)
{
    double earliest = b->high;
    for (int c = 0; c < atemi_conditions_count(s); ++c) {
        if (s->broken[c] < 0.0) {
            earliest = fmin(earliest, zero_of(b, s->whole[c], s->broken[c], s->margins[c]));
        }
    }
    return earliest;
}

static double next_trial(const atemi_simulation *s, const bracket *b)
{
    const double width = b->high - b->low, edge = fmin(0.5 * event_accuracy, 0.25 * width);
    const double trial = b->measured ? interpolate(s, b) : b->low + 0.5 * width;
    return fmin(fmax(trial, b->low + edge), b->high - edge);
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
    b->rose = !failed && !is_broken(s, s->margins);
    b->remembered = b->rose || b->measured;
    b->old = b->rose ? b->low : b->high;
    if (b->rose) {
        b->low = trial;
        swap(&s->whole, &s->margins);
    } else {
        b->high = trial;
        b->measured = !failed;
        swap(&s->broken, &s->margins);
    }
}

// Whether a condition that is broken at the end of the step was so at its start.
static bool begins_broken(const atemi_simulation *s)
{
    for (int c = 0; c < atemi_conditions_count(s); ++c) {
        if (s->broken[c] < 0.0 && s->whole[c] < 0.0) {
            return true;
        }
    }
    return false;
}

// Whether the step leaps past the event: a point is deep inside its surface at the broken end.
static bool leaps(const atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_OPEN && !s->points[i].compliance && s->broken[i] < -leap) {
            return true;
        }
    }
    return false;
}

// Towards where contacts jam forces grow without bounds, and no step can follow them: the way there
// is halved, and the last of it is left to a blow, from its start (ATEMI_ERROR_SINGULAR).
static atemi_status retreat(atemi_simulation *s, double way, bool *event)
{
    *event = way <= last_way * s->options.step;
    if (!*event) {
        return step_to(s, 0.5 * way);
    }
    atemi_runge_kutta_undo(s);
    atemi_world_evaluate(s, s->time, s->q, s->v, s->a);
    return ATEMI_ERROR_SINGULAR;
}

// Shortens the step, which was broken after `h`, until its end is where the first condition breaks,
// or just before that, where it leaps. Where no step is possible beyond, there may be no event yet.
static atemi_status locate(atemi_simulation *s, double h, bool measured, bool *event)
{
    bracket b = {.high = h, .measured = measured};
    swap(&s->broken, &s->margins);
    if (measured && begins_broken(s)) {
        return step_to(s, 0.0);
    }
    for (int i = 0; i < MOST_TRIALS && b.high - b.low > event_accuracy; ++i) {
        narrow(s, &b, next_trial(s, &b));
    }
    if (!b.measured) {
        return retreat(s, b.low, event);
    }
    step_to(s, leaps(s) ? b.low : b.high);
    swap(&s->broken, &s->margins);
    return ATEMI_OK;
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

static void finish_step(atemi_simulation *s)
{
    s->restless = 0;
    atemi_events_follow(s);
    if (atemi_world_project(s)) {
        s->settled = !atemi_world_evaluate(s, s->time, s->q, s->v, s->a);
    }
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
    return *event ? locate(s, h, status == ATEMI_OK, event) : ATEMI_OK;
}

// The longest step that damping allows.
static double damped_step(atemi_simulation *s, double h)
{
    if (s->statistics.steps % STEPS_BETWEEN_LOOKS == 0) {
        s->damping = atemi_damping_rate(s);
    }
    return s->damping * h > most_damped ? most_damped / s->damping : h;
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
    atemi_runge_kutta_undo(s);
    return atemi_adaptive_step(s, earliest, event);
}

// The longest step that turns little.
static double turning_step(const atemi_simulation *s, double h)
{
    double fastest_turn = 0.0;
    for (int link = 0; link < atemi_model_link_count(s->model); ++link) {
        const atemi_motion twist =
            atemi_link_velocity(s->model, &s->dynamics.bias.kinematics, link);
        fastest_turn = fmax(fastest_turn, atemi_vec3_norm(twist.angular));
    }
    return fastest_turn * h > most_turned ? most_turned / fastest_turn : h;
}

static atemi_status step(atemi_simulation *s, double h, int *at_once)
{
    if (!s->settled) {
        return atemi_events_jam(s);
    }
    h = s->adaptive ? h : turning_step(s, damped_step(s, h));
    const double stride = atemi_foresight_stride(s, h);
    atemi_status status;
    bool         event;
    if (stride < h && atemi_foresight_stops(s) &&
        atemi_events_jump(s, fmin(h, s->options.step / 16.0), &status)) {
        return status;
    }
    begin_step(s);
    // Where points turn as they slide, motion is not smooth enough for error control.
    const bool adapts = s->adaptive && stride == h && h > shortest;
    status = adapts ? adaptive_step(s, h, &event) : fixed_step(s, stride, &event);
    if (!event && !status) {
        *at_once = 0;
        finish_step(s);
        return ATEMI_OK;
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
