// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_propagator.h"

#include "impact/matrix.h"

#include <string.h>

// In a mode the elements within their bounds give the torque -D y - K z, all others together the
// constant T, and with g = C T, g_h = c^T T
//
//   dy/dt = g + C tau - c f,   dz/dt = y,   tau = -D y - K z
//   du_h/dt = g_h + c^T tau - f / m_a,   du_t/dt = g_t + f / m_t,   dd/dt = u_h - u_t = r
//   f = k d + b r
//
// Transformed by Laplace, with the values at the start of the step, for the axes that have D or K:
//
//   N tau = -(y + g / s + E z) + c f,   N = C + diag(s^2 / (s D + K)),   E = s K / (s D + K)
//   f (1 + (b + k / s) (1/m_a + 1/m_t - c^T N^-1 c) / s)
//        = (b + k / s) (r + (g_h - g_t) / s - c^T N^-1 (y + g / s + E z)) / s + k d / s
//
// Back in time, for a step h, by the [7/8] Pade approximant of the exponential, with its poles p_k
// and residues r_k (four of eight; the others are conjugate):
//
//   x(h) = -2/h Re sum_k r_k X(p_k / h)
//
// which is exp(h A) x to order 15, and lets what is fast die out: it is 0 at infinity. So the
// integrals of tau and f are found, once and twice; everything else follows from them as in the
// equations.

static const atemi_blow_lane pole = {
    {10.169446006657514303, 9.4063712136907398076, 7.7386881468305483978, 4.6854946328211966033},
    {1.6492017968222276725, 4.9692172876232936218, 8.3708793062379829308, 12.01057859981379039}};

static const atemi_blow_lane residue = {
    {2612.6208468682107195, -3848.5444154374367827, 1334.8647374600172952, -94.94116889079130317},
    {-13549.060147438920467, 5690.3154338043132157, -702.43101049801373392,
     -25.476662481767771595}};

size_t atemi_blow_propagator_room(int n)
{
    return (size_t)n * (size_t)(n + 1) / 2 + 2 * (size_t)n;
}

atemi_blow_propagator atemi_blow_propagator_make(const atemi_blow_problem *problem,
                                                 const atemi_blow_segment *segment,
                                                 atemi_blow_lane *room, atemi_blow_vectors *vectors)
{
    const size_t n = (size_t)problem->base->count;

    atemi_blow_propagator p = {.problem = problem, .segment = segment, .factor = room};
    p.touch = room + n * (n + 1) / 2;
    p.unknown = p.touch + n;
    p.once = atemi_blow_vector(vectors);
    p.twice = atemi_blow_vector(vectors);
    return p;
}

void atemi_blow_propagator_enter(const atemi_blow_propagator *p, atemi_blow_state *state)
{
    const atemi_blow_reduction *r = &p->segment->reduction;
    if (r->holds) {
        atemi_blow_reduce(r, p->problem->base->stride, state->rate, state->reduced_rate);
        atemi_blow_reduce(r, p->problem->base->stride, state->angle, state->reduced_angle);
    }
}

void atemi_blow_propagator_prepare(atemi_blow_propagator *p, double step)
{
    p->step = step;
    p->s = lane_scale(1.0 / step, pole);
    p->inverse = lane_invert(p->s);
    const atemi_blow_lane held =
        p->segment->reduction.holds ? atemi_blow_chain_factor(p) : atemi_blow_dense_factor(p);
    const double give = p->problem->base->give + p->segment->target_give;
    p->admittance = lane_multiply(lane_shift(give, lane_scale(-1.0, held)), p->inverse);
}

// The transformed force of the contact; `pushed` is what the torques without it make of the hand.
static atemi_blow_lane contact_force(const atemi_blow_propagator *p, const atemi_blow_state *from,
                                     atemi_blow_lane pushed)
{
    const atemi_blow_segment *g = p->segment;
    if (g->spring == 0.0) {
        return lane_of(0.0);
    }
    const atemi_blow_lane law = lane_shift(g->damper, lane_scale(g->spring, p->inverse));
    const atemi_blow_lane drift = lane_scale(g->hand_drift - g->target_drift, p->inverse);
    const atemi_blow_lane moved = lane_shift(from->hand - from->target, lane_add(drift, pushed));
    const atemi_blow_lane f = lane_add(lane_multiply(lane_multiply(law, moved), p->inverse),
                                       lane_scale(g->spring * from->depth, p->inverse));
    return lane_multiply(f, lane_invert(lane_shift(1.0, lane_multiply(law, p->admittance))));
}

// What a step has done to hand and target. `once_hand` and `twice_hand` are the integrals of
// c^T tau.
static void advance_contact(const atemi_blow_propagator *p, const atemi_blow_state *from,
                            double once_hand, double twice_hand, double once_force,
                            double twice_force, atemi_blow_state *to)
{
    const atemi_blow_segment *g = p->segment;
    const double              h = p->step, half = 0.5 * h * h, give = p->problem->base->give;
    const double              drift = g->hand_drift - g->target_drift;
    to->time = from->time + h;
    to->impulse = from->impulse + once_force;
    to->hand = from->hand + h * g->hand_drift + once_hand - give * once_force;
    to->target = from->target + h * g->target_drift + g->target_give * once_force;
    to->travel =
        from->travel + h * from->target + half * g->target_drift + g->target_give * twice_force;
    to->depth = from->depth + h * (from->hand - from->target) + half * drift + twice_hand -
                (give + g->target_give) * twice_force;
}

// What it has done to the rates. The torques' integrals count rows of C, or those of a chain.
static void advance_rates(const atemi_blow_propagator *p, const atemi_blow_state *from,
                          double once_force, double twice_force, atemi_blow_state *to)
{
    const atemi_blow_segment   *g = p->segment;
    const atemi_blow_reduction *r = &g->reduction;
    const atemi_virtual_base   *base = p->problem->base;
    const double               *c = base->response, h = p->step, half = 0.5 * h * h;
    const double               *rows = r->holds ? r->motions : base->mobility;
    const int                   count = r->holds ? r->count : base->count;
    for (int i = 0; i < base->stride; ++i) {
        to->angle[i] = from->angle[i] + h * from->rate[i] + half * g->drift[i] - twice_force * c[i];
        to->rate[i] = from->rate[i] + h * g->drift[i] - once_force * c[i];
    }
    matrix_add_product(count, rows, base->stride, p->once, to->rate);
    matrix_add_product(count, rows, base->stride, p->twice, to->angle);
}

// From transforms to integrals, of axes or of a chain's torques.
static void integrate(const atemi_blow_propagator *p, atemi_blow_lane once, atemi_blow_lane twice)
{
    const atemi_blow_segment *g = p->segment;
    const size_t              size = (size_t)p->problem->base->stride * sizeof *p->once;
    memset(p->once, 0, size);
    memset(p->twice, 0, size);
    for (int i = 0; i < g->axis_count; ++i) {
        const int at = g->reduction.holds ? i : g->axes[i];
        p->once[at] = lane_real_sum(once, p->unknown[i]);
        p->twice[at] = lane_real_sum(twice, p->unknown[i]);
    }
}

// c^T of the torques that these integrals count.
static double hand_share(const atemi_blow_propagator *p, const double *integrals)
{
    const atemi_blow_reduction *r = &p->segment->reduction;
    return r->holds ? r->touch * integrals[0]
                    : row_dot(p->problem->base->stride, p->problem->base->response, integrals);
}

void atemi_blow_propagator_step(atemi_blow_propagator *p, const atemi_blow_state *from,
                                bool stay_reduced, atemi_blow_state *to)
{
    const bool            chain = p->segment->reduction.holds;
    const atemi_blow_lane once = lane_scale(-2.0, lane_multiply(residue, lane_invert(pole)));
    const atemi_blow_lane twice = lane_scale(p->step, lane_multiply(once, lane_invert(pole)));
    const atemi_blow_lane pushed =
        chain ? atemi_blow_chain_load(p, from) : atemi_blow_dense_load(p, from);
    const atemi_blow_lane f = contact_force(p, from, pushed);
    if (chain) {
        atemi_blow_chain_solve(p, f);
    } else {
        atemi_blow_dense_solve(p, f);
    }
    integrate(p, once, twice);
    const double once_force = lane_real_sum(once, f), twice_force = lane_real_sum(twice, f);
    advance_contact(p, from, hand_share(p, p->once), hand_share(p, p->twice), once_force,
                    twice_force, to);
    if (!chain || !stay_reduced) {
        advance_rates(p, from, once_force, twice_force, to);
    }
    if (chain) {
        atemi_blow_chain_advance(p, from, once_force, twice_force, to);
    }
}
