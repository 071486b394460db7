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

// ---- A step

static void put_parts(atemi_blow_lane x, double *parts)
{
    for (int k = 0; k < POLES; ++k) {
        parts[k] = x.re[k];
        parts[POLES + k] = x.im[k];
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
        put_parts(amount, row_of(v->chain.amounts, PARTS, slot));
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
        put_parts(x, row_of(v->chain.parts, PARTS, j));
        add_sums(h, x, integrals, n + 1, v->now.sums + j, v->there.sums + j);
    }
}

// sums += parts x
static void add_part(const double *parts, const double *x, pack *sums)
{
    const pack value = pack_at(x);
    for (int r = 0; r < PARTS; ++r) {
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
        pack       sums[PARTS] = {0};
        for (int k = 0; moves && k < n; ++k) {
            add_part(row_in(v->chain.parts, PARTS, k), row_in(row, stride, k) + c, sums);
        }
        for (int k = 0; moves && k < g->deviant_count; ++k) {
            const int slot = v->chain.slots[g->deviants[k]];
            add_part(row_in(v->chain.amounts, PARTS, slot), row_in(beside, apart, slot) + c, sums);
        }
        for (int r = 0; r < PARTS; ++r) {
            pack_put(row_of(to, stride, r) + c, sums[r]);
        }
    }
}

static double *forcing_row(const atemi_blow_variation *v, int row)
{
    return row_of(v->chain.forcing, PARTS * v->stride, row);
}

// h, behind it h_h with the drift of the reference, 1 / s at the poles, and behind that h_i.
static void find_forcing(const atemi_blow_segment *g, atemi_blow_lane inverse,
                         atemi_blow_variation *v)
{
    const int n = v->chain.chain->count, stride = v->stride, width = (n + 1) * stride;
    for (int i = 0; i <= n; ++i) {
        find_row(g, row_in(v->chain.coupling, width, i), row_in(v->chain.shares, stride, i), width,
                 v, forcing_row(v, i));
    }
    for (int k = 0; k < g->deviant_count; ++k) {
        const int axis = g->deviants[k];
        find_row(g, row_in(v->columns, width, axis), row_in(v->chain.columns, stride, axis),
                 v->count * stride, v, forcing_row(v, n + 1 + k));
    }
    double *hand = forcing_row(v, n);
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

static double *pair_of(double *x, int i)
{
    return x + (ptrdiff_t)2 * ATEMI_LANES * i;
}

static pair forcing_at(const atemi_blow_variation *v, int row, int pole, int c)
{
    const double *x = row_in(v->chain.forcing, PARTS * v->stride, row);
    return (pair){pack_at(row_in(x, v->stride, pole) + c),
                  pack_at(row_in(x, v->stride, POLES + pole) + c)};
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

// The right-hand side at one pole.
static void load(const step *s, int pole, int c, const atemi_blow_variation *v)
{
    const number e = lane_number(s->share, pole);
    for (int i = 0; i < v->chain.chain->count; ++i) {
        const pair h = forcing_at(v, i, pole, c);
        const pack y = pack_at(row_in(v->now.reduced_rate, v->stride, i) + c);
        const pack z = pack_at(row_in(v->now.reduced_angle, v->stride, i) + c);
        pair_put(pair_of(v->chain.solution, i), (pair){-(y + h.re + e.re * z), -(h.im + e.im * z)});
    }
}

// Eliminates from the last row to the first, and back.
static void push(const step *s, int pole, int n, double *x)
{
    pair behind = pair_at(pair_of(x, n - 1));
    for (int i = n - 1; i > 0; --i) {
        behind =
            add_product(pair_at(pair_of(x, i - 1)), lane_number(s->rung->touch[i], pole), behind);
        pair_put(pair_of(x, i - 1), behind);
    }
}

static void pull(const step *s, int pole, int n, double *x)
{
    pair before = times(lane_number(s->rung->factor[0], pole), pair_at(x));
    pair_put(x, before);
    for (int i = 1; i < n; ++i) {
        const pair own = times(lane_number(s->rung->factor[i], pole), pair_at(pair_of(x, i)));
        before = add_product(own, lane_number(s->rung->touch[i], pole), before);
        pair_put(pair_of(x, i), before);
    }
}

// The force at one pole, for what the torques without it make of the hand.
static pair force_at(const step *s, int pole, int c, pair pushed, const atemi_blow_variation *v)
{
    const pair   h = forcing_at(v, v->chain.chain->count, pole, c);
    const pack   speed = pack_at(v->now.hand + c) - pack_at(v->now.target + c);
    const pack   depth = pack_at(v->now.depth + c);
    const pair   moved = {speed + h.re + pushed.re, h.im + pushed.im};
    const pair   force = times(lane_number(s->gain, pole), moved);
    const number d = lane_number(s->depth, pole);
    return (pair){force.re + d.re * depth, force.im + d.im * depth};
}

// What is pushed on the first row.
static void touch(pair f, const atemi_blow_variation *v, double *x)
{
    const double by = v->chain.chain->touch;
    const pair   first = pair_at(x);
    pair_put(x, (pair){first.re + by * f.re, first.im + by * f.im});
}

// The right-hand side of m_k.
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
        const pair t = pair_at(pair_of(v->chain.solution, j));
        sum = (pair){sum.re + motions[j] * t.re, sum.im + motions[j] * t.im};
    }
    sum = times((number){D * ease.re, D * ease.im}, sum);
    return (pair){sum.re + inverse.re * torque, sum.im + inverse.im * torque};
}

// Solves with the factor of what the deviations have to fulfil.
static void solve_small(const step *s, int pole, double *m)
{
    const int count = s->g->deviant_count;
    for (int i = 0; i < count; ++i) {
        const atemi_blow_lane *row = symmetric_row(s->rung->system, i);
        pair                   sum = pair_at(pair_of(m, i));
        for (int k = 0; k < i; ++k) {
            sum = add_product(sum, lane_number(lane_scale(-1.0, row[k]), pole),
                              pair_at(pair_of(m, k)));
        }
        pair_put(pair_of(m, i), sum);
    }
    for (int i = count - 1; i >= 0; --i) {
        pair sum =
            times(lane_number(symmetric_row(s->rung->system, i)[i], pole), pair_at(pair_of(m, i)));
        for (int k = i + 1; k < count; ++k) {
            const atemi_blow_lane L = symmetric_row(s->rung->system, k)[i];
            sum = add_product(sum, lane_number(lane_scale(-1.0, L), pole), pair_at(pair_of(m, k)));
        }
        pair_put(pair_of(m, i), sum);
    }
}

// m without force.
// @return what the torques without it make of the hand
static pair find_deviations(const step *s, int pole, int c, const atemi_blow_variation *v)
{
    const double by = v->chain.chain->touch;
    const pair   first = pair_at(v->chain.solution);
    pair         pushed = {by * first.re, by * first.im};
    double      *m = v->chain.deviations;
    for (int k = 0; k < s->g->deviant_count; ++k) {
        pair_put(pair_of(m, k), missing_at(s, pole, c, k, v));
    }
    solve_small(s, pole, m);
    for (int k = 0; k < s->g->deviant_count; ++k) {
        pushed = add_product(pushed, lane_number(s->rung->reach[k], pole), pair_at(pair_of(m, k)));
    }
    return pushed;
}

// Adds N^-1 of the force and the deviations to the torques.
static void add_answer(const step *s, int pole, pair f, const atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    double                     *x = v->chain.solution, *y = v->chain.answer;
    memset(y, 0, (size_t)(2 * ATEMI_LANES * r->count) * sizeof *y);
    for (int k = 0; k < s->g->deviant_count; ++k) {
        const pair    m = add_product(pair_at(pair_of(v->chain.deviations, k)),
                                      lane_number(s->rung->answer[k], pole), f);
        const double *u = r->torques + s->g->deviants[k];
        for (int j = 0; j < r->count; ++j) {
            const pair   sum = pair_at(pair_of(y, j));
            const double part = u[(ptrdiff_t)j * s->stride];
            pair_put(pair_of(y, j), (pair){sum.re + part * m.re, sum.im + part * m.im});
        }
    }
    touch(f, v, y);
    push(s, pole, r->count, y);
    pull(s, pole, r->count, y);
    for (int i = 0; i < 2 * ATEMI_LANES * r->count; i += ATEMI_LANES) {
        pack_put(x + i, pack_at(x + i) + pack_at(y + i));
    }
}

// The torques at one pole.
// @return the force
static pair find_torques(const step *s, int pole, int c, const atemi_blow_variation *v)
{
    const atemi_blow_reduction *r = v->chain.chain;
    double                     *x = v->chain.solution;
    load(s, pole, c, v);
    push(s, pole, r->count, x);
    if (s->g->deviant_count > 0) {
        pull(s, pole, r->count, x);
        const pair f = force_at(s, pole, c, find_deviations(s, pole, c, v), v);
        add_answer(s, pole, f, v);
        return f;
    }
    const number first = lane_number(s->rung->factor[0], pole);
    const pair   pushed = times((number){r->touch * first.re, r->touch * first.im}, pair_at(x));
    const pair   f = force_at(s, pole, c, pushed, v);
    touch(f, v, x);
    pull(s, pole, r->count, x);
    return f;
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
    const int  n = v->chain.chain->count, stride = v->stride;
    double    *once = v->chain.once + c, *twice = v->chain.twice + c;
    const pair f = find_torques(s, pole, c, v);
    add_integrals(s, pole, f, once + (ptrdiff_t)n * stride, twice + (ptrdiff_t)n * stride);
    for (int i = 0; i < n; ++i) {
        add_integrals(s, pole, pair_at(pair_of(v->chain.solution, i)), once + (ptrdiff_t)i * stride,
                      twice + (ptrdiff_t)i * stride);
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
    const atemi_blow_segment *g = propagator->segment;
    for (int k = 0; k < g->deviant_count; ++k) {
        atemi_blow_chain_variation_expand_axis(propagator->problem, g->deviants[k], &v->now, v);
    }
    find_parts(propagator, from, h, scratch, v);
    const step s = step_of(propagator, h);
    find_forcing(g, propagator->rung->inverse, v);
    solve(&s, v);
    for (int c = 0; c < v->stride; c += ATEMI_LANES) {
        advance_chain(&s, h, c, v);
        advance_contact(&s, propagator->problem->base->give, h, c, v);
    }
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
