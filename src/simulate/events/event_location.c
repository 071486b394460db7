// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/event_location.h"

#include "atemi/model.h"
#include "simulate/events/conditions.h"
#include "simulate/events/extrapolation.h"
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
// to fourth order (Hermite). A trial is one evaluation, or, where no condition on forces is broken,
// kinematics alone. A step to the zero that is found so, t, shows how far off that is: with m the
// margin there and m' its slope, the event is at t - m / m'. Where that is as near as 1e-8 s, the
// rates take the state there, and are evaluated again. Where it is not, a step is taken to the
// corrected time, or, where that does not converge, all this is done again with t in place of h.
//
// Where friction changes its direction at once within the step, its end depends on its length with
// a leap; the state before the leap is the one to go on from, and what is broken after it is what
// happens. There, and where corrections do not end, all trials are steps.

static const double event_accuracy = 1e-12; // s
static const double glance_accuracy = 1e-8; // s: what the interpolation is good for
static const double leap_accuracy = 1e-8;   // s: of an instant at which margins leap
static const double steep = 0.1;  // of a bracket: margins that fall as far in this part of it leap
static const double near = 1e-8;  // s: how far the rates take a state, (1e-8)^2 / 2 of a jerk off
static const double leap = 1e-10; // m: farther than points get in the time of an event

// A distance of such a part of a step, to where contacts jam, is not halved any more.
static const double last_part = 1.0 / 64.0;

enum { MOST_TRIALS = 100, MOST_GLANCES = 8, MOST_CORRECTIONS = 10, MOST_SHIFTS = 5 };

// A correction that is not so much smaller than the one before shows that slopes are wrong.
static const double converging = 0.25;

// Glances anew are worth their while where the step has become shorter by this.
static const double shorter = 0.1;

atemi_status atemi_event_location_step(atemi_step *step, atemi_simulation_contacts *set,
                                       atemi_state *state, double h)
{
    const atemi_status status =
        (step->damped ? atemi_extrapolation_step : atemi_runge_kutta_step)(step, set, state, h);
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
    bool   leapt;          ///< margins leap within it
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

// How far the broken margins fall within a bracket, together.
static double fall_of(const atemi_step *step, int count)
{
    double fall = 0.0;
    for (int c = 0; c < count; ++c) {
        fall += step->broken[c] < 0.0 ? step->whole[c] - step->broken[c] : 0.0;
    }
    return fall;
}

static void seek(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                 trial_of_step *look, double accuracy, bracket *b)
{
    const int count = atemi_conditions_count(set);
    double    width = b->high - b->low, fall = fall_of(step, count);
    for (int i = 0; i < MOST_TRIALS && b->high - b->low > accuracy; ++i) {
        const double now = b->high - b->low;
        if (b->measured && now < steep * width) {
            b->leapt = now < leap_accuracy && fall_of(step, count) > 0.5 * fall;
            width = now;
            fall = fall_of(step, count);
        }
        if (b->leapt) {
            return;
        }
        narrow(step, set, state, look, next_trial(step, count, b, accuracy), b);
    }
}

// ---- Glancing -------------------------------------------------------------------------------

static void keep_end(atemi_step *step, const atemi_state *state)
{
    const atemi_model *model = step->evaluation.model;
    atemi_state_copy(model, state, &step->end);
    atemi_configuration_rate(model, step->start.q, step->start.v, step->start_rate);
    atemi_configuration_rate(model, state->q, state->v, step->end_rate);
}

static void keep_margins(atemi_step *step, const atemi_simulation_contacts *set)
{
    const size_t size = (size_t)atemi_conditions_count(set) * sizeof *step->whole;
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

// The state within the step, into the room of a stage.
static void interpolate_at(atemi_step *step, double time)
{
    const atemi_state *from = &step->start, *to = &step->end;
    const atemi_model *model = step->evaluation.model;
    const double       h = to->time - from->time, x = time / h;
    interpolate_state(atemi_model_q_count(model), x, h, from->q, step->start_rate, to->q,
                      step->end_rate, step->stage_q);
    interpolate_state(atemi_model_v_count(model), x, h, from->v, from->a, to->v, to->a,
                      step->stage_v);
    atemi_configuration_normalize(model, step->stage_q);
}

static atemi_status glance(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                           double time)
{
    (void)state; // remains that of the end
    interpolate_at(step, time);
    const atemi_status status =
        atemi_evaluate(&step->evaluation, set, step->start.time + time, step->stage_q,
                       step->stage_v, step->accelerations[3]);
    if (!status) {
        atemi_conditions_measure(set, step->margins);
    }
    return status;
}

// The same with the forces of before: for conditions on places and velocities.
static atemi_status glance_at_motion(atemi_step *step, atemi_simulation_contacts *set,
                                     atemi_state *state, double time)
{
    (void)state;
    interpolate_at(step, time);
    atemi_observe(&step->evaluation, set, step->stage_q, step->stage_v);
    atemi_conditions_measure(set, step->margins);
    return ATEMI_OK;
}

static bool any_force_is_broken(const atemi_step *step, const atemi_simulation_contacts *set)
{
    for (int c = 0; c < atemi_conditions_count(set); ++c) {
        if (step->broken[c] < 0.0 && atemi_conditions_is_force(set, c)) {
            return true;
        }
    }
    return false;
}

// The earliest zero, by glances until one changes little. Then the margins of both ends of the
// bracket are those of glances.
static double glance_at_zero(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                             bracket *b)
{
    const int            count = atemi_conditions_count(set);
    trial_of_step *const look = any_force_is_broken(step, set) ? glance : glance_at_motion;
    double               zero = next_trial(step, count, b, glance_accuracy);
    for (int i = 0; i < MOST_GLANCES && b->high - b->low > glance_accuracy; ++i) {
        const double before = zero;
        narrow(step, set, state, look, zero, b);
        zero = next_trial(step, count, b, glance_accuracy);
        if (fabs(zero - before) < glance_accuracy) {
            break;
        }
    }
    return zero;
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

// Moves the state by a time that is next to nothing, and evaluates it there.
static atemi_status shift(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                          double by)
{
    const atemi_model *model = step->evaluation.model;
    atemi_configuration_integrate(model, state->q, state->v, by, state->q);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        state->v[i] += by * state->a[i];
    }
    state->time += by;
    const atemi_status status = atemi_evaluate_state(&step->evaluation, set, state);
    if (!status) {
        atemi_conditions_measure(set, step->margins);
    }
    return status;
}

// Shifts what is next to an event onto it. Whether the state is that of the event then.
static bool is_met(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                   double time, const bracket *b)
{
    const int count = atemi_conditions_count(set);
    for (int i = 0; i < MOST_SHIFTS; ++i) {
        const double zero = corrected(step, count, b, time);
        if (zero <= time && time - zero <= event_accuracy) {
            return atemi_conditions_any_broken(set, step->margins) && !leaps(set, step->margins);
        }
        const double by = zero + 0.5 * event_accuracy - time;
        if (!(fabs(by) <= near) || shift(step, set, state, by)) {
            return false;
        }
        time += by;
    }
    return false;
}

// A step that was taken narrows the bracket of steps.
static void note(atemi_step *step, const atemi_simulation_contacts *set, const atemi_state *state,
                 double time, bracket *steps)
{
    const size_t size = (size_t)atemi_conditions_count(set) * sizeof *step->margins;
    const bool   broken = atemi_conditions_any_broken(set, step->margins);
    memcpy(broken ? step->kept_broken : step->kept_whole, step->margins, size);
    if (broken) {
        steps->high = time;
        keep_end(step, state);
    } else {
        steps->low = time;
    }
}

// Glances and steps in turn. Whether the event is found; otherwise the bracket of the steps, and
// its margins, are as narrow as they have become.
static bool is_seen(atemi_step *step, atemi_simulation_contacts *set, atemi_state *state,
                    bracket *steps)
{
    const int count = atemi_conditions_count(set);
    bracket   b = *steps;
    double    last = (double)INFINITY, glanced = steps->high;
    keep_margins(step, set);
    keep_end(step, state);
    double time = glance_at_zero(step, set, state, &b);
    for (int i = 0; i < MOST_CORRECTIONS && b.measured; ++i) {
        if (!(time > steps->low && time < steps->high) ||
            atemi_event_location_step(step, set, state, time)) {
            break;
        }
        const double zero = corrected(step, count, &b, time), off = fabs(zero - time);
        note(step, set, state, time, steps);
        if (off <= near && is_met(step, set, state, time, &b)) {
            return true;
        }
        const bool converges = off > near && off < converging * last;
        last = converges ? off : (double)INFINITY;
        if (converges) {
            time = zero + 0.5 * event_accuracy;
        } else if (steps->high < shorter * glanced) {
            glanced = steps->high;
            put_margins_back(step, set);
            b = *steps;
            time = glance_at_zero(step, set, state, &b);
        } else {
            break;
        }
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
    if (measured && is_seen(step, set, state, &b)) {
        return ATEMI_OK;
    }
    seek(step, set, state, atemi_event_location_step, event_accuracy, &b);
    if (!b.measured) {
        return retreat(step, set, state, b.low, event);
    }
    atemi_event_location_step(step, set, state,
                              b.leapt || leaps(set, step->broken) ? b.low : b.high);
    swap(&step->broken, &step->margins);
    return ATEMI_OK;
}
