// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_variation.h"

#include "math/matrix.h"

#include <string.h>

// In the coordinates of a chain (blow_chain.c), which stay those of the blow itself, dy_i = u_i^T
// dy, dz_i = u_i^T dz, and with the torques tau = sum_j t_j u_j the forcing of blow_variation.c is
//
//   h_i = sum_j P_ij t_j - P_i f,   h_h = sum_j P_j t_j - P_h f,
//   P_ij = u_i^T dC u_j,   P_i = u_i^T dc,   P_h = d(1/m_a)
//
// so that with a = s^2 / (s + x) and e = s x / (s + x)
//
//   (T + a) dt = -(dy + h + e dz) + touch df e_1
//
// Changes of the torques beside the patterns move nothing. They are there: the rates themselves,
// which leave the motions that C has, are
//
//   dy = dC I + sum_j C u_j J_j - dc F - c dF
//
// with the integrals since first touch of torques I, their changes J and the force F; and dz with
// these integrals once more. Where a servo reaches its limit, they take the place of the chain.

enum { POLES = 4, PARTS = 2 * POLES };

// ---- First touch

static bool is_alone(const atemi_blow_problem *p, const atemi_blow_reference *reference)
{
    bool alone = reference->chain.holds && reference->chain.count > 0;
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        alone = alone && e->servo && e->limit == ATEMI_BLOW_WITHIN &&
                e->damping == reference->damping[e->axis] &&
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
    if (v->chain.holds) {
        find_columns(p, v);
        find_coupling(p, v);
    }
}

// ---- A step

static void put_parts(atemi_blow_lane x, double *parts)
{
    for (int k = 0; k < POLES; ++k) {
        parts[k] = x.re[k];
        parts[POLES + k] = x.im[k];
    }
}

// The integrals since first touch of one of n torques, or behind them of the force.
static void add_sums(double h, int n, int j, double once, double twice, atemi_blow_variation *v)
{
    const double *from = v->now.sums;
    double       *to = v->there.sums;
    to[j] = from[j] + once;
    to[n + 1 + j] = from[n + 1 + j] + h * from[j] + twice;
}

// Torques and force of the blow at the poles, and their integrals since first touch.
static void find_parts(atemi_blow_propagator *propagator, const atemi_blow_state *from, double h,
                       atemi_blow_state *scratch, atemi_blow_variation *v)
{
    const int       n = v->chain.chain->count;
    atemi_blow_lane integrals[2];
    atemi_blow_integrals(h, integrals);
    atemi_blow_propagator_prepare(propagator, h, false);
    atemi_blow_propagator_step(propagator, from, true, scratch);
    for (int j = 0; j < n; ++j) {
        put_parts(propagator->unknown[j], row_of(v->chain.parts, PARTS, j));
        add_sums(h, n, j, propagator->once[j], propagator->twice[j], v);
    }
    put_parts(propagator->force, row_of(v->chain.parts, PARTS, n));
    add_sums(h, n, n, lane_real_sum(integrals[0], propagator->force),
             lane_real_sum(integrals[1], propagator->force), v);
}

// h, and h_h behind it with the drift of the reference, 1 / s at the poles.
static void find_forcing(atemi_blow_lane inverse, atemi_blow_variation *v)
{
    const int n = v->chain.chain->count, stride = v->stride, width = (n + 1) * stride;
    for (int i = 0; i <= n; ++i) {
        const double *row = row_in(v->chain.coupling, width, i);
        double       *to = row_of(v->chain.forcing, PARTS * stride, i);
        for (int c = 0; c < stride; c += ATEMI_LANES) {
            const int columns = c < v->base->moving ? n + 1 : 0;
            pack      sums[PARTS] = {0};
            for (int k = 0; k < columns; ++k) {
                const pack    x = pack_at(row_in(row, stride, k) + c);
                const double *parts = row_in(v->chain.parts, PARTS, k);
                for (int r = 0; r < PARTS; ++r) {
                    sums[r] += parts[r] * x;
                }
            }
            for (int r = 0; r < PARTS; ++r) {
                pack_put(row_of(to, stride, r) + c, sums[r]);
            }
        }
    }
    double *hand = row_of(v->chain.forcing, PARTS * stride, n);
    for (int k = 0; k < POLES; ++k) {
        row_subtract(stride, -inverse.re[k], v->hand_push, row_of(hand, stride, k));
        row_subtract(stride, -inverse.im[k], v->hand_push, row_of(hand, stride, POLES + k));
    }
}

// A complex number for each direction, and one for all.
typedef struct pair {
    pack re, im;
} pair;

typedef struct number {
    double re, im;
} number;

static number lane_number(atemi_blow_lane x, int pole)
{
    return (number){x.re[pole], x.im[pole]};
}

// a + s b
static pair add_product(pair a, number s, pair b)
{
    return (pair){a.re + s.re * b.re - s.im * b.im, a.im + s.re * b.im + s.im * b.re};
}

static pair times(number s, pair b)
{
    return (pair){s.re * b.re - s.im * b.im, s.re * b.im + s.im * b.re};
}

static pair pair_at(const double *x)
{
    return (pair){pack_at(x), pack_at(x + ATEMI_LANES)};
}

static void pair_put(double *x, pair value)
{
    pack_put(x, value.re);
    pack_put(x + ATEMI_LANES, value.im);
}

static pair forcing_at(const atemi_blow_variation *v, int row, int pole, int c)
{
    const double *x = row_in(v->chain.forcing, PARTS * v->stride, row);
    return (pair){pack_at(row_in(x, v->stride, pole) + c),
                  pack_at(row_in(x, v->stride, POLES + pole) + c)};
}

// What is the same for all directions at the poles of a step.
typedef struct step {
    const atemi_blow_rung    *rung;
    const atemi_blow_segment *g;
    atemi_blow_lane           share;       // e
    atemi_blow_lane           gain, depth; // of the force by speed, and by depth
    atemi_blow_lane           integrals[2];
} step;

static step step_of(const atemi_blow_propagator *propagator, double h)
{
    const atemi_blow_segment *g = propagator->segment;
    const atemi_blow_rung    *rung = propagator->rung;
    const double              x = propagator->reference->chain.ratio;
    step                      s = {.rung = rung, .g = g};
    const double              give = propagator->problem->base->give + g->target_give;
    const atemi_blow_lane     law = lane_shift(g->damper, lane_scale(g->spring, rung->inverse));
    const atemi_blow_lane     admittance =
        lane_multiply(lane_shift(give, lane_scale(-1.0, rung->held_now)), rung->inverse);
    const atemi_blow_lane one = lane_invert(lane_shift(1.0, lane_multiply(law, admittance)));
    const atemi_blow_lane rate = lane_multiply(rung->inverse, one);
    s.share = lane_multiply(lane_scale(x, rung->s), lane_invert(lane_shift(x, rung->s)));
    s.gain = lane_multiply(law, rate);
    s.depth = lane_scale(g->spring, rate);
    atemi_blow_integrals(h, s.integrals);
    return s;
}

// The right-hand side at one pole, eliminated from the last row to the first.
static void load(const step *s, int pole, int c, const atemi_blow_variation *v)
{
    const number e = lane_number(s->share, pole);
    double      *x = v->chain.solution;
    pair         behind = {0};
    for (int i = v->chain.chain->count - 1; i >= 0; --i) {
        const pair h = forcing_at(v, i, pole, c);
        const pack y = pack_at(row_in(v->now.reduced_rate, v->stride, i) + c);
        const pack z = pack_at(row_in(v->now.reduced_angle, v->stride, i) + c);
        const pair own = {-(y + h.re + e.re * z), -(h.im + e.im * z)};
        behind = (pair){own.re + behind.re, own.im + behind.im};
        pair_put(x + (ptrdiff_t)2 * ATEMI_LANES * i, behind);
        behind = times(lane_number(s->rung->touch[i], pole), behind);
    }
}

// The force at one pole.
static pair force_at(const step *s, int pole, int c, const atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    const pair                  h = forcing_at(v, r->count, pole, c);
    const pack                  speed = pack_at(v->now.hand + c) - pack_at(v->now.target + c);
    const pack                  depth = pack_at(v->now.depth + c);
    pair                        moved = {speed + h.re, h.im};
    number                      push = lane_number(s->rung->factor[0], pole);
    push = (number){r->touch * push.re, r->touch * push.im};
    moved = add_product(moved, push, pair_at(v->chain.solution));
    const pair   force = times(lane_number(s->gain, pole), moved);
    const number d = lane_number(s->depth, pole);
    return (pair){force.re + d.re * depth, force.im + d.im * depth};
}

// Adds what a transform at one pole has to the integrals over the step.
static void add_integrals(const step *s, int pole, pair x, double *once, double *twice)
{
    const number a = lane_number(s->integrals[0], pole), b = lane_number(s->integrals[1], pole);
    pack_put(once, pack_at(once) + a.re * x.re - a.im * x.im);
    pack_put(twice, pack_at(twice) + b.re * x.re - b.im * x.im);
}

static void solve_pole(const step *s, int pole, int c, const atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    const int                   n = r->count, stride = v->stride;
    double                     *once = v->chain.once + c, *twice = v->chain.twice + c;
    load(s, pole, c, v);
    const pair f = force_at(s, pole, c, v);
    add_integrals(s, pole, f, once + (ptrdiff_t)n * stride, twice + (ptrdiff_t)n * stride);
    pair before = {r->touch * f.re, r->touch * f.im};
    for (int i = 0; i < n; ++i) {
        const number factor = lane_number(s->rung->factor[i], pole);
        const pair   own = pair_at(v->chain.solution + (ptrdiff_t)2 * ATEMI_LANES * i);
        if (i == 0) {
            before = times(factor, (pair){own.re + before.re, own.im + before.im});
        } else {
            before = add_product(times(factor, own), lane_number(s->rung->touch[i], pole), before);
        }
        add_integrals(s, pole, before, once + (ptrdiff_t)i * stride, twice + (ptrdiff_t)i * stride);
    }
}

static void solve(const step *s, const atemi_blow_variation *v)
{
    const size_t size = (size_t)((v->chain.chain->count + 1) * v->stride) * sizeof *v->chain.once;
    memset(v->chain.once, 0, size);
    memset(v->chain.twice, 0, size);
    for (int c = 0; c < v->stride; c += ATEMI_LANES) {
        for (int pole = 0; pole < POLES; ++pole) {
            solve_pole(s, pole, c, v);
        }
    }
}

// The integrals of a row of the forcing.
static void integrate(const step *s, int row, int c, const atemi_blow_variation *v, pack sums[2])
{
    sums[0] = sums[1] = (pack){0};
    for (int pole = 0; pole < POLES; ++pole) {
        const pair h = forcing_at(v, row, pole, c);
        for (int k = 0; k < 2; ++k) {
            const number w = lane_number(s->integrals[k], pole);
            sums[k] += w.re * h.re - w.im * h.im;
        }
    }
}

// Row i of T times the integrals.
static pack product_at(const atemi_blow_reduction *r, const double *integrals, int stride, int i)
{
    pack sum = r->diagonal[i] * pack_at(integrals + (ptrdiff_t)i * stride);
    if (i > 0) {
        sum += r->off[i] * pack_at(integrals + (ptrdiff_t)(i - 1) * stride);
    } else {
        sum -= r->touch * pack_at(integrals + (ptrdiff_t)r->count * stride);
    }
    if (i + 1 < r->count) {
        sum += r->off[i + 1] * pack_at(integrals + (ptrdiff_t)(i + 1) * stride);
    }
    return sum;
}

static void advance_chain(const step *s, double h, int c, const atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    const atemi_blow_change    *from = &v->now, *to = &v->there;
    const int                   stride = v->stride;
    for (int i = 0; i < r->count; ++i) {
        const ptrdiff_t at = (ptrdiff_t)i * stride + c;
        const pack      y = pack_at(from->reduced_rate + at), once = pack_at(v->chain.once + at);
        const pack      J = pack_at(from->once + at);
        pack            sums[2];
        integrate(s, i, c, v, sums);
        pack_put(to->reduced_rate + at, y + sums[0] + product_at(r, v->chain.once + c, stride, i));
        pack_put(to->reduced_angle + at, pack_at(from->reduced_angle + at) + h * y + sums[1] +
                                             product_at(r, v->chain.twice + c, stride, i));
        pack_put(to->once + at, J + once);
        pack_put(to->twice + at, pack_at(from->twice + at) + h * J + pack_at(v->chain.twice + at));
    }
}

static void advance_contact(const step *s, double give, double h, int c,
                            const atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    const atemi_blow_change    *from = &v->now, *to = &v->there;
    const ptrdiff_t             last = (ptrdiff_t)r->count * v->stride + c;
    const double                target = s->g->target_give;
    const pack F = pack_at(v->chain.once + last), FF = pack_at(v->chain.twice + last);
    const pack hand = pack_at(from->hand + c), other = pack_at(from->target + c);
    const pack impulse = pack_at(from->impulse + c);
    pack       sums[2];
    integrate(s, r->count, c, v, sums);
    const pack pushed = sums[0] + r->touch * pack_at(v->chain.once + c);
    const pack moved = sums[1] + r->touch * pack_at(v->chain.twice + c);
    pack_put(to->hand + c, hand + pushed - give * F);
    pack_put(to->target + c, other + target * F);
    pack_put(to->travel + c, pack_at(from->travel + c) + h * other + target * FF);
    pack_put(to->depth + c,
             pack_at(from->depth + c) + h * (hand - other) + moved - (give + target) * FF);
    pack_put(to->impulse + c, impulse + F);
    pack_put(to->force_twice + c, pack_at(from->force_twice + c) + h * impulse + FF);
}

void atemi_blow_chain_variation_look(atemi_blow_propagator  *propagator,
                                     const atemi_blow_state *from, double h,
                                     atemi_blow_state *scratch, atemi_blow_variation *v)
{
    find_parts(propagator, from, h, scratch, v);
    const step s = step_of(propagator, h);
    find_forcing(propagator->rung->inverse, v);
    solve(&s, v);
    for (int c = 0; c < v->stride; c += ATEMI_LANES) {
        advance_chain(&s, h, c, v);
        advance_contact(&s, propagator->problem->base->give, h, c, v);
    }
}

// ---- All rates

void atemi_blow_chain_variation_expand(const atemi_blow_problem *p, const atemi_blow_change *at,
                                       const atemi_blow_variation *v)
{
    const atemi_virtual_base *base = p->base;
    const int                 n = v->chain.chain->count, stride = v->stride;
    for (int i = 0; i < v->count; ++i) {
        const double *columns = row_in(v->columns, (n + 1) * stride, i);
        double       *rate = row_of(at->rate, stride, i), *angle = row_of(at->angle, stride, i);
        for (int c = 0; c < stride; ++c) {
            rate[c] = -base->response[i] * at->impulse[c];
            angle[c] = -base->response[i] * at->force_twice[c];
        }
        matrix_add_product(n + 1, columns, stride, at->sums, rate);
        matrix_add_product(n + 1, columns, stride, at->sums + n + 1, angle);
    }
    matrix_add_multiply(v->count, n, v->chain.motions, n, at->once, stride, at->rate);
    matrix_add_multiply(v->count, n, v->chain.motions, n, at->twice, stride, at->angle);
}
