// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_variation.h"

#include "math/matrix.h"

#include <math.h>
#include <string.h>

// The equations of blow_propagator.c with the gains D, K and the constant torque T of the segment,
// changed along a direction (d in front):
//
//   d(dy/dt) = dC (T + tau) + C (dT + dtau) - dc f - c df,   dtau = -D dy - K dz
//   d(du_h/dt) = db_h + dc^T (T + tau) + c^T (dT + dtau) - d(1/m_a) f - df / m_a
//   df = k dd + b dr
//
// are the same equations in dy, dz, ... with the forcing
//
//   h = dC (T + tau) + C dT - dc f,   h_h = db_h + dc^T (T + tau) + c^T dT - d(1/m_a) f
//
// where b_h is the hand's drift by the reference, so that a change is solved for as the blow is, by
// all rates (blow_dense_variation.c) or in a chain (blow_chain_variation.c). A mode ends where its
// margin g is zero: by the implicit function theorem at a time that changes by
//
//   dt = -dg / (dg/dt),     and behind it     dx += (x' before - x' behind) dt
//
// at the same time as before.

atemi_blow_variation atemi_blow_variation_take(atemi_arena *arena, const atemi_model *model,
                                               int directions)
{
    const int            n = atemi_model_v_count(model), stride = matrix_stride(directions);
    atemi_blow_variation v = {.count = n, .directions = directions, .stride = stride};
    atemi_blow_change   *changes[] = {&v.now, &v.there};
    for (int i = 0; i < 2; ++i) {
        changes[i]->reduced_rate = atemi_arena_array(arena, double, n *stride);
        changes[i]->reduced_angle = atemi_arena_array(arena, double, n *stride);
        changes[i]->once = atemi_arena_array(arena, double, n *stride);
        changes[i]->twice = atemi_arena_array(arena, double, n *stride);
        changes[i]->force_twice = atemi_arena_array(arena, double, stride);
        changes[i]->sums = atemi_arena_array(arena, double, 2 * (n + 1));
        changes[i]->beside = atemi_arena_array(arena, double, 2 * n);
    }
    v.units = atemi_arena_array(arena, double, (n + 1) * matrix_stride(n));
    v.columns = atemi_arena_array(arena, double, n *(n + 1) * stride);
    v.chain.coupling = atemi_arena_array(arena, double, (n + 1) * (n + 1) * stride);
    v.chain.motions = atemi_arena_array(arena, double, n *n);
    v.chain.parts = atemi_arena_array(arena, double, (n + 1) * 8);
    v.chain.forcing = atemi_arena_array(arena, double, (2 * n + 1) * 8 * stride);
    v.chain.solution = atemi_arena_array(arena, double, 8 * n * ATEMI_LANES);
    v.chain.once = atemi_arena_array(arena, double, (n + 1) * stride);
    v.chain.twice = atemi_arena_array(arena, double, (n + 1) * stride);
    v.chain.slots = atemi_arena_array(arena, int, n);
    v.chain.columns = atemi_arena_array(arena, double, n *n *stride);
    v.chain.shares = atemi_arena_array(arena, double, n *(n + 1) * stride);
    v.chain.amounts = atemi_arena_array(arena, double, n * 8);
    v.chain.deviations = atemi_arena_array(arena, double, 8 * n * ATEMI_LANES);
    v.chain.answer = atemi_arena_array(arena, double, 8 * n * ATEMI_LANES);
    double **matrices[] = {&v.start,       &v.held,   &v.now.rate,      &v.now.angle, &v.there.rate,
                           &v.there.angle, &v.torque, &v.push,          &v.once,      &v.twice,
                           &v.torques,     &v.servo,  &v.accelerations, &v.rates};
    double **rows[] = {&v.approach,     &v.drift,       &v.now.hand,     &v.now.target,
                       &v.now.depth,    &v.now.travel,  &v.now.impulse,  &v.there.hand,
                       &v.there.target, &v.there.depth, &v.there.travel, &v.there.impulse,
                       &v.hand_push,    &v.shift,       &v.once_force,   &v.twice_force,
                       &v.force,        &v.peak,        &v.lateness,     &v.stretch};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; ++i) {
        *matrices[i] = atemi_arena_array(arena, double, n *stride);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        *rows[i] = atemi_arena_array(arena, double, stride);
    }
    v.parts = atemi_arena_array(arena, double, n *ATEMI_BLOW_PARTS);
    v.force_parts = atemi_arena_array(arena, double, ATEMI_BLOW_PARTS);
    v.forcing = atemi_arena_array(arena, double, ATEMI_BLOW_PARTS *n *stride);
    v.hand_forcing = atemi_arena_array(arena, double, ATEMI_BLOW_PARTS *stride);
    v.unknown = atemi_arena_array(arena, atemi_blow_lane, n);
    v.solution.factor = atemi_arena_array(arena, atemi_blow_lane, symmetric_size(n));
    v.solution.touch = atemi_arena_array(arena, atemi_blow_lane, n);
    v.solution.share = atemi_arena_array(arena, atemi_blow_lane, n);
    v.solution.axes = atemi_arena_array(arena, int, n);
    return v;
}

// ---- Rows

// to += s from
static void add_scaled(int stride, double s, const double *from, double *to)
{
    row_subtract(stride, -s, from, to);
}

static void clear(int rows, int stride, double *x)
{
    memset(x, 0, (size_t)rows * (size_t)stride * sizeof *x);
}

static void copy(int rows, int stride, const double *from, double *to)
{
    memcpy(to, from, (size_t)rows * (size_t)stride * sizeof *to);
}

// ---- First touch, and segments

void atemi_blow_variation_clear(atemi_blow_variation *v)
{
    double *rows[] = {v->now.hand,    v->now.target, v->now.depth, v->now.travel,
                      v->now.impulse, v->shift,      v->peak};
    clear(v->count, v->stride, v->now.rate);
    clear(v->count, v->stride, v->now.angle);
    clear(v->count, v->stride, v->now.reduced_rate);
    clear(v->count, v->stride, v->now.reduced_angle);
    clear(v->count, v->stride, v->now.once);
    clear(v->count, v->stride, v->now.twice);
    clear(1, v->stride, v->now.force_twice);
    clear(2, v->count + 1, v->now.sums);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        clear(1, v->stride, rows[i]);
    }
    v->solution.step = 0.0;
    v->holds = true;
}

// dC of `count` forces in `units`, padded rows, and behind them -dc: a row [(count + 1) x stride]
// for each rate.
void atemi_blow_variation_columns(const atemi_virtual_base *base, int count,
                                  atemi_blow_variation *v)
{
    const int stride = v->stride;
    memset(row_of(v->units, base->stride, count), 0, (size_t)base->stride * sizeof *v->units);
    atemi_virtual_base_vary_columns(base, v->units, base->stride, count + 1, v->base, v->columns);
    for (int i = 0; i < v->count; ++i) {
        row_subtract(stride, 1.0, row_in(v->base->response, stride, i),
                     row_of(v->columns, stride, i * (count + 1) + count));
    }
}

// Of all rates that something can drive.
static void find_columns(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    const int first = p->base->base_count, columns = v->count - first;
    clear(columns, p->base->stride, v->units);
    for (int i = 0; i < columns; ++i) {
        row_of(v->units, p->base->stride, i)[first + i] = 1.0;
    }
    atemi_blow_variation_columns(p->base, columns, v);
}

// How the hand's speed at first touch changes.
static void find_approach(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    const int stride = v->stride;
    clear(1, stride, v->approach);
    for (int i = 0; i < v->count; ++i) {
        add_scaled(stride, p->start[i], row_in(v->base->jacobian, stride, i), v->approach);
        add_scaled(stride, p->base->jacobian[i], row_in(v->start, stride, i), v->approach);
    }
    copy(1, stride, v->approach, v->now.hand);
}

void atemi_blow_variation_touch(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    find_approach(p, v);
    find_columns(p, v);
}

void atemi_blow_variation_begin(const atemi_blow_problem *p, const atemi_blow_reference *reference,
                                atemi_blow_variation *v)
{
    find_approach(p, v);
    v->holds = !p->is_limited;
    atemi_blow_chain_variation_begin(p, reference, v);
    if (!v->chain.holds) {
        find_columns(p, v);
    }
}

// Friction within its bound brakes the rate itself. A servo at its limit adds the less, the more it
// holds.
static void find_torque(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    v->has_torque = false;
    clear(v->count, v->stride, v->torque);
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        if (!e->servo && e->limit == ATEMI_BLOW_WITHIN) {
            add_scaled(v->stride, -e->damping, row_in(v->start, v->stride, e->axis),
                       row_of(v->torque, v->stride, e->axis));
            v->has_torque = true;
        } else if (e->servo && e->limit != ATEMI_BLOW_WITHIN) {
            add_scaled(v->stride, -1.0, row_in(v->held, v->stride, e->axis),
                       row_of(v->torque, v->stride, e->axis));
            v->has_torque = true;
        }
    }
}

void atemi_blow_variation_enter(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    const atemi_virtual_base *base = p->base;
    find_torque(p, v);
    copy(1, v->stride, v->drift, v->hand_push);
    if (v->chain.holds) {
        atemi_blow_chain_variation_enter(p, v);
        return;
    }
    clear(v->count, v->stride, v->push);
    if (v->has_torque) {
        matrix_add_multiply(v->count, v->count, base->mobility, base->stride, v->torque, v->stride,
                            v->push);
        matrix_add_multiply(1, v->count, base->response, base->stride, v->torque, v->stride,
                            v->hand_push);
    }
}

// ---- Steps

void atemi_blow_variation_look(atemi_blow_propagator *propagator, const atemi_blow_state *from,
                               double h, atemi_blow_state *scratch, atemi_blow_variation *v)
{
    if (v->chain.holds) {
        atemi_blow_chain_variation_look(propagator, from, h, scratch, v);
    } else {
        atemi_blow_dense_variation_look(propagator->problem, propagator->segment, from, h, v);
    }
}

void atemi_blow_variation_advance(atemi_blow_propagator *propagator, const atemi_blow_state *from,
                                  double h, atemi_blow_state *scratch, atemi_blow_variation *v)
{
    atemi_blow_variation_look(propagator, from, h, scratch, v);
    const atemi_blow_change kept = v->now;
    v->now = v->there;
    v->there = kept;
}

// ---- At an instant

void atemi_blow_variation_force(const atemi_blow_segment *segment, const atemi_blow_change *at,
                                int stride, double *force)
{
    for (int c = 0; c < stride; ++c) {
        force[c] = segment->spring * at->depth[c] + segment->damper * (at->hand[c] - at->target[c]);
    }
}

// Of all elements, and of the servos alone.
static void find_torques(const atemi_blow_problem *p, const atemi_blow_change *at,
                         atemi_blow_variation *v)
{
    const int stride = v->stride;
    copy(v->count, stride, v->torque, v->torques);
    clear(v->count, stride, v->servo);
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        if (e->limit == ATEMI_BLOW_WITHIN) {
            for (int k = 0; k < 1 + e->servo; ++k) {
                double *to = row_of(k ? v->servo : v->torques, stride, e->axis);
                row_subtract(stride, e->damping, row_in(at->rate, stride, e->axis), to);
                row_subtract(stride, e->stiffness, row_in(at->angle, stride, e->axis), to);
            }
        } else if (e->servo) {
            row_subtract(stride, 1.0, row_in(v->held, stride, e->axis),
                         row_of(v->servo, stride, e->axis));
        }
    }
}

// What each column of dC counts at a state, the force last.
// @return how many there are
static int find_amounts(const atemi_blow_problem *p, const atemi_blow_segment *g,
                        const atemi_blow_state *state, double force, atemi_blow_variation *v)
{
    const int first = p->base->base_count;
    int       count = v->count - first;
    if (v->chain.holds) {
        const atemi_blow_reduction *chain = v->chain.chain;
        count = chain->count;
        for (int j = 0; j < count; ++j) {
            v->units[j] = -state->reduced_rate[j] - chain->ratio * state->reduced_angle[j];
        }
    } else {
        for (int i = first; i < v->count; ++i) {
            v->units[i - first] =
                g->torque[i] - g->damping[i] * state->rate[i] - g->stiffness[i] * state->angle[i];
        }
    }
    v->units[count] = force;
    return count + 1;
}

// What torques beside a chain add to the accelerations.
static void add_beside(const atemi_blow_segment *g, const atemi_blow_state *state,
                       atemi_blow_variation *v)
{
    const atemi_blow_chain_variation *chain = &v->chain;
    const int                         size = v->count * v->stride;
    for (int k = 0; chain->holds && k < g->deviant_count; ++k) {
        const int    axis = g->deviants[k];
        const double beside = atemi_blow_chain_variation_beside(v, g, state, axis);
        add_scaled(size, beside, row_in(chain->columns, size, chain->slots[axis]),
                   v->accelerations);
    }
}

void atemi_blow_variation_show(const atemi_blow_problem *p, const atemi_blow_segment *segment,
                               const atemi_blow_state *state, double force,
                               const atemi_blow_change *at, atemi_blow_variation *v)
{
    const atemi_virtual_base *base = p->base;
    const int                 n = v->count, stride = v->stride;
    if (v->chain.holds) {
        atemi_blow_chain_variation_expand(p, at, v);
    }
    atemi_blow_variation_force(segment, at, stride, v->force);
    find_torques(p, at, v);
    const int columns = find_amounts(p, segment, state, force, v);
    clear(n, stride, v->accelerations);
    for (int i = 0; i < n; ++i) {
        matrix_add_product(columns, row_in(v->columns, columns * stride, i), stride, v->units,
                           row_of(v->accelerations, stride, i));
    }
    add_beside(segment, state, v);
    matrix_add_multiply(n, n, base->mobility, base->stride, v->torques, stride, v->accelerations);
    for (int i = 0; i < n; ++i) {
        row_subtract(stride, base->response[i], v->force, row_of(v->accelerations, stride, i));
    }
    for (int i = 0; i < n * stride; ++i) {
        v->rates[i] = v->start[i] + at->rate[i];
    }
    v->slopes = (atemi_blow_sample_slopes){.stride = stride,
                                           .force = v->force,
                                           .hand_speed = at->hand,
                                           .target_speed = at->target,
                                           .rates = v->rates,
                                           .accelerations = v->accelerations,
                                           .torques = v->servo};
}

// ---- Events

void atemi_blow_variation_locate(const atemi_blow_problem *p, const atemi_blow_mode *mode,
                                 const atemi_blow_segment *segment, int index,
                                 const atemi_blow_node *node, atemi_blow_variation *v)
{
    const atemi_blow_gradient gradient = atemi_blow_margin_gradient(p, mode, segment, index, node);
    const double              slope = node->margins[index].slope;
    const int                 at = gradient.axis * v->stride;
    if (v->chain.holds && index < p->element_count) {
        atemi_blow_chain_variation_expand_axis(p, gradient.axis, &v->now, v);
    }
    v->holds = v->holds && slope < 0.0;
    for (int c = 0; c < v->stride; ++c) {
        const double change = gradient.rate * v->now.rate[at + c] +
                              gradient.angle * v->now.angle[at + c] +
                              gradient.start * v->start[at + c] + gradient.held * v->held[at + c] +
                              gradient.depth * v->now.depth[c] + gradient.hand * v->now.hand[c] +
                              gradient.target * v->now.target[c];
        v->shift[c] = slope < 0.0 ? -change / slope : 0.0;
    }
}

void atemi_blow_variation_jump(const double *rate, double hand, double target, double force,
                               atemi_blow_variation *v)
{
    for (int i = 0; i < v->count && !v->chain.holds; ++i) {
        add_scaled(v->stride, rate[i], v->shift, row_of(v->now.rate, v->stride, i));
    }
    if (v->chain.holds && v->chain.chain->count > 0) {
        add_scaled(v->stride, -force * v->chain.chain->touch, v->shift, v->now.reduced_rate);
    }
    add_scaled(v->stride, hand, v->shift, v->now.hand);
    add_scaled(v->stride, target, v->shift, v->now.target);
    add_scaled(v->stride, force, v->shift, v->now.impulse);
}
