// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_modes.h"

#include <math.h>
#include <string.h>

// Taylor's series of a state in a segment, where x' = A x + b:
//
//   x(t + h) = x + sum_k term_k,   term_1 = h x',   term_(k+1) = h / (k + 1) A term_k
//
// It serves where terms shrink fast: then a few of them cost less than a step.

// A term must be smaller than the one before by this.
static const double shrinking = 0.25;

// Relative to the first term, one that no longer counts.
static const double rounding = 1e-12;

enum { MOST_TERMS = 10 };

static double largest_rate(const atemi_blow_problem *p, const atemi_blow_state *s)
{
    double most = 0.0;
    for (int i = 0; i < p->base->count; ++i) {
        const double size = fabs(s->rate[i]);
        most = size > most ? size : most;
    }
    return most;
}

// h x'. The slopes of the node are known.
static void begin_term(const atemi_blow_problem *p, const atemi_blow_node *node, double h,
                       atemi_blow_state *term)
{
    const atemi_blow_state *s = &node->state;
    for (int i = 0; i < p->base->stride; ++i) {
        term->angle[i] = h * s->rate[i];
        term->rate[i] = h * node->slope.rate[i];
    }
    term->time = h;
    term->depth = h * (s->hand - s->target);
    term->travel = h * s->target;
    term->impulse = h * node->slope.force;
    term->hand = h * node->slope.hand;
    term->target = h * node->slope.target;
    tally(p->operations, 1.0, 2.0 * p->base->count + 5.0, 0.0);
}

// The next term from this one; h is already divided by its number.
static void next_term(const atemi_blow_problem *p, const atemi_blow_segment *g, double h,
                      double *torque, atemi_blow_state *term)
{
    const double     r = term->hand - term->target;
    const double     force = g->spring * term->depth + g->damper * r;
    atemi_blow_slope slope = {.rate = term->reduced_rate};
    for (int i = 0; i < p->base->stride; ++i) {
        torque[i] = -g->damping[i] * term->rate[i] - g->stiffness[i] * term->angle[i];
    }
    atemi_blow_accelerate(p, torque, force, &slope);
    for (int i = 0; i < p->base->stride; ++i) {
        term->angle[i] = h * term->rate[i];
        term->rate[i] = h * slope.rate[i];
    }
    term->time = 0.0;
    term->depth = h * r;
    term->travel = h * term->target;
    term->impulse = h * force;
    term->hand = h * slope.hand;
    term->target = h * g->target_give * force;
    tally(p->operations, p->base->count + 2.0, 4.0 * p->base->count + 8.0, 1.0);
}

static void add_term(const atemi_blow_problem *p, const atemi_blow_state *term,
                     atemi_blow_state *sum)
{
    for (int i = 0; i < p->base->stride; ++i) {
        sum->angle[i] += term->angle[i];
        sum->rate[i] += term->rate[i];
    }
    sum->time += term->time;
    sum->depth += term->depth;
    sum->travel += term->travel;
    sum->impulse += term->impulse;
    sum->hand += term->hand;
    sum->target += term->target;
    tally(p->operations, 2.0 * p->base->count + 6.0, 0.0, 0.0);
}

bool atemi_blow_slide(const atemi_blow_problem *p, const atemi_blow_segment *g, double h,
                      atemi_blow_state *term, double *torque, atemi_blow_state *sum,
                      atemi_blow_node *node)
{
    atemi_blow_state_copy(p, &node->state, sum);
    begin_term(p, node, h, term);
    const double first = largest_rate(p, term);
    double       size = first;
    for (int k = 2; size > rounding * first; ++k) {
        const double before = size;
        add_term(p, term, sum);
        next_term(p, g, h / k, torque, term);
        size = largest_rate(p, term);
        if (k > MOST_TERMS || !(size <= shrinking * before)) {
            return false;
        }
    }
    add_term(p, term, sum);
    const atemi_blow_state kept = node->state;
    node->state = *sum;
    *sum = kept;
    return true;
}
