// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

// [SDC] steps 3b-8b with the classical fourth-order Runge-Kutta formula. For the solves with the
// factor of H* (steps 4b, 5b) stands the product with C = H*^-1.

typedef struct runner {
    const atemi_blow_problem *problem;
    atemi_blow_state          stage, next;
    atemi_blow_slope          slope;
    double                   *torque; // [stride]
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
    r->slope.target = target_slope(p, s, force);
    tally(p->operations, 3.0 + 3.0 * p->element_count, 3.0 + 2.0 * p->element_count, 0.0);
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

atemi_status atemi_blow_by_rk4(const atemi_blow_problem *problem, atemi_blow_vectors *vectors,
                               atemi_blow_state *state, atemi_blow_record *record)
{
    const atemi_blow_options *o = &problem->options;
    const int                 steps = (int)ceil(o->duration / o->step * (1.0 - 1e-12));

    runner r = {.problem = problem, .stage = atemi_blow_state_take(vectors)};
    r.next = atemi_blow_state_take(vectors);
    r.slope.rate = atemi_blow_vector(vectors);
    r.torque = atemi_blow_vector(vectors);
    state->depth = DBL_MIN; // in touch, which depth 0 is not
    find_slope(&r, state);
    for (int i = 0; i < steps && (o->past_release || !record->result->released); ++i) {
        const double end = i + 1 < steps ? (i + 1) * o->step : o->duration;
        const double h = end - state->time;
        record->result->contact_time += r.slope.force > 0.0 ? h : 0.0;
        atemi_blow_note(problem, state, r.slope.force, record);
        show_watched(&r, state, h, record);
        step(&r, state, h);
        atemi_blow_state_copy(problem, &r.next, state);
        find_slope(&r, state);
        record->result->released = !(r.slope.force > 0.0);
    }
    atemi_blow_note(problem, state, r.slope.force, record);
    record->result->evaluations = r.evaluations;
    return ATEMI_OK;
}
