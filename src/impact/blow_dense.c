// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_propagator.h"
#include "math/matrix.h"

// N tau = -(y + g / s + E z) + c f for any gains, see blow_propagator.c. N / s has a positive
// definite real part where s has, so that N = L D L^T needs no pivoting.

// s^2 / (s D + K)
static atemi_blow_lane inertance(atemi_blow_lane s, double D, double K)
{
    if (K == 0.0) {
        return lane_scale(1.0 / D, s);
    }
    return lane_multiply(lane_multiply(s, s), lane_invert(lane_shift(K, lane_scale(D, s))));
}

static void fill(const atemi_blow_propagator *p)
{
    const atemi_blow_reference *r = p->reference;
    const atemi_virtual_base   *base = p->problem->base;
    for (int i = 0; i < r->axis_count; ++i) {
        const int        axis = r->axes[i];
        const double    *C = row_in(base->mobility, base->stride, axis);
        atemi_blow_lane *row = symmetric_row(p->rung->factor, i);
        for (int j = 0; j <= i; ++j) {
            row[j] = lane_of(C[r->axes[j]]);
        }
        row[i] = lane_add(row[i], inertance(p->rung->s, r->damping[axis], r->stiffness[axis]));
    }
}

atemi_blow_lane atemi_blow_dense_factor(const atemi_blow_propagator *p)
{
    const atemi_blow_reference *r = p->reference;
    const double               *c = p->problem->base->response;
    atemi_blow_lane            *touch = p->rung->touch, product = lane_of(0.0);
    fill(p);
    atemi_blow_symmetric_factor(r->axis_count, p->rung->factor, p->unknown);
    for (int i = 0; i < r->axis_count; ++i) {
        touch[i] = lane_of(c[r->axes[i]]);
    }
    atemi_blow_symmetric_solve(r->axis_count, p->rung->factor, touch);
    for (int i = 0; i < r->axis_count; ++i) {
        product = lane_add(product, lane_scale(c[r->axes[i]], touch[i]));
    }
    const double n = r->axis_count;
    tally_factor(p->problem->operations, n);
    tally_solve(p->problem->operations, n);
    tally_lanes(
        p->problem->operations,
        (tally_lanes_of){
            .sums = 2.0 * n, .scales = 2.0 * n, .products = 2.0 * n, .inverses = n, .shifts = n});
    return product;
}

// s K / (s D + K)
static atemi_blow_lane angle_share(atemi_blow_lane s, double D, double K)
{
    return lane_scale(K, lane_multiply(s, lane_invert(lane_shift(K, lane_scale(D, s)))));
}

void atemi_blow_dense_load(const atemi_blow_propagator *p, const atemi_blow_state *from)
{
    const atemi_blow_reference *r = p->reference;
    const double               *drift = p->segment->drift;
    for (int i = 0; i < r->axis_count; ++i) {
        const int       axis = r->axes[i];
        const double    K = r->stiffness[axis];
        atemi_blow_lane sum =
            lane_shift(from->rate[axis], lane_scale(drift[axis], p->rung->inverse));
        if (K != 0.0) {
            const atemi_blow_lane share = angle_share(p->rung->s, r->damping[axis], K);
            sum = lane_add(sum, lane_scale(from->angle[axis], share));
        }
        p->unknown[i] = lane_scale(-1.0, sum);
    }
    const double n = r->axis_count;
    tally_lanes(p->problem->operations,
                (tally_lanes_of){
                    .sums = n, .scales = 4.0 * n, .products = n, .inverses = n, .shifts = 2.0 * n});
}

atemi_blow_lane atemi_blow_dense_push(const atemi_blow_propagator *p, atemi_blow_lane *x)
{
    atemi_blow_lane product = lane_of(0.0);
    for (int i = 0; i < p->reference->axis_count; ++i) {
        product = lane_add(product, lane_multiply(p->rung->touch[i], x[i]));
    }
    const double n = p->reference->axis_count;
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = n, .products = n});
    return product;
}

void atemi_blow_dense_solve(const atemi_blow_propagator *p, atemi_blow_lane f, atemi_blow_lane *x)
{
    const atemi_blow_reference *r = p->reference;
    for (int i = 0; i < r->axis_count; ++i) {
        x[i] = lane_add(x[i], lane_scale(p->problem->base->response[r->axes[i]], f));
    }
    atemi_blow_symmetric_solve(r->axis_count, p->rung->factor, x);
    const double n = r->axis_count;
    tally_lanes(p->problem->operations, (tally_lanes_of){.sums = n, .scales = n});
    tally_solve(p->problem->operations, n);
}
