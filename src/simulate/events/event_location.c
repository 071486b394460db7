// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/event_location.h"

#include "atemi/model.h"
#include "simulate/events/conditions.h"
#include "simulate/events/runge_kutta.h"

#include <math.h>
#include <string.h>

// A step at whose end a condition of the modes is broken is taken again, to the instant at which it
// breaks: between an end where all conditions hold and one where some are broken, the zeros of the
// broken ones are interpolated, and the earliest is tried.
//
// At first nothing is integrated again: with x the time from the start over h, k = h dy/dt at both
// ends, the state within the step is
//
//   y(x) = y_0 + x k_0 + x^2 (3 d - 2 k_0 - k_1) + x^3 (k_0 + k_1 - 2 d),   d = y_1 - y_0
//
// to fourth order (Hermite), and a trial is one evaluation. What is found so is corrected by steps,
// as a rule two, with the slopes that the conditions have there (Newton).
//
// Where friction changes its direction at once within the step, its end depends on its length with
// a leap; the state before the leap is the one to go on from, and what is broken after it is what
// happens. There, and where corrections do not end, all trials are steps.

static const double event_accuracy = 1e-12; // s
static const double glance_accuracy = 1e-8; // s: what the interpolation is good for
static const double leap = 1e-10;           // m: farther than points get in the time of an event

// A distance of such a part of a step, to where contacts jam, is not halved any more.
static const double last_part = 1.0 / 64.0;

enum { MOST_TRIALS = 100, MOST_CORRECTIONS = 4 };

atemi_status atemi_event_location_step(atemi_step *step, atemi_simulation_contacts *set,
                                       atemi_state *state, double h)
{
    const atemi_status status = atemi_runge_kutta_step(step, set, state, h);
    if (!status) {
        atemi_conditions_measure(set, step->margins);
    }
    return status;
}

// ---- Bracketing -----------------------------------------------------------------------------

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
static double interpolate(const atemi_step *step, int count, const bracket *b)
{
    double earliest = b->high;
    for (int c = 0; c < count; ++c) {
        if (step->broken[c] < 0.0) {
            earliest =
                fmin(earliest, zero_of(b, step->whole[c], step->broken[c], step->margins[c]));
        }
    }
    return earliest;
}

static double next_trial(const atemi_step *step, int count, const bracket *b, double accuracy)
{
    const double width = b->high - b->low, edge = fmin(0.5 * accuracy, 0.25 * width);
    const double trial = b->measured ? interpolate(step, count, b) : b->low + 0.5 * width;
    return fmin(fmax(trial, b->low + edge), b->high - edge);
}

static void swap(double **a, double **b)
{
    double *const kept = *a;
    *a = *b;
    *b = kept;
}

// Finds the state of an instant of the step, and its margins.
typedef atemi_status trial_of_step(atemi_step *step, atemi_simulation_contacts *set,
                                   atemi_state *state, double time);

static void narrow(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                   trial_of_step *look, double trial, bracket *b)
{
    const bool failed = look(step, set, state, trial) != ATEMI_OK;
    b->rose = !failed && !atemi_conditions_any_broken(set, step->margins);
    b->remembered = b->rose || b->measured;
    b->old = b->rose ? b->low : b->high;
    if (b->rose) {
        b->low = trial;
        swap(&step->whole, &step->margins);
    } else {
        b->high = trial;
        b->measured = !failed;
        swap(&step->broken, &step->margins);
    }
}

static void seek(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                 trial_of_step *look, double accuracy, bracket *b)
{
    const int count = atemi_conditions_count(set);
    for (int i = 0; i < MOST_TRIALS && b->high - b->low > accuracy; ++i) {
        narrow(step, set, state, look, next_trial(step, count, b, accuracy), b);
    }
}

// ---- Glancing -------------------------------------------------------------------------------

static void keep_end(atemi_step *step, const atemi_simulation_contacts *set,
                     const atemi_state *state)
{
    const atemi_model *model = step->evaluation.model;
    const size_t       size = (size_t)atemi_conditions_count(set) * sizeof *step->whole;
    atemi_state_copy(model, state, &step->end);
    atemi_configuration_rate(model, step->start.q, step->start.v, step->start_rate);
    atemi_configuration_rate(model, state->q, state->v, step->end_rate);
    memcpy(step->kept_whole, step->whole, size);
    memcpy(step->kept_broken, step->broken, size);
}

static void put_margins_back(atemi_step *step, const atemi_simulation_contacts *set)
{
    const size_t size = (size_t)atemi_conditions_count(set) * sizeof *step->whole;
    memcpy(step->whole, step->kept_whole, size);
    memcpy(step->broken, step->kept_broken, size);
}

static void interpolate_state(int n, double x, double h, const double *from,
                              const double *from_rate, const double *to, const double *to_rate,
                              double *between)
{
    for (int i = 0; i < n; ++i) {
        const double d = to[i] - from[i], k0 = h * from_rate[i], k1 = h * to_rate[i];
        between[i] = from[i] + x * (k0 + x * (3.0 * d - 2.0 * k0 - k1 + x * (k0 + k1 - 2.0 * d)));
    }
}

static atemi_status glance(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                           double time)
{
    const atemi_state *from = &step->start, *to = &step->end;
    const atemi_model *model = step->evaluation.model;
    const double       h = to->time - from->time, x = time / h;
    (void)state; // remains that of the end
    interpolate_state(atemi_model_q_count(model), x, h, from->q, step->start_rate, to->q,
                      step->end_rate, step->stage_q);
    interpolate_state(atemi_model_v_count(model), x, h, from->v, from->a, to->v, to->a,
                      step->stage_v);
    atemi_configuration_normalize(model, step->stage_q);
    const atemi_status status =
        atemi_evaluate(&step->evaluation, set, from->time + time, step->stage_q, step->stage_v,
                       step->accelerations[3]);
    if (!status) {
        atemi_conditions_measure(set, step->margins);
    }
    return status;
}

// The earliest zero, by the margins at `time` and the slopes between the ends of the bracket; NaN
// where a condition is broken that has none.
static double corrected(const atemi_step *step, int count, const bracket *b, double time)
{
    double earliest = (double)INFINITY;
    for (int c = 0; c < count; ++c) {
        const double slope = (step->broken[c] - step->whole[c]) / (b->high - b->low);
        if (step->broken[c] < 0.0) {
            earliest = fmin(earliest, time - step->margins[c] / slope);
        } else if (!(step->margins[c] >= 0.0)) {
            return (double)NAN;
        }
    }
    return earliest;
}

// Whether the step leaps past the event: a point is deep inside its surface at the broken end, or a
// joint beyond its stop.
static bool leaps(const atemi_simulation_contacts *set, const double *broken)
{
    for (int i = 0; i < set->point_count; ++i) {
        if (set->modes[i] == ATEMI_CONTACT_OPEN && !set->points[i].compliance &&
            broken[i] < -leap) {
            return true;
        }
    }
    for (int c = atemi_conditions_count(set) - 3 * set->joints.count;
         c < atemi_conditions_count(set); ++c) {
        if (broken[c] < -leap && atemi_conditions_is_stop(set, c)) {
            return true;
        }
    }
    return false;
}

// Corrects what glances have found. Whether the state is that of the event then.
static bool is_corrected(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                         double h, const bracket *b)
{
    const int count = atemi_conditions_count(set);
    double    time = interpolate(step, count, b);
    for (int i = 0; i < MOST_CORRECTIONS && time > 0.0 && time < h; ++i) {
        if (atemi_event_location_step(step, set, state, time)) {
            return false;
        }
        const double zero = corrected(step, count, b, time);
        if (zero <= time && time - zero <= event_accuracy) {
            return atemi_conditions_any_broken(set, step->margins) && !leaps(set, step->margins);
        }
        time = zero + 0.5 * event_accuracy;
    }
    return false;
}

// Whether the event is found without trial steps.
static bool is_seen(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state, double h)
{
    bracket b = {.high = h, .measured = true};
    keep_end(step, set, state);
    seek(step, set, state, glance, glance_accuracy, &b);
    if (b.measured && is_corrected(step, set, state, h, &b)) {
        return true;
    }
    put_margins_back(step, set);
    return false;
}

// ---- Location -------------------------------------------------------------------------------

// Whether a condition that is broken at the end of the step was so at its start.
static bool begins_broken(const atemi_step *step, int count)
{
    for (int c = 0; c < count; ++c) {
        if (step->broken[c] < 0.0 && step->whole[c] < 0.0) {
            return true;
        }
    }
    return false;
}

// Towards where contacts jam forces grow without bounds, and no step can follow them: the time
// until then is halved, and the last of it is left to an impulse, from its start
// (ATEMI_ERROR_SINGULAR).
static atemi_status retreat(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                            double left, bool *event)
{
    *event = left <= last_part * step->evaluation.options->step;
    if (!*event) {
        return atemi_event_location_step(step, set, state, 0.5 * left);
    }
    atemi_step_restart(step, set, state);
    return ATEMI_ERROR_SINGULAR;
}

atemi_status atemi_event_location_find(atemi_step *step, atemi_simulation_contacts *set,
                                       atemi_state *state, double h, bool measured, bool *event)
{
    bracket b = {.high = h, .measured = measured};
    swap(&step->broken, &step->margins);
    if (measured && begins_broken(step, atemi_conditions_count(set))) {
        return atemi_event_location_step(step, set, state, 0.0);
    }
    if (measured && is_seen(step, set, state, h)) {
        return ATEMI_OK;
    }
    seek(step, set, state, atemi_event_location_step, event_accuracy, &b);
    if (!b.measured) {
        return retreat(step, set, state, b.low, event);
    }
    atemi_event_location_step(step, set, state, leaps(set, step->broken) ? b.low : b.high);
    swap(&step->broken, &step->margins);
    return ATEMI_OK;
}
