// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_propagator.h"

// With K = x D, in the coordinates y_j = u_j^T y, z_j = u_j^T z, g_j = u_j^T g of blow_reduction.h
// and tau = sum_j t_j u_j, the equations of blow_propagator.c are
//
//   (T + a) t = -(y + g / s + e z) + touch f e_1,   a = s^2 / (s + x),   e = s x / (s + x)
//
// and T is tridiagonal, so that a step costs O(n). Eliminated from the last row to the first:
//
//   p_i = T_ii + a - T_i,i+1^2 / p_i+1,   e_1^T (T + a)^-1 e_1 = 1 / p_1

static atemi_blow_lane angle_share(const atemi_blow_propagator *p)
{
    const double x = p->segment->reduction.ratio;
    return lane_multiply(lane_scale(x, p->s), lane_invert(lane_shift(x, p->s)));
}

// 1 / p_i into the factor.
atemi_blow_lane atemi_blow_chain_factor(atemi_blow_propagator *p)
{
    const atemi_blow_reduction *r = &p->segment->reduction;
    if (r->count == 0) {
        return lane_of(0.0);
    }
    const atemi_blow_lane square = lane_multiply(p->s, p->s);
    const atemi_blow_lane a = lane_multiply(square, lane_invert(lane_shift(r->ratio, p->s)));
    atemi_blow_lane       behind = lane_of(0.0);
    for (int i = r->count - 1; i >= 0; --i) {
        p->factor[i] = lane_invert(lane_add(lane_shift(r->diagonal[i], a), behind));
        behind = lane_scale(-r->off[i] * r->off[i], p->factor[i]);
    }
    return lane_scale(r->touch * r->touch, p->factor[0]);
}

atemi_blow_lane atemi_blow_chain_load(atemi_blow_propagator *p, const atemi_blow_state *from)
{
    const atemi_blow_reduction *r = &p->segment->reduction;
    const atemi_blow_lane       e = angle_share(p);
    if (r->count == 0) {
        return lane_of(0.0);
    }
    atemi_blow_lane behind = lane_of(0.0);
    for (int i = r->count - 1; i >= 0; --i) {
        atemi_blow_lane x = lane_shift(from->reduced_rate[i], lane_scale(r->drift[i], p->inverse));
        x = lane_add(x, lane_scale(from->reduced_angle[i], e));
        p->unknown[i] = lane_add(lane_scale(-1.0, x), behind);
        behind = lane_scale(-r->off[i], lane_multiply(p->factor[i], p->unknown[i]));
    }
    return lane_scale(r->touch, lane_multiply(p->factor[0], p->unknown[0]));
}

void atemi_blow_chain_solve(atemi_blow_propagator *p, atemi_blow_lane f)
{
    const atemi_blow_reduction *r = &p->segment->reduction;
    atemi_blow_lane             before = lane_scale(r->touch, f);
    for (int i = 0; i < r->count; ++i) {
        p->unknown[i] = lane_multiply(lane_add(p->unknown[i], before), p->factor[i]);
        if (i + 1 < r->count) {
            before = lane_scale(-r->off[i + 1], p->unknown[i]);
        }
    }
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
    const atemi_blow_reduction *r = &p->segment->reduction;
    const double                h = p->step;
    if (r->count == 0) {
        return;
    }
    for (int i = 0; i < r->count; ++i) {
        const double rate = from->reduced_rate[i], drift = r->drift[i];
        to->reduced_angle[i] = from->reduced_angle[i] + h * (rate + 0.5 * h * drift);
        to->reduced_rate[i] = rate + h * drift;
    }
    to->reduced_angle[0] -= r->touch * twice_force;
    to->reduced_rate[0] -= r->touch * once_force;
    add_product(r, p->twice, to->reduced_angle);
    add_product(r, p->once, to->reduced_rate);
}
