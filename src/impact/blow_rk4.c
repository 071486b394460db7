// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_parts.h"
#include "impact/blow_rates.h"
#include "impact/hermite.h"
#include "math/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

// [SDC] steps 3b-8b with the classical fourth-order Runge-Kutta formula. For the solves with the
// factor of H* (steps 4b, 5b) stands the product with C = H*^-1. Where the force is largest between
// steps, it is that of the cubic with their values and slopes: it changes smoothly with the blow.
//
// Steps are shorter than asked for where light joints behind stiff servos need that: the formula is
// stable as long as h times the largest eigenvalue of C D is less than 2.785, and h times the root
// of that of C K less than 2.828. They also follow a surface that is stiffer than they are short.

// h times a rate: the limit, and what leaves room for that the rate is found by iteration.
static const double stable = 2.78, safe = 2.5;

static const double fine = 0.2; // h times the rate of the contact

static const double most_steps = 2e5; // of those that are shorter than asked for

enum { ITERATIONS = 20 };

// A node, as far as its force is concerned.
typedef struct moment {
    double time, force, depth, rate, change; // that of the rate
} moment;

typedef struct runner {
    const atemi_blow_problem *problem;
    atemi_blow_state          stage, next;
    atemi_blow_slope          slope;
    double                   *torque;     // [stride]
    moment                    moments[3]; // the last ones
    int                       evaluations;
} runner;

// A nail stands until the force exceeds its friction, and does not go back.
static double target_slope(const atemi_blow_problem *p, const atemi_blow_state *s, double force)
{
    const double net = force - p->friction;
    return s->target > 0.0 || net > 0.0 ? p->target_give * net : 0.0;
}

static void find_slope(runner *r, const atemi_blow_state *s)
{
    const atemi_blow_problem *p = r->problem;
    const double force = atemi_compliance_force(&p->law, s->depth, s->hand - s->target);
    memset(r->torque, 0, (size_t)p->base->stride * sizeof *r->torque);
    for (int i = 0; i < p->element_count; ++i) {
        r->torque[p->elements[i].axis] += atemi_blow_given(&p->elements[i], s);
    }
    atemi_blow_accelerate(p, r->torque, force, &r->slope);
    r->slope.hand += p->drift;
    r->slope.target = target_slope(p, s, force);
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
    for (int k = 0; k < 4; ++k) {
        find_slope(r, &r->stage);
        move_on(r, &r->next, &r->stage, weight[k] * h / 6.0, &r->next);
        if (k < 3) {
            move_on(r, s, &r->stage, ahead[k] * h, &r->stage);
        }
    }
    r->next.target = fmax(0.0, r->next.target);
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
        atemi_blow_show(r->problem, &r->next, &r->slope, record);
    }
}

// ---- The peak -------------------------------------------------------------------------------

static void keep_moment(runner *r, const atemi_blow_state *s)
{
    r->moments[0] = r->moments[1];
    r->moments[1] = r->moments[2];
    r->moments[2] = (moment){s->time, r->slope.force, s->depth, s->hand - s->target,
                             r->slope.hand - r->slope.target};
}

// 0 for laws that do not tell.
static double force_slope(const atemi_blow_problem *p, const moment *m)
{
    double by_depth = 0.0, by_rate = 0.0;
    atemi_compliance_slopes(&p->law, m->depth, m->rate, &by_depth, &by_rate);
    tally(p->operations, 1.0, 2.0, 0.0);
    return by_depth * m->rate + by_rate * m->change;
}

static void raise_between(const atemi_blow_problem *p, const moment *a, const moment *b,
                          atemi_blow_result *result)
{
    const double        h = b->time - a->time;
    const atemi_hermite curve = {{a->force, b->force},
                                 {h * force_slope(p, a), h * force_slope(p, b)}};
    if (curve.slope[0] > 0.0 && curve.slope[1] < 0.0) {
        const double turn = atemi_hermite_turn(&curve);
        result->peak_force = fmax(result->peak_force, atemi_hermite_at(&curve, turn));
        result->peak_time = a->time + turn * h;
    }
}

// Once the node in the middle is known to have the largest force.
static void raise_peak(const runner *r, atemi_blow_result *result)
{
    const moment *m = r->moments;
    if (m[1].force == result->peak_force && m[1].force > m[2].force && m[0].force > 0.0) {
        raise_between(r->problem, &m[0], &m[1], result);
        raise_between(r->problem, &m[1], &m[2], result);
    }
}

// ---- The step -------------------------------------------------------------------------------

// What creeps by Coulomb friction cannot grow beyond it.
static bool damps(const atemi_blow_element *e)
{
    return e->servo || isinf(e->bound);
}

// That is no less than the largest eigenvalue.
static double trace(const atemi_blow_problem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        sum += damps(e) ? row_in(p->base->mobility, p->base->stride, e->axis)[e->axis] * e->damping
                        : 0.0;
    }
    tally_products(p->operations, p->element_count);
    return sum;
}

// One step of power iteration from x, of length one; @return the length that it grows to.
static double iterate(const runner *r, double *x)
{
    const atemi_blow_problem *p = r->problem;
    const int                 n = p->base->count;
    memset(r->torque, 0, (size_t)p->base->stride * sizeof *r->torque);
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        r->torque[e->axis] += damps(e) ? e->damping * x[e->axis] : 0.0;
    }
    memset(x, 0, (size_t)p->base->stride * sizeof *x);
    matrix_add_product(n, p->base->mobility, p->base->stride, r->torque, x);
    const double length = sqrt(row_dot(n, x, x));
    for (int i = 0; i < n && length > 0.0; ++i) {
        x[i] /= length;
    }
    tally_products(p->operations, (double)n * n + n + p->element_count);
    tally(p->operations, 0.0, 0.0, n + 1.0);
    return length;
}

static double fastest_rate(const runner *r)
{
    const int n = r->problem->base->count;
    double   *x = r->slope.rate, rate = 0.0;
    for (int i = 0; i < n; ++i) {
        x[i] = 1.0 / sqrt(n);
    }
    for (int k = 0; k < ITERATIONS; ++k) {
        rate = iterate(r, x);
    }
    return rate;
}

// The step that is asked for, in as many parts as the limit on h times the rate needs.
static double shortened(double h, double rate, double limit, double aim)
{
    return h * rate > limit ? h / ceil(h * rate / aim) : h;
}

static double stable_step(const runner *r)
{
    const double h = r->problem->options.step;
    const double damping = h * trace(r->problem) > stable ? fastest_rate(r) : 0.0;
    const double by_damping = shortened(h, damping, stable, safe);
    const double by_stiffness = shortened(h, atemi_blow_stiffness_rate(r->problem), stable, safe);
    const double by_contact = shortened(h, atemi_blow_contact_rate(r->problem), stable, fine);
    return fmin(fmin(by_damping, by_stiffness), by_contact);
}

// ---- All of it ------------------------------------------------------------------------------

atemi_status atemi_blow_by_rk4(const atemi_blow_problem *problem, atemi_blow_vectors *vectors,
                               atemi_blow_state *state, atemi_blow_record *record,
                               atemi_error *error)
{
    const atemi_blow_options *o = &problem->options;

    runner r = {.problem = problem, .stage = atemi_blow_state_take(vectors)};
    r.next = atemi_blow_state_take(vectors);
    r.slope.rate = atemi_blow_vector(vectors);
    r.torque = atemi_blow_vector(vectors);
    const double length = stable_step(&r);
    const double count = ceil(o->duration / length * (1.0 - 1e-12));
    // A fast contact is over long before the duration is: what matters is how many are taken.
    const int steps = (int)fmin(count, fmax(most_steps, ceil(o->duration / o->step)));
    state->depth = DBL_MIN; // in touch, which depth 0 is not
    find_slope(&r, state);
    keep_moment(&r, state);
    for (int i = 0; i < steps && (o->past_release || !record->result->released) &&
                    atemi_blow_goes_on(problem, r.evaluations, record);
         ++i) {
        const double end = i + 1 < count ? (i + 1) * length : o->duration;
        const double h = end - state->time;
        record->result->contact_time += r.slope.force > 0.0 ? h : 0.0;
        atemi_blow_note(problem, state, r.slope.force, record);
        show_watched(&r, state, h, record);
        step(&r, state, h);
        atemi_blow_state_copy(problem, &r.next, state);
        find_slope(&r, state);
        keep_moment(&r, state);
        raise_peak(&r, record->result);
        record->result->released = !(r.slope.force > 0.0);
    }
    atemi_blow_note(problem, state, r.slope.force, record);
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
