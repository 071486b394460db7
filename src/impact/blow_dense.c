// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_propagator.h"
#include "impact/matrix.h"

// N tau = -(y + g / s + E z) + c f for any gains, see blow_propagator.c. N / s has a positive
// definite real part where s has, so that N = L D L^T needs no pivoting. L stands in packed rows,
// with the inverse of D_i in place of its ones.

static inline atemi_blow_lane *packed_row(atemi_blow_lane *L, int i)
{
    return L + (size_t)i * (size_t)(i + 1) / 2;
}

// s^2 / (s D + K)
static atemi_blow_lane inertance(atemi_blow_lane s, double D, double K)
{
    if (K == 0.0) {
        return lane_scale(1.0 / D, s);
    }
    return lane_multiply(lane_multiply(s, s), lane_invert(lane_shift(K, lane_scale(D, s))));
}

static void fill(atemi_blow_propagator *p)
{
    const atemi_blow_segment *g = p->segment;
    const atemi_virtual_base *base = p->problem->base;
    for (int i = 0; i < g->axis_count; ++i) {
        const double    *C = row_in(base->mobility, base->stride, g->axes[i]);
        atemi_blow_lane *row = packed_row(p->factor, i);
        for (int j = 0; j <= i; ++j) {
            row[j] = lane_of(C[g->axes[j]]);
        }
        row[i] =
            lane_add(row[i], inertance(p->s, g->damping[g->axes[i]], g->stiffness[g->axes[i]]));
    }
}

// a - sum_k b_k c_k, in independent sums so that additions need not wait for each other.
static inline atemi_blow_lane subtract_products(int n, atemi_blow_lane a, const atemi_blow_lane *b,
                                                const atemi_blow_lane *c)
{
    atemi_blow_four rr = {0}, ii = {0}, ri = {0}, ir = {0};
    for (int k = 0; k < n; ++k) {
        rr += b[k].re * c[k].re;
        ii += b[k].im * c[k].im;
        ri += b[k].re * c[k].im;
        ir += b[k].im * c[k].re;
    }
    return (atemi_blow_lane){a.re - (rr - ii), a.im - (ri + ir)};
}

// N = L D L^T, column by column; row j times D stands in `unknown` meanwhile.
static void factor(atemi_blow_propagator *p)
{
    const int        n = p->segment->axis_count;
    atemi_blow_lane *scaled = p->unknown;
    for (int j = 0; j < n; ++j) {
        atemi_blow_lane *row = packed_row(p->factor, j);
        atemi_blow_lane  pivot = row[j];
        for (int k = 0; k < j; ++k) {
            scaled[k] = row[k];
            row[k] = lane_multiply(row[k], packed_row(p->factor, k)[k]);
        }
        pivot = subtract_products(j, pivot, row, scaled);
        row[j] = lane_invert(pivot);
        for (int i = j + 1; i < n; ++i) {
            atemi_blow_lane *below = packed_row(p->factor, i);
            below[j] = subtract_products(j, below[j], below, row);
        }
    }
}

static void solve(atemi_blow_propagator *p, atemi_blow_lane *x)
{
    const int n = p->segment->axis_count;
    for (int i = 0; i < n; ++i) {
        x[i] = subtract_products(i, x[i], packed_row(p->factor, i), x);
    }
    for (int i = 0; i < n; ++i) {
        x[i] = lane_multiply(x[i], packed_row(p->factor, i)[i]);
    }
    for (int i = n - 1; i > 0; --i) {
        const atemi_blow_lane *row = packed_row(p->factor, i);
        for (int k = 0; k < i; ++k) {
            x[k] = lane_subtract_product(x[k], row[k], x[i]);
        }
    }
}

atemi_blow_lane atemi_blow_dense_factor(atemi_blow_propagator *p)
{
    const atemi_blow_segment *g = p->segment;
    const double             *c = p->problem->base->response;
    atemi_blow_lane           product = lane_of(0.0);
    fill(p);
    factor(p);
    for (int i = 0; i < g->axis_count; ++i) {
        p->touch[i] = lane_of(c[g->axes[i]]);
    }
    solve(p, p->touch);
    for (int i = 0; i < g->axis_count; ++i) {
        product = lane_add(product, lane_scale(c[g->axes[i]], p->touch[i]));
    }
    return product;
}

// s K / (s D + K)
static atemi_blow_lane angle_share(atemi_blow_lane s, double D, double K)
{
    return lane_scale(K, lane_multiply(s, lane_invert(lane_shift(K, lane_scale(D, s)))));
}

atemi_blow_lane atemi_blow_dense_load(atemi_blow_propagator *p, const atemi_blow_state *from)
{
    const atemi_blow_segment *g = p->segment;
    atemi_blow_lane           product = lane_of(0.0);
    for (int i = 0; i < g->axis_count; ++i) {
        const int       axis = g->axes[i];
        const double    K = g->stiffness[axis];
        atemi_blow_lane sum = lane_shift(from->rate[axis], lane_scale(g->drift[axis], p->inverse));
        if (K != 0.0) {
            const atemi_blow_lane share = angle_share(p->s, g->damping[axis], K);
            sum = lane_add(sum, lane_scale(from->angle[axis], share));
        }
        p->unknown[i] = lane_scale(-1.0, sum);
        product = lane_add(product, lane_multiply(p->touch[i], p->unknown[i]));
    }
    return product;
}

void atemi_blow_dense_solve(atemi_blow_propagator *p, atemi_blow_lane f)
{
    const atemi_blow_segment *g = p->segment;
    for (int i = 0; i < g->axis_count; ++i) {
        const double c = p->problem->base->response[g->axes[i]];
        p->unknown[i] = lane_add(p->unknown[i], lane_scale(c, f));
    }
    solve(p, p->unknown);
}
