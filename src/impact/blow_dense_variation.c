// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_variation.h"

#include "math/matrix.h"

#include <string.h>

// With the forcing h and h_h of blow_variation.c,
//
//   h = dC (T + tau) + C dT - dc f,   h_h = db_h + dc^T (T + tau) + c^T dT - d(1/m_a) f
//
// which, transformed by Laplace, needs nothing but the transforms of tau and f: the derivative of
// (s - A)^-1 x is (s - A)^-1 (dx + dA (s - A)^-1 x), so that what is exact for the exponential is
// exact for its derivative, whether eigenvalues are close or not.
//
//   N dtau = -(dy + h + E dz) + c df
//   df (1 + (b + k / s) (1/m_a + 1/m_t - c^T N^-1 c) / s)
//        = (b + k / s) (dr + h_h - c^T N^-1 (dy + h + E dz)) / s + k dd / s
//
// and back in time as in blow_propagator.c. N is that of the gains of the mode, whatever it is.

// to += s from
static void add_scaled(int stride, double s, const double *from, double *to)
{
    row_subtract(stride, -s, from, to);
}

static void clear(int rows, int stride, double *x)
{
    memset(x, 0, (size_t)rows * (size_t)stride * sizeof *x);
}

// ---- A step's system

static void find_axes(const atemi_blow_problem *p, const atemi_blow_segment *g,
                      atemi_blow_solution *s)
{
    s->axis_count = 0;
    for (int i = p->base->base_count; i < p->base->count; ++i) {
        if (g->damping[i] > 0.0 || g->stiffness[i] > 0.0) {
            s->axes[s->axis_count++] = i;
        }
    }
}

// N, and E into `share`.
static void fill_system(const atemi_blow_problem *p, const atemi_blow_segment *g,
                        atemi_blow_solution *s)
{
    const atemi_virtual_base *base = p->base;
    for (int i = 0; i < s->axis_count; ++i) {
        const int             axis = s->axes[i];
        const double          D = g->damping[axis], K = g->stiffness[axis];
        const double         *C = row_in(base->mobility, base->stride, axis);
        const atemi_blow_lane give = lane_invert(lane_shift(K, lane_scale(D, s->s)));
        atemi_blow_lane      *row = symmetric_row(s->factor, i);
        for (int j = 0; j <= i; ++j) {
            row[j] = lane_of(C[s->axes[j]]);
        }
        row[i] = lane_add(row[i], lane_multiply(lane_multiply(s->s, s->s), give));
        s->share[i] = lane_scale(K, lane_multiply(s->s, give));
        s->touch[i] = lane_of(base->response[axis]);
    }
}

static void solve_system(const atemi_blow_problem *p, const atemi_blow_segment *g, double h,
                         atemi_blow_variation *v)
{
    atemi_blow_solution *s = &v->solution;
    if (s->step == h && s->version == g->version) {
        return;
    }
    s->step = h;
    s->version = g->version;
    s->s = atemi_blow_poles(h);
    s->inverse = lane_invert(s->s);
    s->held = lane_of(0.0);
    find_axes(p, g, s);
    fill_system(p, g, s);
    atemi_blow_symmetric_factor(s->axis_count, s->factor, v->unknown);
    atemi_blow_symmetric_solve(s->axis_count, s->factor, s->touch);
    for (int i = 0; i < s->axis_count; ++i) {
        s->held = lane_add(s->held, lane_scale(p->base->response[s->axes[i]], s->touch[i]));
    }
}

// What is without force into `x`: then the force, and all of it.
// @param moved of hand against target, without the torques' part
static atemi_blow_lane solve_for(const atemi_blow_problem *p, const atemi_blow_segment *g,
                                 const atemi_blow_solution *s, atemi_blow_lane moved, double depth,
                                 atemi_blow_lane *x)
{
    atemi_blow_lane f = lane_of(0.0);
    if (g->spring > 0.0) {
        const atemi_blow_lane law = lane_shift(g->damper, lane_scale(g->spring, s->inverse));
        const atemi_blow_lane give =
            lane_shift(p->base->give + g->target_give, lane_scale(-1.0, s->held));
        for (int i = 0; i < s->axis_count; ++i) {
            moved = lane_add_product(moved, s->touch[i], x[i]);
        }
        const atemi_blow_lane sum = lane_shift(g->spring * depth, lane_multiply(law, moved));
        const atemi_blow_lane one =
            lane_shift(1.0, lane_multiply(lane_multiply(law, give), s->inverse));
        f = lane_multiply(lane_multiply(sum, s->inverse), lane_invert(one));
    }
    for (int i = 0; i < s->axis_count; ++i) {
        x[i] = lane_add(x[i], lane_scale(p->base->response[s->axes[i]], f));
    }
    atemi_blow_symmetric_solve(s->axis_count, s->factor, x);
    return f;
}

// ---- The blow itself

// Values and integrals of a transform.
static void put_parts(atemi_blow_lane x, const atemi_blow_lane integrals[2], double *parts)
{
    for (int k = 0; k < 4; ++k) {
        parts[k] = x.re[k];
        parts[4 + k] = x.im[k];
    }
    parts[8] = lane_real_sum(integrals[0], x);
    parts[9] = lane_real_sum(integrals[1], x);
}

// A constant, likewise.
static void constant_parts(const atemi_blow_solution *s, double *parts)
{
    for (int k = 0; k < 4; ++k) {
        parts[k] = s->inverse.re[k];
        parts[4 + k] = s->inverse.im[k];
    }
    parts[8] = s->step;
    parts[9] = 0.5 * s->step * s->step;
}

// T + tau and f over the step, in parts.
static void find_parts(const atemi_blow_problem *p, const atemi_blow_segment *g,
                       const atemi_blow_state *from, const atemi_blow_lane integrals[2],
                       atemi_blow_variation *v)
{
    const atemi_blow_solution *s = &v->solution;
    const double               drift = g->hand_drift - g->target_drift;
    double                     constant[ATEMI_BLOW_PARTS];
    atemi_blow_lane           *x = v->unknown;
    for (int i = 0; i < s->axis_count; ++i) {
        const int axis = s->axes[i];
        x[i] = lane_shift(from->rate[axis], lane_scale(g->drift[axis], s->inverse));
        x[i] = lane_scale(-1.0, lane_add(x[i], lane_scale(from->angle[axis], s->share[i])));
    }
    const atemi_blow_lane moved =
        lane_shift(from->hand - from->target, lane_scale(drift, s->inverse));
    put_parts(solve_for(p, g, s, moved, from->depth, x), integrals, v->force_parts);
    clear(v->count, ATEMI_BLOW_PARTS, v->parts);
    for (int i = 0; i < s->axis_count; ++i) {
        put_parts(x[i], integrals, row_of(v->parts, ATEMI_BLOW_PARTS, s->axes[i]));
    }
    constant_parts(s, constant);
    for (int i = p->base->base_count; i < v->count; ++i) {
        if (g->torque[i] != 0.0) {
            add_scaled(ATEMI_BLOW_PARTS, g->torque[i], constant,
                       row_of(v->parts, ATEMI_BLOW_PARTS, i));
        }
    }
}

// ---- The forcing

// to[r] = sum over k of parts[k][r] rows[k], zero behind the directions that move the posture
static void combine(int count, const double *parts, const double *rows, int moving, int stride,
                    size_t apart, double *to)
{
    for (int c = 0; c < stride; c += ATEMI_LANES) {
        const int columns = c < moving ? count : 0;
        pack      sum[ATEMI_BLOW_PARTS] = {0};
        for (int k = 0; k < columns; ++k) {
            const pack    x = pack_at(row_in(rows, stride, k) + c);
            const double *part = row_in(parts, ATEMI_BLOW_PARTS, k);
            for (int r = 0; r < ATEMI_BLOW_PARTS; ++r) {
                sum[r] += part[r] * x;
            }
        }
        for (int r = 0; r < ATEMI_BLOW_PARTS; ++r) {
            pack_put(to + (size_t)r * apart + c, sum[r]);
        }
    }
}

static void find_forcing(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    const int     n = v->count, stride = v->stride, first = p->base->base_count;
    const int     moving = v->base->moving;
    const size_t  size = (size_t)n * (size_t)stride;
    const double *parts = row_in(v->parts, ATEMI_BLOW_PARTS, first);
    double        constant[ATEMI_BLOW_PARTS];
    for (int i = 0; i < n; ++i) {
        combine(n - first, parts, row_in(v->columns, (n - first + 1) * stride, i), moving, stride,
                size, row_of(v->forcing, stride, i));
    }
    combine(n - first, parts, row_in(v->base->response, stride, first), moving, stride,
            (size_t)stride, v->hand_forcing);
    constant_parts(&v->solution, constant);
    for (int r = 0; r < ATEMI_BLOW_PARTS; ++r) {
        double *forcing = v->forcing + (size_t)r * size;
        double *hand = row_of(v->hand_forcing, stride, r);
        row_subtract(n * stride, v->force_parts[r], v->base->response, forcing);
        row_subtract(stride, v->force_parts[r], v->base->give, hand);
        add_scaled(stride, constant[r], v->hand_push, hand);
        if (v->has_torque) {
            add_scaled(n * stride, constant[r], v->push, forcing);
        }
    }
}

// ---- The step

static atemi_blow_lane gather(const double *parts, size_t apart)
{
    return (atemi_blow_lane){
        {parts[0], parts[apart], parts[2 * apart], parts[3 * apart]},
        {parts[4 * apart], parts[5 * apart], parts[6 * apart], parts[7 * apart]}};
}

// The integrals of dtau and df in one direction.
static void solve_direction(const atemi_blow_problem *p, const atemi_blow_segment *g, int direction,
                            const atemi_blow_lane integrals[2], atemi_blow_variation *v)
{
    const atemi_blow_solution *s = &v->solution;
    const atemi_blow_change   *from = &v->now;
    const int                  stride = v->stride;
    const size_t               size = (size_t)v->count * (size_t)stride;
    atemi_blow_lane           *x = v->unknown;
    for (int i = 0; i < s->axis_count; ++i) {
        const int at = s->axes[i] * stride + direction;
        x[i] = lane_shift(from->rate[at], gather(v->forcing + at, size));
        x[i] = lane_scale(-1.0, lane_add(x[i], lane_scale(from->angle[at], s->share[i])));
    }
    const atemi_blow_lane moved = lane_shift(from->hand[direction] - from->target[direction],
                                             gather(v->hand_forcing + direction, (size_t)stride));
    const atemi_blow_lane f = solve_for(p, g, s, moved, from->depth[direction], x);
    v->once_force[direction] = lane_real_sum(integrals[0], f);
    v->twice_force[direction] = lane_real_sum(integrals[1], f);
    for (int i = 0; i < s->axis_count; ++i) {
        const int at = s->axes[i] * stride + direction;
        v->once[at] = lane_real_sum(integrals[0], x[i]);
        v->twice[at] = lane_real_sum(integrals[1], x[i]);
    }
}

static void advance_rates(const atemi_blow_problem *p, double h, atemi_blow_variation *v)
{
    const atemi_virtual_base *base = p->base;
    const int                 n = v->count, stride = v->stride;
    const double             *once = v->forcing + (size_t)8 * (size_t)(n * stride);
    const double             *twice = once + n * stride;
    for (int i = 0; i < n * stride; ++i) {
        v->there.rate[i] = v->now.rate[i] + once[i];
        v->there.angle[i] = v->now.angle[i] + h * v->now.rate[i] + twice[i];
    }
    for (int i = 0; i < n; ++i) {
        row_subtract(stride, base->response[i], v->once_force, row_of(v->there.rate, stride, i));
        row_subtract(stride, base->response[i], v->twice_force, row_of(v->there.angle, stride, i));
    }
    matrix_add_multiply(n, n, base->mobility, base->stride, v->once, stride, v->there.rate);
    matrix_add_multiply(n, n, base->mobility, base->stride, v->twice, stride, v->there.angle);
}

static void advance_contact(const atemi_blow_problem *p, const atemi_blow_segment *g, double h,
                            atemi_blow_variation *v)
{
    const atemi_virtual_base *base = p->base;
    const atemi_blow_change  *from = &v->now, *to = &v->there;
    const int                 stride = v->stride;
    double *once = row_of(v->hand_forcing, stride, 8), *twice = row_of(v->hand_forcing, stride, 9);
    matrix_add_multiply(1, v->count, base->response, base->stride, v->once, stride, once);
    matrix_add_multiply(1, v->count, base->response, base->stride, v->twice, stride, twice);
    for (int c = 0; c < stride; ++c) {
        const double once_force = v->once_force[c], twice_force = v->twice_force[c];
        to->impulse[c] = from->impulse[c] + once_force;
        to->hand[c] = from->hand[c] + once[c] - base->give * once_force;
        to->target[c] = from->target[c] + g->target_give * once_force;
        to->travel[c] = from->travel[c] + h * from->target[c] + g->target_give * twice_force;
        to->depth[c] = from->depth[c] + h * (from->hand[c] - from->target[c]) + twice[c] -
                       (base->give + g->target_give) * twice_force;
    }
}

void atemi_blow_dense_variation_look(const atemi_blow_problem *p, const atemi_blow_segment *segment,
                                     const atemi_blow_state *from, double h,
                                     atemi_blow_variation *v)
{
    atemi_blow_lane integrals[2];
    atemi_blow_integrals(h, integrals);
    solve_system(p, segment, h, v);
    find_parts(p, segment, from, integrals, v);
    find_forcing(p, v);
    clear(v->count, v->stride, v->once);
    clear(v->count, v->stride, v->twice);
    for (int c = 0; c < v->directions; ++c) {
        solve_direction(p, segment, c, integrals, v);
    }
    advance_rates(p, h, v);
    advance_contact(p, segment, h, v);
}
