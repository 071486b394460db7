// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_chain_forcing.h"

#include "math/matrix.h"

#include <string.h>

// With a = s^2 / (s + x) and e = s x / (s + x), the change of a chain is that of its torques
//
//   (T + a) dt = -(dy + h + e dz) + touch df e_1
//
// at the poles s of a step (blow_chain.c), with h of blow_chain_forcing.c. The rows wait for each
// other, so all poles are solved for at once.

// A complex number for each direction, and one for all.
typedef struct pair {
    pack re, im;
} pair;

typedef struct number {
    double re, im;
} number;

// What the torques make of the hand, or the force, at all poles.
typedef struct pairs {
    pair at[BLOW_POLES];
} pairs;

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

// Row i at a pole.
static double *pair_of(double *x, int i, int pole)
{
    return x + (ptrdiff_t)2 * ATEMI_LANES * (BLOW_POLES * i + pole);
}

static pair forcing_at(const atemi_blow_variation *v, int row, int pole, int c)
{
    const double *x = blow_chain_forcing_row(v, row);
    return (pair){pack_at(row_in(x, v->stride, pole) + c),
                  pack_at(row_in(x, v->stride, BLOW_POLES + pole) + c)};
}

// What is the same for all directions at the poles of a step.
typedef struct step {
    int                       stride; // of torques
    const atemi_blow_rung    *rung;
    const atemi_blow_segment *g;
    atemi_blow_lane           share, ease; // e, 1 / a
    atemi_blow_lane           gain, depth; // of the force by speed, and by depth
    atemi_blow_lane           integrals[2];
} step;

static step step_of(const atemi_blow_propagator *propagator, double h)
{
    const atemi_blow_segment *g = propagator->segment;
    const atemi_blow_rung    *rung = propagator->rung;
    const double              x = propagator->reference->chain.ratio;
    step                      s = {propagator->problem->base->stride, .rung = rung, .g = g};
    const double              give = propagator->problem->base->give + g->target_give;
    const atemi_blow_lane     law = lane_shift(g->damper, lane_scale(g->spring, rung->inverse));
    const atemi_blow_lane     admittance =
        lane_multiply(lane_shift(give, lane_scale(-1.0, rung->held_now)), rung->inverse);
    const atemi_blow_lane one = lane_invert(lane_shift(1.0, lane_multiply(law, admittance)));
    const atemi_blow_lane rate = lane_multiply(rung->inverse, one);
    s.share = lane_multiply(lane_scale(x, rung->s), lane_invert(lane_shift(x, rung->s)));
    s.gain = lane_multiply(law, rate);
    s.ease = lane_invert(atemi_blow_chain_inertance(propagator));
    s.depth = lane_scale(g->spring, rate);
    atemi_blow_integrals(h, s.integrals);
    return s;
}

// The right-hand side.
static void load(const step *s, int c, const atemi_blow_variation *v)
{
    for (int i = 0; i < v->chain.chain->count; ++i) {
        const pack y = pack_at(row_in(v->now.reduced_rate, v->stride, i) + c);
        const pack z = pack_at(row_in(v->now.reduced_angle, v->stride, i) + c);
        for (int pole = 0; pole < BLOW_POLES; ++pole) {
            const number e = lane_number(s->share, pole);
            const pair   h = forcing_at(v, i, pole, c);
            pair_put(pair_of(v->chain.solution, i, pole),
                     (pair){-(y + h.re + e.re * z), -(h.im + e.im * z)});
        }
    }
}

// Eliminates from the last row to the first, and back.
static void push(const step *s, int n, double *x)
{
    pairs behind;
    for (int pole = 0; pole < BLOW_POLES; ++pole) {
        behind.at[pole] = pair_at(pair_of(x, n - 1, pole));
    }
    for (int i = n - 1; i > 0; --i) {
        for (int pole = 0; pole < BLOW_POLES; ++pole) {
            double *to = pair_of(x, i - 1, pole);
            behind.at[pole] =
                add_product(pair_at(to), lane_number(s->rung->touch[i], pole), behind.at[pole]);
            pair_put(to, behind.at[pole]);
        }
    }
}

static void pull(const step *s, int n, double *x)
{
    pairs before;
    for (int pole = 0; pole < BLOW_POLES; ++pole) {
        double *to = pair_of(x, 0, pole);
        before.at[pole] = times(lane_number(s->rung->factor[0], pole), pair_at(to));
        pair_put(to, before.at[pole]);
    }
    for (int i = 1; i < n; ++i) {
        for (int pole = 0; pole < BLOW_POLES; ++pole) {
            double    *to = pair_of(x, i, pole);
            const pair own = times(lane_number(s->rung->factor[i], pole), pair_at(to));
            before.at[pole] =
                add_product(own, lane_number(s->rung->touch[i], pole), before.at[pole]);
            pair_put(to, before.at[pole]);
        }
    }
}

// The force, for what the torques without it make of the hand.
static pairs forces_of(const step *s, int c, const pairs *pushed, const atemi_blow_variation *v)
{
    const pack speed = pack_at(v->now.hand + c) - pack_at(v->now.target + c);
    const pack depth = pack_at(v->now.depth + c);
    pairs      f;
    for (int pole = 0; pole < BLOW_POLES; ++pole) {
        const pair   h = forcing_at(v, v->chain.chain->count, pole, c);
        const pair   hand = pushed->at[pole];
        const pair   moved = {speed + h.re + hand.re, h.im + hand.im};
        const pair   force = times(lane_number(s->gain, pole), moved);
        const number d = lane_number(s->depth, pole);
        f.at[pole] = (pair){force.re + d.re * depth, force.im + d.im * depth};
    }
    return f;
}

// What is pushed on the first row.
static void touch(const pairs *f, const atemi_blow_variation *v, double *x)
{
    const double by = v->chain.chain->touch;
    for (int pole = 0; pole < BLOW_POLES; ++pole) {
        double    *to = pair_of(x, 0, pole);
        const pair first = pair_at(to);
        pair_put(to, (pair){first.re + by * f->at[pole].re, first.im + by * f->at[pole].im});
    }
}

// ---- What deviates

// The right-hand side of m_k at a pole.
static pair missing_at(const step *s, int pole, int c, int k, const atemi_blow_variation *v)
{
    const int     n = v->chain.chain->count, stride = v->stride, axis = s->g->deviants[k];
    const double *motions = row_in(v->chain.motions, n, axis);
    const number  e = lane_number(s->share, pole), ease = lane_number(s->ease, pole);
    const number  inverse = lane_number(s->rung->inverse, pole);
    const double  D = v->chain.damping[axis];
    const pack    y = pack_at(row_in(v->now.rate, stride, axis) + c);
    const pack    z = pack_at(row_in(v->now.angle, stride, axis) + c);
    const pack    torque = pack_at(row_in(v->torque, stride, axis) + c);
    const pair    h = forcing_at(v, n + 1 + k, pole, c);
    pair          sum = {y + h.re + e.re * z, h.im + e.im * z};
    for (int j = 0; j < n; ++j) {
        const pair t = pair_at(pair_of(v->chain.solution, j, pole));
        sum = (pair){sum.re + motions[j] * t.re, sum.im + motions[j] * t.im};
    }
    sum = times((number){D * ease.re, D * ease.im}, sum);
    return (pair){sum.re + inverse.re * torque, sum.im + inverse.im * torque};
}

// Solves with the factor of what the deviations have to fulfil, at a pole.
static void solve_small(const step *s, int pole, double *m)
{
    const int count = s->g->deviant_count;
    for (int i = 0; i < count; ++i) {
        const atemi_blow_lane *row = symmetric_row(s->rung->system, i);
        pair                   sum = pair_at(pair_of(m, i, pole));
        for (int k = 0; k < i; ++k) {
            sum = add_product(sum, lane_number(lane_scale(-1.0, row[k]), pole),
                              pair_at(pair_of(m, k, pole)));
        }
        pair_put(pair_of(m, i, pole), sum);
    }
    for (int i = count - 1; i >= 0; --i) {
        const number own = lane_number(symmetric_row(s->rung->system, i)[i], pole);
        pair         sum = times(own, pair_at(pair_of(m, i, pole)));
        for (int k = i + 1; k < count; ++k) {
            const atemi_blow_lane L = symmetric_row(s->rung->system, k)[i];
            sum = add_product(sum, lane_number(lane_scale(-1.0, L), pole),
                              pair_at(pair_of(m, k, pole)));
        }
        pair_put(pair_of(m, i, pole), sum);
    }
}

// m without force, and what the torques without it make of the hand.
static pairs find_deviations(const step *s, int c, const atemi_blow_variation *v)
{
    const double by = v->chain.chain->touch;
    double      *m = v->chain.deviations;
    pairs        pushed;
    for (int pole = 0; pole < BLOW_POLES; ++pole) {
        const pair first = pair_at(pair_of(v->chain.solution, 0, pole));
        pair       sum = {by * first.re, by * first.im};
        for (int k = 0; k < s->g->deviant_count; ++k) {
            pair_put(pair_of(m, k, pole), missing_at(s, pole, c, k, v));
        }
        solve_small(s, pole, m);
        for (int k = 0; k < s->g->deviant_count; ++k) {
            sum = add_product(sum, lane_number(s->rung->reach[k], pole),
                              pair_at(pair_of(m, k, pole)));
        }
        pushed.at[pole] = sum;
    }
    return pushed;
}

// y += u_k m_k at a pole
static void add_pattern(const step *s, int k, int pole, pair m, int n, const double *u, double *y)
{
    for (int j = 0; j < n; ++j) {
        double      *to = pair_of(y, j, pole);
        const pair   sum = pair_at(to);
        const double part = u[(ptrdiff_t)j * s->stride + s->g->deviants[k]];
        pair_put(to, (pair){sum.re + part * m.re, sum.im + part * m.im});
    }
}

// Adds N^-1 of the force and the deviations to the torques.
static void add_answer(const step *s, const pairs *f, const atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    const int                   size = 2 * ATEMI_LANES * BLOW_POLES * r->count;
    double                     *x = v->chain.solution, *y = v->chain.answer;
    memset(y, 0, (size_t)size * sizeof *y);
    for (int k = 0; k < s->g->deviant_count; ++k) {
        for (int pole = 0; pole < BLOW_POLES; ++pole) {
            const pair m = add_product(pair_at(pair_of(v->chain.deviations, k, pole)),
                                       lane_number(s->rung->answer[k], pole), f->at[pole]);
            add_pattern(s, k, pole, m, r->count, r->torques, y);
        }
    }
    touch(f, v, y);
    push(s, r->count, y);
    pull(s, r->count, y);
    for (int i = 0; i < size; i += ATEMI_LANES) {
        pack_put(x + i, pack_at(x + i) + pack_at(y + i));
    }
}

// ---- Torques and their integrals

// The torques at all poles.
// @return the force
static pairs find_torques(const step *s, int c, const atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    double                     *x = v->chain.solution;
    load(s, c, v);
    push(s, r->count, x);
    if (s->g->deviant_count > 0) {
        pull(s, r->count, x);
        const pairs pushed = find_deviations(s, c, v), f = forces_of(s, c, &pushed, v);
        add_answer(s, &f, v);
        return f;
    }
    pairs pushed;
    for (int pole = 0; pole < BLOW_POLES; ++pole) {
        const number first = lane_number(s->rung->factor[0], pole);
        pushed.at[pole] =
            times((number){r->touch * first.re, r->touch * first.im}, pair_at(pair_of(x, 0, pole)));
    }
    const pairs f = forces_of(s, c, &pushed, v);
    touch(&f, v, x);
    pull(s, r->count, x);
    return f;
}

// The integrals over the step of a transform, once and twice.
static void put_integrals(const step *s, const pairs *x, double *once, double *twice)
{
    pack sums[2] = {{0}, {0}};
    for (int pole = 0; pole < BLOW_POLES; ++pole) {
        for (int k = 0; k < 2; ++k) {
            const number w = lane_number(s->integrals[k], pole);
            sums[k] += w.re * x->at[pole].re - w.im * x->at[pole].im;
        }
    }
    pack_put(once, sums[0]);
    pack_put(twice, sums[1]);
}

static void solve(const step *s, int c, const atemi_blow_variation *v)
{
    const int   n = v->chain.chain->count, stride = v->stride;
    double     *once = v->chain.once + c, *twice = v->chain.twice + c;
    const pairs f = find_torques(s, c, v);
    put_integrals(s, &f, once + (ptrdiff_t)n * stride, twice + (ptrdiff_t)n * stride);
    for (int i = 0; i < n; ++i) {
        pairs x;
        for (int pole = 0; pole < BLOW_POLES; ++pole) {
            x.at[pole] = pair_at(pair_of(v->chain.solution, i, pole));
        }
        put_integrals(s, &x, once + (ptrdiff_t)i * stride, twice + (ptrdiff_t)i * stride);
    }
}

// ---- What follows from them

// The integrals of a row of the forcing.
static void integrate(const step *s, int row, int c, const atemi_blow_variation *v, pack sums[2])
{
    sums[0] = sums[1] = (pack){0};
    for (int pole = 0; pole < BLOW_POLES; ++pole) {
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
    const atemi_blow_segment *g = propagator->segment;
    for (int k = 0; k < g->deviant_count; ++k) {
        atemi_blow_chain_variation_expand_axis(propagator->problem, g->deviants[k], &v->now, v);
    }
    atemi_blow_chain_forcing_find(propagator, from, h, scratch, v);
    const step s = step_of(propagator, h);
    for (int c = 0; c < v->stride; c += ATEMI_LANES) {
        solve(&s, c, v);
        advance_chain(&s, h, c, v);
        advance_contact(&s, propagator->problem->base->give, h, c, v);
    }
}
