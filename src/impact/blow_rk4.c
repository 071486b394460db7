// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_rk4_step.h"
#include "impact/blow_rk4_variation.h"
#include "impact/hermite.h"
#include "math/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

// [SDC] steps 3b-8b with the classical fourth-order Runge-Kutta formula. For the solves with the
// factor of H* (steps 4b, 5b) stands the product with C = H*^-1. Where the force is largest between
// steps, a shorter step goes there: it changes smoothly with the blow, as the force does there.
//
// Modes last throughout a step: which elements are at their bounds, whether hand and target touch,
// and whether the target moves. A step in which one ends is taken in parts, to there and on. So the
// error is of fourth order throughout, and so is that of derivatives.

static const double most_steps = 2e5; // of those that are shorter than asked for

// Relative to what it is compared with, a margin that has been overstepped, and one that is zero.
static const double rounding = 1e-12, zero = 1e-10;

enum { MOST_GUESSES = 12, MOST_ENDS = 2000 };

// A node, as far as its force is concerned; its slope is 0 for laws without slopes.
typedef struct moment {
    double time, force, slope;
} moment;

typedef struct runner {
    const atemi_blow_problem *problem;
    atemi_blow_variation     *variation; // or NULL
    atemi_blow_state          stage, next;
    atemi_blow_slope          slope;
    double                   *torque;            // [stride]
    bool                      touches, moves;    // the hand, the target
    bool                      kinks;             // the force does where the hand begins to touch
    int                       evaluations, ends; // of modes
} runner;

// In the mode that the element is in.
static double torque_of(const atemi_blow_element *e, const atemi_blow_state *s)
{
    const double whole = e->limit == ATEMI_BLOW_WITHIN ? atemi_blow_asked(e, s)
                         : e->limit == ATEMI_BLOW_HIGH ? e->bound
                                                       : -e->bound;
    return whole - e->held;
}

static void find_slope(runner *r, const atemi_blow_state *s)
{
    const atemi_blow_problem *p = r->problem;
    const double force = atemi_compliance_force(&p->law, s->depth, s->hand - s->target);
    memset(r->torque, 0, (size_t)p->base->stride * sizeof *r->torque);
    for (int i = 0; i < p->element_count; ++i) {
        r->torque[p->elements[i].axis] += torque_of(&p->elements[i], s);
    }
    atemi_blow_accelerate(p, r->torque, force, &r->slope);
    r->slope.hand += p->drift;
    r->slope.target = r->moves ? p->target_give * (force - p->friction) : 0.0;
    tally(p->operations, 4.0 + 3.0 * p->element_count, 3.0 + 2.0 * p->element_count, 0.0);
    ++r->evaluations;
}

// to = from + h slope, where the slope of what is integrated from rates is that of the state `at`.
static void move_on(const runner *r, const atemi_blow_state *from, const atemi_blow_state *at,
                    double h, atemi_blow_state *to)
{
    const int n = r->problem->base->count;
    for (int i = 0; i < n; ++i) {
        to->angle[i] = from->angle[i] + h * at->rate[i];
    }
    to->depth = from->depth + h * (at->hand - at->target);
    to->travel = from->travel + h * at->target;
    for (int i = 0; i < n; ++i) {
        to->rate[i] = from->rate[i] + h * r->slope.rate[i];
    }
    to->hand = from->hand + h * r->slope.hand;
    to->target = from->target + h * r->slope.target;
    to->impulse = from->impulse + h * r->slope.force;
    to->time = from->time + h;
    tally(r->problem->operations, 2.0 * n + 7.0, 2.0 * n + 5.0, 0.0);
}

// One step from `s` into `next`: next = s + h (k1 + 2 k2 + 2 k3 + k4) / 6.
static void step(runner *r, const atemi_blow_state *s, double h)
{
    static const double ahead[3] = {0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    atemi_blow_state_copy(r->problem, s, &r->stage);
    atemi_blow_state_copy(r->problem, s, &r->next);
    if (r->variation) {
        atemi_blow_rk4_variation_start(r->variation);
    }
    for (int k = 0; k < 4; ++k) {
        find_slope(r, &r->stage);
        if (r->variation) {
            atemi_blow_rk4_variation_stage(r->problem, &r->stage, &r->slope, r->torque, h,
                                           weight[k] / 6.0, k < 3 ? ahead[k] : 0.0,
                                           r->moves ? r->problem->target_give : 0.0, r->variation);
        }
        move_on(r, &r->next, &r->stage, weight[k] * h / 6.0, &r->next);
        if (k < 3) {
            move_on(r, s, &r->stage, ahead[k] * h, &r->stage);
        }
    }
    r->next.time = s->time + h;
    tally(r->problem->operations, 1.0, 7.0, 4.0);
}

// What is to be looked at until the end of the step is reached by a step of its own.
static void show_watched(runner *r, const atemi_blow_state *s, double h, atemi_blow_record *record)
{
    double time;
    while (atemi_blow_is_watched(record, s->time + h, &time)) {
        step(r, s, time - s->time);
        find_slope(r, &r->next);
        if (r->variation) {
            atemi_blow_rk4_variation_show(r->problem, &r->next, r->torque, r->variation);
        }
        atemi_blow_show(r->problem, &r->next, &r->slope, record);
    }
}

// ---- The peak -------------------------------------------------------------------------------

// Of a state whose slopes were found last.
static moment moment_of(const runner *r, const atemi_blow_state *s)
{
    const atemi_blow_problem *p = r->problem;
    const double              rate = s->hand - s->target;
    double                    by_depth = 0.0, by_rate = 0.0;
    atemi_compliance_slopes(&p->law, s->depth, rate, &by_depth, &by_rate);
    tally(p->operations, 3.0, 2.0, 0.0);
    return (moment){s->time, r->slope.force,
                    by_depth * rate + by_rate * (r->slope.hand - r->slope.target)};
}

// Notes a state whose slopes were found last; its change is `change`.
static void note(const runner *r, const atemi_blow_state *s, const atemi_blow_change *change,
                 atemi_blow_record *record)
{
    const bool rises = r->slope.force > record->result->peak_force;
    atemi_blow_note(r->problem, s, r->slope.force, record);
    if (r->variation && rises) {
        atemi_blow_rk4_variation_peak(r->problem, s, change, r->variation);
    }
}

// Notes the state where the force turns from growing to falling on the way from `s`, by steps to
// where its slope must be zero, if it exceeds what is known.
static void note_peak(runner *r, const atemi_blow_state *s, const moment *a, const moment *b,
                      atemi_blow_record *record)
{
    const double        h = b->time - a->time, flat = 1e-10, off = 1e-2;
    const atemi_hermite curve = {{a->force, b->force}, {h * a->slope, h * b->slope}};
    double              low = 0.0, high = h, t = h * atemi_hermite_turn(&curve);
    double              slopes[2] = {a->slope, b->slope}, slope = a->slope;
    int                 before = 2;
    if (atemi_hermite_at(&curve, t / h) < record->result->peak_force * (1.0 - off)) {
        return;
    }
    for (int i = 0; i < MOST_GUESSES && fabs(slope) > flat * a->slope; ++i) {
        step(r, s, t);
        find_slope(r, &r->next);
        note(r, &r->next, r->variation ? &r->variation->there : NULL, record);
        slope = moment_of(r, &r->next).slope;
        const int side = slope < 0.0;
        slopes[side] = slope;
        slopes[1 - side] *= side == before ? 0.5 : 1.0;
        before = side;
        *(side ? &high : &low) = t;
        t = low + (high - low) * slopes[0] / (slopes[0] - slopes[1]);
    }
}

// ---- Modes ----------------------------------------------------------------------------------

static bool is_nail(const atemi_blow_problem *p)
{
    return p->target_give > 0.0 && p->friction > 0.0;
}

static atemi_blow_limit limit_of(const atemi_blow_element *e, const atemi_blow_state *s)
{
    const double asked = atemi_blow_asked(e, s);
    return asked > e->bound    ? ATEMI_BLOW_HIGH
           : asked < -e->bound ? ATEMI_BLOW_LOW
                               : ATEMI_BLOW_WITHIN;
}

// By the state alone.
static void begin_modes(runner *r, const atemi_blow_state *s)
{
    const atemi_blow_problem *p = r->problem;
    for (int i = 0; i < p->element_count; ++i) {
        p->elements[i].limit = limit_of(&p->elements[i], s);
    }
    r->touches = s->depth > 0.0;
    r->moves = !is_nail(p) || s->target > 0.0;
}

// Whether the force has a slope at depth zero. Where it has not, a step goes over it as well as any
// other, and better than two do: for a round body force grows with the depth to the power 3/2.
static bool has_kink(const atemi_blow_problem *p)
{
    const double shallow = 1e-12, deep = 1e-6, part = 0.1;
    double       first = 0.0, second = 0.0, by_rate;
    atemi_compliance_slopes(&p->law, shallow, 0.0, &first, &by_rate);
    atemi_compliance_slopes(&p->law, deep, 0.0, &second, &by_rate);
    return first > part * second;
}

static int margin_count(const atemi_blow_problem *p)
{
    return p->element_count + 1 + is_nail(p);
}

// What is positive while a mode lasts: those of the elements, of the contact and of the target;
// relative to what it is compared with.
static double margin(const runner *r, int i, const atemi_blow_state *s)
{
    const atemi_blow_problem *p = r->problem;
    if (i < p->element_count) {
        const atemi_blow_element *e = &p->elements[i];
        const double              asked = atemi_blow_asked(e, s) / e->bound;
        return e->limit == ATEMI_BLOW_HIGH  ? asked - 1.0
               : e->limit == ATEMI_BLOW_LOW ? -asked - 1.0
                                            : 1.0 - fabs(asked);
    }
    if (i == p->element_count) {
        if (!r->kinks) {
            return 1.0;
        }
        const double depth = s->depth / (p->approach * p->options.step);
        return r->touches ? depth : -depth;
    }
    return r->moves
               ? s->target / p->approach
               : 1.0 - atemi_compliance_force(&p->law, s->depth, s->hand - s->target) / p->friction;
}

// What the margin of an element takes of a state.
static atemi_blow_gradient element_gradient(const atemi_blow_element *e, const atemi_blow_state *s)
{
    const bool   is_high = atemi_blow_asked(e, s) > 0.0;
    const double sign = (e->limit == ATEMI_BLOW_WITHIN) == is_high ? 1.0 : -1.0;
    const double damping = sign * e->damping / e->bound;
    return (atemi_blow_gradient){.axis = e->axis,
                                 .rate = damping,
                                 .angle = sign * e->stiffness / e->bound,
                                 .start = e->servo ? 0.0 : damping,
                                 .held = e->servo ? -sign / e->bound : 0.0};
}

static atemi_blow_gradient gradient_of(const runner *r, int index, const atemi_blow_state *s)
{
    const atemi_blow_problem *p = r->problem;
    double                    by_depth, by_rate;
    if (index < p->element_count) {
        return element_gradient(&p->elements[index], s);
    }
    if (index == p->element_count) {
        const double depth = 1.0 / (p->approach * p->options.step);
        return (atemi_blow_gradient){.depth = r->touches ? depth : -depth};
    }
    if (r->moves) {
        return (atemi_blow_gradient){.target = 1.0 / p->approach};
    }
    atemi_compliance_slopes(&p->law, s->depth, s->hand - s->target, &by_depth, &by_rate);
    return (atemi_blow_gradient){.depth = -by_depth / p->friction,
                                 .hand = -by_rate / p->friction,
                                 .target = by_rate / p->friction};
}

// The change of a step at whose end a mode ends: it does so at another time.
static void vary_end(runner *r, const atemi_blow_state *s, double h, int index)
{
    const atemi_blow_state *end = &r->next;
    find_slope(r, end);
    const atemi_blow_gradient g = gradient_of(r, index, end);
    const double              slope = g.rate * r->slope.rate[g.axis] + g.angle * end->rate[g.axis] +
                         g.depth * (end->hand - end->target) + g.hand * r->slope.hand +
                         g.target * r->slope.target;
    atemi_blow_rk4_variation_move_end(&g, slope, r->variation);
    step(r, s, h);
}

static void end_mode(runner *r, int index, atemi_blow_state *s)
{
    const atemi_blow_problem *p = r->problem;
    if (index < p->element_count) {
        atemi_blow_element *e = &p->elements[index];
        e->limit = e->limit != ATEMI_BLOW_WITHIN  ? ATEMI_BLOW_WITHIN
                   : atemi_blow_asked(e, s) > 0.0 ? ATEMI_BLOW_HIGH
                                                  : ATEMI_BLOW_LOW;
    } else if (index == p->element_count) {
        r->touches = !r->touches;
    } else {
        s->target = 0.0;
        r->moves = !r->moves;
        if (r->variation) {
            atemi_blow_rk4_variation_rest(r->variation);
        }
    }
}

// Whether an element is in its mode without doubt.
static bool lasts(const atemi_blow_element *e, const atemi_blow_state *s)
{
    const double asked = atemi_blow_asked(e, s);
    return e->limit == ATEMI_BLOW_HIGH  ? asked >= e->bound
           : e->limit == ATEMI_BLOW_LOW ? -asked >= e->bound
                                        : fabs(asked) <= e->bound;
}

// The mode that seems to end first on the way from `s` to the next state, or ATEMI_NONE.
static int first_end(const runner *r, const atemi_blow_state *s)
{
    int    first = ATEMI_NONE;
    double least = INFINITY;
    for (int i = 0, count = margin_count(r->problem); i < count; ++i) {
        if (i < r->problem->element_count && lasts(&r->problem->elements[i], &r->next)) {
            continue;
        }
        const double end = margin(r, i, &r->next);
        if (end < -rounding) {
            const double begin = fmax(0.0, margin(r, i, s)), part = begin / (begin - end);
            first = part < least ? i : first;
            least = part < least ? part : least;
        }
    }
    return first;
}

// Where a margin that is overstepped `h` after `s` is zero, with the next state there: the rule of
// false position, with half of an end that stays.
// @return the time from `s`, 0 if the mode ends as it begins
static double locate(runner *r, const atemi_blow_state *s, int index, double h)
{
    const double probe = 0.1;
    double low = 0.0, high = h, first = margin(r, index, s), last = margin(r, index, &r->next);
    double t = h;
    int    side = 0;
    if (first <= zero) {
        low = probe * h;
        step(r, s, low);
        first = margin(r, index, &r->next);
        if (first <= 0.0) {
            return 0.0;
        }
    }
    for (int i = 0; i < MOST_GUESSES; ++i) {
        t = low + (high - low) * first / (first - last);
        step(r, s, t);
        const double m = margin(r, index, &r->next);
        if (fabs(m) <= zero) {
            break;
        }
        const int now = m > 0.0 ? 1 : -1;
        *(now > 0 ? &low : &high) = t;
        *(now > 0 ? &first : &last) = m;
        *(now > 0 ? &last : &first) *= now == side ? 0.5 : 1.0;
        side = now;
    }
    return t;
}

// The first mode that ends within h of `s`, whose next state is known, or ATEMI_NONE; with the time
// until then.
static int find_end(runner *r, const atemi_blow_state *s, double h, double *until)
{
    atemi_blow_variation *kept = r->variation;
    int                   index = first_end(r, s), found = ATEMI_NONE;
    *until = h;
    r->variation = NULL;
    for (int i = 0; i < MOST_GUESSES && index != ATEMI_NONE && *until > 0.0; ++i) {
        found = index;
        *until = locate(r, s, index, *until);
        index = first_end(r, s);
        index = index == found ? ATEMI_NONE : index;
    }
    r->variation = kept;
    return found;
}

// ---- Steps with all that is on the way ------------------------------------------------------

// A step in which no mode ends, but perhaps one at its end, with the largest force on the way.
// @param ready the next state is that at its end
static void take(runner *r, atemi_blow_state *s, double h, int index, bool ready, moment *at,
                 atemi_blow_record *record)
{
    double time;
    record->result->contact_time += at->force > 0.0 ? h : 0.0;
    if (!ready || atemi_blow_is_watched(record, s->time + h, &time)) {
        show_watched(r, s, h, record);
        step(r, s, h);
    }
    find_slope(r, &r->next);
    const moment to = moment_of(r, &r->next);
    const bool   has_peak = at->slope > 0.0 && to.slope < 0.0;
    const bool   moves_end = r->variation && index != ATEMI_NONE;
    if (has_peak) {
        note_peak(r, s, at, &to, record);
        step(r, s, h);
    }
    if (moves_end) {
        vary_end(r, s, h, index);
    }
    if (has_peak || moves_end) {
        find_slope(r, &r->next);
    }
    *at = to;
    atemi_blow_state_copy(r->problem, &r->next, s);
    if (r->variation) {
        atemi_blow_rk4_variation_advance(index != ATEMI_NONE, r->variation);
    }
    note(r, s, r->variation ? &r->variation->now : NULL, record);
}

// A step of the length h, in parts where modes end. Where too many do, such as those of a servo
// that has hardly any torque, they begin with the next step.
static void go(runner *r, atemi_blow_state *s, double h, moment *at, atemi_blow_record *record)
{
    const int most = 4 + r->problem->element_count;
    double    left = h;
    for (int i = 0; i < most && left > 0.0 && r->ends < MOST_ENDS; ++i) {
        double until;
        step(r, s, left);
        const int index = find_end(r, s, left, &until);
        if (until > 0.0) {
            take(r, s, until, index, index == ATEMI_NONE, at, record);
        }
        if (index != ATEMI_NONE) {
            end_mode(r, index, s);
            ++r->ends;
        }
        left = index == ATEMI_NONE ? 0.0 : left - until;
    }
    if (left > 0.0) {
        take(r, s, left, ATEMI_NONE, false, at, record);
        begin_modes(r, s);
    }
}

// ---- All of it ------------------------------------------------------------------------------

atemi_status atemi_blow_by_rk4(const atemi_blow_problem *problem, atemi_blow_vectors *vectors,
                               atemi_blow_state *state, atemi_blow_record *record,
                               atemi_error *error)
{
    const atemi_blow_options *o = &problem->options;

    runner r = {.problem = problem,
                .variation = record->variation,
                .stage = atemi_blow_state_take(vectors)};
    r.next = atemi_blow_state_take(vectors);
    r.slope.rate = atemi_blow_vector(vectors);
    r.torque = atemi_blow_vector(vectors);
    const double length = atemi_blow_rk4_step(problem, r.torque, r.slope.rate);
    const double count = ceil(o->duration / length * (1.0 - 1e-12));
    // A fast contact is over long before the duration is: what matters is how many are taken.
    const int steps = (int)fmin(count, fmax(most_steps, ceil(o->duration / o->step)));
    atemi_blow_rk4_soften(problem, length, r.torque, r.slope.rate);
    if (r.variation) {
        atemi_blow_rk4_variation_begin(problem, r.variation);
    }
    state->depth = DBL_MIN; // in touch, which depth 0 is not
    r.kinks = has_kink(problem);
    begin_modes(&r, state);
    find_slope(&r, state);
    moment at = moment_of(&r, state);
    note(&r, state, r.variation ? &r.variation->now : NULL, record);
    for (int i = 0; i < steps && (o->past_release || !record->result->released) &&
                    atemi_blow_goes_on(problem, r.evaluations, record);
         ++i) {
        const double end = i + 1 < count ? (i + 1) * length : o->duration;
        go(&r, state, end - state->time, &at, record);
        record->result->released = !(at.force > 0.0);
    }
    record->result->evaluations = r.evaluations;
    if (count > steps && !record->result->stopped &&
        (o->past_release || !record->result->released)) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT,
                          "the blow is not through after %d steps of %g s, at %g s: soften the "
                          "surface or the servo, or shorten the duration",
                          steps, length, state->time);
    }
    return ATEMI_OK;
}
