// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_chain_forcing.h"

#include "math/matrix.h"

// With the torques tau = sum_j t_j u_j of the blow at the poles of a step, and P of
// blow_chain_variation.c, the forcing of blow_variation.c is
//
//   h_i = sum_j P_ij t_j - P_i f,   h_h = sum_j P_j t_j - P_h f
//
// and the same for each axis whose servo is at its limit. Torques of such servos beside the chain,
// m_k / a of each, count with what they have of P.

static void put_parts(atemi_blow_lane x, double *parts)
{
    for (int k = 0; k < BLOW_POLES; ++k) {
        parts[k] = x.re[k];
        parts[BLOW_POLES + k] = x.im[k];
    }
}

// The integrals since first touch of a torque or the force: once, and twice `apart` behind it.
static void add_sums(double h, atemi_blow_lane x, const atemi_blow_lane integrals[2], int apart,
                     const double *from, double *to)
{
    to[0] = from[0] + lane_real_sum(integrals[0], x);
    to[apart] = from[apart] + h * from[0] + lane_real_sum(integrals[1], x);
}

// Those of torques that are at their limits no longer go on.
static void keep_sums(double h, atemi_blow_variation *v)
{
    const double *from = v->now.beside;
    double       *to = v->there.beside;
    for (int k = 0; k < v->chain.slot_count; ++k) {
        to[k] = from[k];
        to[v->count + k] = from[v->count + k] + h * from[k];
    }
}

// Torques beside the chain at the poles, by slots; m_i / a of each into `unknown`.
static void find_amounts(const atemi_blow_propagator *propagator, double h,
                         const atemi_blow_lane integrals[2], atemi_blow_variation *v)
{
    const atemi_blow_segment *g = propagator->segment;
    const atemi_blow_rung    *rung = propagator->rung;
    keep_sums(h, v);
    for (int k = 0; k < g->deviant_count; ++k) {
        const int             axis = g->deviants[k], slot = v->chain.slots[axis];
        const atemi_blow_lane give = lane_invert(atemi_blow_chain_inertance(propagator));
        const atemi_blow_lane m =
            lane_add_product(propagator->deviations[k], rung->answer[k], propagator->force);
        v->unknown[k] = lane_multiply(m, give);
        const atemi_blow_lane amount = lane_add(lane_scale(g->torque[axis], rung->inverse),
                                                lane_scale(v->chain.damping[axis], v->unknown[k]));
        put_parts(amount, row_of(v->chain.amounts, BLOW_PARTS, slot));
        add_sums(h, amount, integrals, v->count, v->now.beside + slot, v->there.beside + slot);
    }
}

// Torques and force of the blow at the poles, and their integrals since first touch.
static void find_parts(atemi_blow_propagator *propagator, const atemi_blow_state *from, double h,
                       atemi_blow_state *scratch, atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    const atemi_blow_segment   *g = propagator->segment;
    const int                   n = r->count, stride = propagator->problem->base->stride;
    atemi_blow_lane             integrals[2];
    atemi_blow_integrals(h, integrals);
    atemi_blow_propagator_prepare(propagator, h, false);
    atemi_blow_propagator_step(propagator, from, true, scratch);
    find_amounts(propagator, h, integrals, v);
    for (int j = 0; j <= n; ++j) {
        atemi_blow_lane x = j < n ? propagator->unknown[j] : propagator->force;
        for (int k = 0; j < n && k < g->deviant_count; ++k) {
            const double u = row_in(r->torques, stride, j)[g->deviants[k]];
            x = lane_add(x, lane_scale(-u, v->unknown[k]));
        }
        put_parts(x, row_of(v->chain.parts, BLOW_PARTS, j));
        add_sums(h, x, integrals, n + 1, v->now.sums + j, v->there.sums + j);
    }
}

// sums += parts x
static void add_part(const double *parts, const double *x, pack *sums)
{
    const pack value = pack_at(x);
    for (int r = 0; r < BLOW_PARTS; ++r) {
        sums[r] += parts[r] * value;
    }
}

// A row of the forcing.
// @param row    [(chain + 1) x stride] what it has of chain and force
// @param beside what it has of each slot, `apart`
static void find_row(const atemi_blow_segment *g, const double *row, const double *beside,
                     int apart, const atemi_blow_variation *v, double *to)
{
    const int n = v->chain.chain->count + 1, stride = v->stride;
    for (int c = 0; c < stride; c += ATEMI_LANES) {
        const bool moves = c < v->base->moving;
        pack       sums[BLOW_PARTS] = {0};
        for (int k = 0; moves && k < n; ++k) {
            add_part(row_in(v->chain.parts, BLOW_PARTS, k), row_in(row, stride, k) + c, sums);
        }
        for (int k = 0; moves && k < g->deviant_count; ++k) {
            const int slot = v->chain.slots[g->deviants[k]];
            add_part(row_in(v->chain.amounts, BLOW_PARTS, slot), row_in(beside, apart, slot) + c,
                     sums);
        }
        for (int r = 0; r < BLOW_PARTS; ++r) {
            pack_put(row_of(to, stride, r) + c, sums[r]);
        }
    }
}

// h, behind it h_h with the drift of the reference, 1 / s at the poles, and behind that h_i.
static void find_forcing(const atemi_blow_segment *g, atemi_blow_lane inverse,
                         atemi_blow_variation *v)
{
    const int n = v->chain.chain->count, stride = v->stride, width = (n + 1) * stride;
    for (int i = 0; i <= n; ++i) {
        find_row(g, row_in(v->chain.coupling, width, i), row_in(v->chain.shares, stride, i), width,
                 v, blow_chain_forcing_row(v, i));
    }
    for (int k = 0; k < g->deviant_count; ++k) {
        const int axis = g->deviants[k];
        find_row(g, row_in(v->columns, width, axis), row_in(v->chain.columns, stride, axis),
                 v->count * stride, v, blow_chain_forcing_row(v, n + 1 + k));
    }
    double *hand = blow_chain_forcing_row(v, n);
    for (int k = 0; k < BLOW_POLES; ++k) {
        row_subtract(stride, -inverse.re[k], v->hand_push, row_of(hand, stride, k));
        row_subtract(stride, -inverse.im[k], v->hand_push, row_of(hand, stride, BLOW_POLES + k));
    }
}

void atemi_blow_chain_forcing_find(atemi_blow_propagator *propagator, const atemi_blow_state *from,
                                   double h, atemi_blow_state *scratch, atemi_blow_variation *v)
{
    find_parts(propagator, from, h, scratch, v);
    find_forcing(propagator->segment, propagator->rung->inverse, v);
}
