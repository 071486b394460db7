// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_propagator.h"
#include "math/matrix.h"

// With K = x D, in the coordinates y_j = u_j^T y, z_j = u_j^T z, g_j = u_j^T g of blow_reduction.h
// and tau = sum_j t_j u_j, the equations of blow_propagator.c are
//
//   (T + a) t = -(y + g / s + e z) + touch f e_1,   a = s^2 / (s + x),   e = s x / (s + x)
//
// and T is tridiagonal, so that a step costs O(n). Eliminated from the last row to the first:
//
//   p_i = T_ii + a - T_i,i+1^2 / p_i+1,   e_1^T (T + a)^-1 e_1 = 1 / p_1

atemi_blow_lane atemi_blow_chain_inertance(const atemi_blow_propagator *p)
{
    const atemi_blow_lane s = p->rung->s, square = lane_multiply(s, s);
    return lane_multiply(square, lane_invert(lane_shift(p->reference->chain.ratio, s)));
}

static atemi_blow_lane angle_share(const atemi_blow_propagator *p)
{
    const double x = p->reference->chain.ratio;
    return lane_multiply(lane_scale(x, p->rung->s), lane_invert(lane_shift(x, p->rung->s)));
}

// 1 / p_i into the factor, and -T_i,i-1 / p_i, by which a row hands itself on, into `touch`, which
// a chain does not need otherwise.
atemi_blow_lane atemi_blow_chain_factor(const atemi_blow_propagator *p)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    if (r->count == 0) {
        return lane_of(0.0);
    }
    atemi_blow_lane      *factor = p->rung->factor, *link = p->rung->touch;
    const atemi_blow_lane a = atemi_blow_chain_inertance(p);
    atemi_blow_lane       behind = lane_of(0.0);
    for (int i = r->count - 1; i >= 0; --i) {
        factor[i] = lane_invert(lane_add(lane_shift(r->diagonal[i], a), behind));
        link[i] = lane_scale(-r->off[i], factor[i]);
        behind = lane_scale(r->off[i], link[i]);
    }
    const double n = r->count;
    tally(p->problem->operations, 0.0, 1.0, 0.0);
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = n,
                                                         .scales = 2.0 * n + 1.0,
                                                         .products = 2.0,
                                                         .inverses = n + 1.0,
                                                         .shifts = n + 1.0});
    return lane_scale(r->touch * r->touch, factor[0]);
}

void atemi_blow_chain_load(const atemi_blow_propagator *p, const atemi_blow_state *from)
{
    const atemi_blow_lane e = angle_share(p);
    const double         *drift = p->segment->reduced_drift;
    for (int i = 0; i < p->reference->chain.count; ++i) {
        const atemi_blow_lane x =
            lane_shift(from->reduced_rate[i], lane_scale(drift[i], p->rung->inverse));
        p->unknown[i] = lane_scale(-1.0, lane_add(x, lane_scale(from->reduced_angle[i], e)));
    }
    const double n = p->reference->chain.count;
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = n,
                                                         .scales = 2.0 * n + 1.0,
                                                         .products = 1.0,
                                                         .inverses = 1.0,
                                                         .shifts = n + 1.0});
}

// Eliminates from the last row to the first.
atemi_blow_lane atemi_blow_chain_push(const atemi_blow_propagator *p, atemi_blow_lane *x)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    if (r->count == 0) {
        return lane_of(0.0);
    }
    for (int i = r->count - 1; i > 0; --i) {
        x[i - 1] = lane_add_product(x[i - 1], p->rung->touch[i], x[i]);
    }
    const double n = r->count;
    tally_lanes(p->problem->operations,
                (tally_lanes_of){.sums = n - 1.0, .scales = 1.0, .products = n});
    return lane_scale(r->touch, lane_multiply(p->rung->factor[0], x[0]));
}

void atemi_blow_chain_solve(const atemi_blow_propagator *p, atemi_blow_lane f, atemi_blow_lane *x)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    const atemi_blow_lane      *factor = p->rung->factor, *link = p->rung->touch;
    if (r->count == 0) {
        return;
    }
    x[0] = lane_multiply(lane_add(x[0], lane_scale(r->touch, f)), factor[0]);
    for (int i = 1; i < r->count; ++i) {
        x[i] = lane_add_product(lane_multiply(x[i], factor[i]), link[i], x[i - 1]);
    }
    const double n = r->count;
    tally_lanes(p->problem->operations,
                (tally_lanes_of){.sums = n, .scales = 1.0, .products = 2.0 * n - 1.0});
}

atemi_blow_lane atemi_blow_chain_at(const atemi_blow_propagator *p, int axis,
                                    const atemi_blow_lane *x)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    const int                   stride = p->problem->base->stride;
    atemi_blow_lane             sum = lane_of(0.0);
    for (int j = 0; j < r->count; ++j) {
        sum = lane_add(sum, lane_scale(row_in(r->torques, stride, j)[axis], x[j]));
    }
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = r->count, .scales = r->count});
    return sum;
}

void atemi_blow_chain_add(const atemi_blow_propagator *p, int axis, atemi_blow_lane amount,
                          atemi_blow_lane *x)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    const int                   stride = p->problem->base->stride;
    for (int j = 0; j < r->count; ++j) {
        x[j] = lane_add(x[j], lane_scale(row_in(r->torques, stride, j)[axis], amount));
    }
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = r->count, .scales = r->count});
}

double atemi_blow_chain_gap(const atemi_blow_propagator *p, int a, int b)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    const int                   stride = p->problem->base->stride;
    double                      sum = a == b ? p->reference->damping[a] : 0.0;
    for (int j = 0; j < r->count; ++j) {
        const double *u = row_in(r->torques, stride, j);
        sum -= u[a] * u[b];
    }
    tally_products(p->problem->operations, r->count);
    return sum;
}

// x += T t
static void add_product(const atemi_blow_reduction *r, const double *restrict t, double *restrict x)
{
    const int last = r->count - 1;
    for (int i = 1; i <= last; ++i) {
        x[i] += r->diagonal[i] * t[i] + r->off[i] * t[i - 1];
    }
    for (int i = 0; i < last; ++i) {
        x[i] += r->off[i + 1] * t[i + 1];
    }
    x[0] += r->diagonal[0] * t[0];
}

void atemi_blow_chain_advance(const atemi_blow_propagator *p, const atemi_blow_state *from,
                              double once_force, double twice_force, atemi_blow_state *to)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    const double                h = p->rung->step;
    if (r->count == 0) {
        return;
    }
    for (int i = 0; i < r->count; ++i) {
        const double rate = from->reduced_rate[i], drift = p->segment->reduced_drift[i];
        to->reduced_angle[i] = from->reduced_angle[i] + h * (rate + 0.5 * h * drift);
        to->reduced_rate[i] = rate + h * drift;
    }
    to->reduced_angle[0] -= r->touch * twice_force;
    to->reduced_rate[0] -= r->touch * once_force;
    add_product(r, p->twice, to->reduced_angle);
    add_product(r, p->once, to->reduced_rate);
    tally(p->problem->operations, 9.0 * r->count, 10.0 * r->count, 0.0);
}
