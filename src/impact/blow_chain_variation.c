// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_variation.h"

#include "math/matrix.h"

#include <string.h>

// In the coordinates of a chain (blow_chain.c), which stay those of the blow itself, dy_i = u_i^T
// dy, dz_i = u_i^T dz, and the forcing of blow_variation.c has the coefficients
//
//   P_ij = u_i^T dC u_j,   P_i = u_i^T dc,   P_h = d(1/m_a)
//
// (blow_chain_forcing.c has the forcing, blow_chain_step.c solves for the change). Changes of the
// torques beside the patterns move nothing. They are there: the rates themselves, which leave the
// motions that C has, are
//
//   dy = dC I + sum_j C u_j J_j - dc F - c dF
//
// with the integrals since first touch of torques I, their changes J and the force F; and dz with
// these integrals once more. Where a servo reaches its limit, they take the place of the chain.

// ---- First touch

// All elements are the servos of the reference.
static bool is_alone(const atemi_blow_problem *p, const atemi_blow_reference *reference)
{
    bool alone = reference->chain.holds && reference->chain.count > 0;
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        alone = alone && e->servo && e->damping == reference->damping[e->axis] &&
                e->stiffness == reference->stiffness[e->axis];
    }
    return alone;
}

// dC u_j, and C u_j by columns.
static void find_columns(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    const int                   n = r->count, padded = p->base->stride;
    memcpy(v->units, r->torques, (size_t)(n * padded) * sizeof *v->units);
    atemi_blow_variation_columns(p->base, n, v);
    for (int i = 0; i < v->count; ++i) {
        for (int j = 0; j < n; ++j) {
            row_of(v->chain.motions, n, i)[j] = row_in(r->motions, padded, j)[i];
        }
    }
}

// P: rows of chain and hand, columns of chain and force.
static void find_coupling(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    const int                   n = r->count, stride = v->stride, width = (n + 1) * stride,
              first = p->base->base_count;
    double *P = v->chain.coupling, *hand = row_of(P, width, n);
    memset(P, 0, (size_t)((n + 1) * width) * sizeof *P);
    matrix_add_multiply(n, v->count - first, r->torques + first, p->base->stride,
                        row_in(v->columns, width, first), width, P);
    for (int i = 0; i < n; ++i) {
        row_subtract(stride, 1.0, row_in(row_in(P, width, i), stride, n), row_of(hand, stride, i));
    }
    row_subtract(stride, 1.0, v->base->give, row_of(hand, stride, n));
}

void atemi_blow_chain_variation_begin(const atemi_blow_problem   *p,
                                      const atemi_blow_reference *reference,
                                      atemi_blow_variation       *v)
{
    v->chain.holds = is_alone(p, reference);
    v->chain.chain = &reference->chain;
    v->chain.damping = reference->damping;
    v->chain.slot_count = 0;
    for (int i = 0; i < v->count; ++i) {
        v->chain.slots[i] = ATEMI_NONE;
    }
    if (v->chain.holds) {
        find_columns(p, v);
        find_coupling(p, v);
    }
}

// ---- Servos at their limits

// dC e_i of an axis, and what chain and hand see of it.
static void add_slot(const atemi_blow_problem *p, int axis, atemi_blow_variation *v)
{
    const atemi_virtual_base   *base = p->base;
    const atemi_blow_reduction *r = v->chain.chain;
    const int                   n = r->count, stride = v->stride, slot = v->chain.slot_count++;
    double                     *columns = row_of(v->chain.columns, v->count * stride, slot);
    double                     *shares = row_of(v->chain.shares, (n + 1) * stride, slot);
    v->chain.slots[axis] = slot;
    v->now.beside[slot] = v->now.beside[v->count + slot] = 0.0;
    memset(v->units, 0, (size_t)base->stride * sizeof *v->units);
    v->units[axis] = 1.0;
    atemi_virtual_base_vary_columns(base, v->units, base->stride, 1, v->base, columns);
    memset(shares, 0, (size_t)(n * stride) * sizeof *shares);
    matrix_add_multiply(n, v->count, r->torques, base->stride, columns, stride, shares);
    memcpy(row_of(shares, stride, n), row_in(v->base->response, stride, axis),
           (size_t)stride * sizeof *shares);
}

void atemi_blow_chain_variation_enter(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        if (e->limit != ATEMI_BLOW_WITHIN && v->chain.slots[e->axis] == ATEMI_NONE) {
            add_slot(p, e->axis, v);
        }
    }
}

double atemi_blow_chain_variation_beside(const atemi_blow_variation *v,
                                         const atemi_blow_segment   *segment,
                                         const atemi_blow_state *state, int axis)
{
    const double D = v->chain.damping[axis], x = v->chain.chain->ratio;
    return segment->torque[axis] + D * (state->rate[axis] + x * state->angle[axis]);
}

// ---- All rates

// dC I of torques in the chain and beside it, less dc F + c dF.
static void expand_row(const atemi_blow_problem *p, int i, const atemi_blow_change *at,
                       const atemi_blow_variation *v)
{
    const int     n = v->chain.chain->count, stride = v->stride;
    const double *columns = row_in(v->columns, (n + 1) * stride, i);
    const double  response = p->base->response[i];
    double       *rate = row_of(at->rate, stride, i), *angle = row_of(at->angle, stride, i);
    for (int c = 0; c < stride; ++c) {
        rate[c] = -response * at->impulse[c];
        angle[c] = -response * at->force_twice[c];
    }
    matrix_add_product(n + 1, columns, stride, at->sums, rate);
    matrix_add_product(n + 1, columns, stride, at->sums + n + 1, angle);
    for (int k = 0; k < v->chain.slot_count; ++k) {
        const double *beside = row_in(v->chain.columns, stride, k * v->count + i);
        row_subtract(stride, -at->beside[k], beside, rate);
        row_subtract(stride, -at->beside[v->count + k], beside, angle);
    }
}

void atemi_blow_chain_variation_expand_axis(const atemi_blow_problem *p, int axis,
                                            const atemi_blow_change    *at,
                                            const atemi_blow_variation *v)
{
    const int     n = v->chain.chain->count, stride = v->stride;
    const double *motions = row_in(v->chain.motions, n, axis);
    expand_row(p, axis, at, v);
    matrix_add_product(n, at->once, stride, motions, row_of(at->rate, stride, axis));
    matrix_add_product(n, at->twice, stride, motions, row_of(at->angle, stride, axis));
}

void atemi_blow_chain_variation_expand(const atemi_blow_problem *p, const atemi_blow_change *at,
                                       const atemi_blow_variation *v)
{
    const int n = v->chain.chain->count, stride = v->stride;
    for (int i = 0; i < v->count; ++i) {
        expand_row(p, i, at, v);
    }
    matrix_add_multiply(v->count, n, v->chain.motions, n, at->once, stride, at->rate);
    matrix_add_multiply(v->count, n, v->chain.motions, n, at->twice, stride, at->angle);
}
