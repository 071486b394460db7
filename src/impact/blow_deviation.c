// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_propagator.h"

#include <string.h>

// Where the axis i has D and K instead of D0 and K0, a row of N tau = b differs by its inertance
// and its share of z. With the difference on the right, as an unknown m_i (e_i the axis):
//
//   N tau = b + sum_i e_i m_i,   m_i = -(n_i - n0_i) tau_i - (E_i - E0_i) z_i
//
// With tau = tau_0 + N^-1 sum_i e_i m_i this is a small system, of as many rows as axes deviate:
//
//   sum_k (H_ik + softness_i (i == k)) m_k = -tau_0i - share_i z_i,   H_ik = e_i^T N^-1 e_k
//   softness = 1 / (n - n0) = (s D + K) (s D0 + K0) / (s^2 w),   w = s (D0 - D) + K0 - K
//   share = (K D0 - K0 D) / w
//
// A saturated servo has D = K = 0 and both are zero. Every leading minor is that of a passive
// system in which some of the axes deviate, so that no pivoting is needed.
//
// A chain knows only motions that C has (blow_reduction.c). Torques without motion have the
// inertance alone, so that H_ik has gap_ik / (s^2 / (s + x)) besides.

typedef struct law {
    atemi_blow_lane softness, share;
} law;

static law law_of(const atemi_blow_propagator *p, int axis)
{
    const atemi_blow_lane s = p->rung->s, inverse = p->rung->inverse;
    const double          D = p->segment->damping[axis], K = p->segment->stiffness[axis];
    const double          D0 = p->reference->damping[axis], K0 = p->reference->stiffness[axis];
    const atemi_blow_lane w = lane_invert(lane_shift(K0 - K, lane_scale(D0 - D, s)));
    const atemi_blow_lane now = lane_multiply(lane_shift(K, lane_scale(D, s)), inverse);
    const atemi_blow_lane before = lane_multiply(lane_shift(K0, lane_scale(D0, s)), inverse);
    tally_lanes(p->problem->operations,
                (tally_lanes_of){.scales = 4.0, .products = 4.0, .inverses = 1.0, .shifts = 3.0});
    return (law){lane_multiply(lane_multiply(now, before), w), lane_scale(K * D0 - K0 * D, w)};
}

// ---- The reference, whichever it is ---------------------------------------------------------

static int size_of(const atemi_blow_reference *r)
{
    return r->chain.holds ? r->chain.count : r->axis_count;
}

static atemi_blow_lane at(const atemi_blow_propagator *p, int axis, const atemi_blow_lane *x)
{
    return p->reference->chain.holds ? atemi_blow_chain_at(p, axis, x)
                                     : x[p->reference->places[axis]];
}

static void add(const atemi_blow_propagator *p, int axis, atemi_blow_lane amount,
                atemi_blow_lane *x)
{
    if (p->reference->chain.holds) {
        atemi_blow_chain_add(p, axis, amount, x);
    } else {
        x[p->reference->places[axis]] = lane_add(x[p->reference->places[axis]], amount);
    }
}

static void solve(const atemi_blow_propagator *p, atemi_blow_lane f, atemi_blow_lane *x)
{
    if (p->reference->chain.holds) {
        atemi_blow_chain_push(p, x);
        atemi_blow_chain_solve(p, f, x);
    } else {
        atemi_blow_dense_solve(p, f, x);
    }
}

// ---- The small system -----------------------------------------------------------------------

// c^T N^-1 e_i, for the column N^-1 e_i.
static atemi_blow_lane reach_of(const atemi_blow_propagator *p, int axis,
                                const atemi_blow_lane *column)
{
    const atemi_blow_reduction *chain = &p->reference->chain;
    if (!chain->holds) {
        return p->rung->touch[p->reference->places[axis]];
    }
    return chain->count > 0 ? lane_scale(chain->touch, column[0]) : lane_of(0.0);
}

static void fill_column(const atemi_blow_propagator *p, int axis, atemi_blow_lane *column)
{
    memset(column, 0, (size_t)size_of(p->reference) * sizeof *column);
    add(p, axis, lane_of(1.0), column);
    solve(p, lane_of(0.0), column);
}

// Row i of H, and its softness. `give` is the inverse of a chain's inertance.
static void fill_row(const atemi_blow_propagator *p, int i, bool has_gap, atemi_blow_lane give)
{
    const int       *axes = p->segment->deviants;
    atemi_blow_lane *row = symmetric_row(p->rung->system, i);
    fill_column(p, axes[i], p->more);
    p->rung->reach[i] = reach_of(p, axes[i], p->more);
    for (int k = 0; k <= i; ++k) {
        row[k] = at(p, axes[k], p->more);
        if (has_gap) {
            row[k] = lane_add(row[k], lane_scale(atemi_blow_chain_gap(p, axes[i], axes[k]), give));
        }
    }
    row[i] = lane_add(row[i], law_of(p, axes[i]).softness);
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = has_gap ? i + 2.0 : 1.0,
                                                         .scales = has_gap ? i + 1.0 : 0.0});
}

void atemi_blow_deviation_prepare(const atemi_blow_propagator *p)
{
    const int                   n = p->segment->deviant_count;
    const atemi_blow_reduction *chain = &p->reference->chain;
    const bool                  has_gap = chain->holds && chain->count < p->reference->axis_count;
    const atemi_blow_lane       give =
        has_gap ? lane_invert(atemi_blow_chain_inertance(p)) : lane_of(0.0);
    atemi_blow_rung *rung = p->rung;
    for (int i = 0; i < n; ++i) {
        fill_row(p, i, has_gap, give);
        rung->answer[i] = lane_scale(-1.0, rung->reach[i]);
    }
    atemi_blow_symmetric_factor(n, rung->system, p->deviations);
    atemi_blow_symmetric_solve(n, rung->system, rung->answer);
    for (int i = 0; i < n; ++i) {
        rung->held_now = lane_add(rung->held_now, lane_multiply(rung->reach[i], rung->answer[i]));
    }
    tally_factor(p->problem->operations, n);
    tally_solve(p->problem->operations, n);
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = n, .products = n});
}

// m without force, and what it adds to the push on the hand.
static atemi_blow_lane find_deviations(const atemi_blow_propagator *p, const atemi_blow_state *from)
{
    const int      *axes = p->segment->deviants, n = p->segment->deviant_count;
    atemi_blow_lane product = lane_of(0.0);
    for (int i = 0; i < n; ++i) {
        const atemi_blow_lane share = lane_scale(from->angle[axes[i]], law_of(p, axes[i]).share);
        p->deviations[i] = lane_scale(-1.0, lane_add(at(p, axes[i], p->unknown), share));
    }
    atemi_blow_symmetric_solve(n, p->rung->system, p->deviations);
    for (int i = 0; i < n; ++i) {
        product = lane_add(product, lane_multiply(p->rung->reach[i], p->deviations[i]));
    }
    tally_solve(p->problem->operations, n);
    tally_lanes(p->problem->operations,
                (tally_lanes_of){.sums = 2.0 * n, .scales = n, .products = n});
    return product;
}

// N^-1 of the force and the deviations, added to the torques.
static void add_answer(const atemi_blow_propagator *p, atemi_blow_lane f)
{
    const int size = size_of(p->reference);
    memset(p->more, 0, (size_t)size * sizeof *p->more);
    for (int i = 0; i < p->segment->deviant_count; ++i) {
        const atemi_blow_lane answer = lane_multiply(f, p->rung->answer[i]);
        add(p, p->segment->deviants[i], lane_add(p->deviations[i], answer), p->more);
    }
    solve(p, f, p->more);
    for (int i = 0; i < size; ++i) {
        p->unknown[i] = lane_add(p->unknown[i], p->more[i]);
    }
    const double n = p->segment->deviant_count;
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = n + size, .products = n});
}

atemi_blow_lane atemi_blow_deviation_solve(const atemi_blow_propagator *p,
                                           const atemi_blow_state      *from)
{
    const bool            chain = p->reference->chain.holds;
    const atemi_blow_lane before =
        chain ? atemi_blow_chain_push(p, p->unknown) : atemi_blow_dense_push(p, p->unknown);
    if (chain) {
        atemi_blow_chain_solve(p, lane_of(0.0), p->unknown);
    } else {
        atemi_blow_dense_solve(p, lane_of(0.0), p->unknown);
    }
    const atemi_blow_lane pushed = lane_add(before, find_deviations(p, from));
    const atemi_blow_lane f = atemi_blow_contact_force(p, from, pushed);
    add_answer(p, f);
    return f;
}
