// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_propagator.h"

#include "math/matrix.h"

#include <string.h>

// In a mode the elements within their bounds give the torque -D y - K z, all others together the
// constant T, and with g = C T, g_h = c^T T
//
//   dy/dt = g + C tau - c f,   dz/dt = y,   tau = -D y - K z
//   du_h/dt = g_h + c^T tau - f / m_a,   du_t/dt = g_t + f / m_t,   dd/dt = u_h - u_t = r
//   f = k d + b r
//
// Transformed by Laplace, with the values at the start of the step and the gains of the reference
// (what deviates from it is in blow_deviation.c):
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

atemi_blow_lane atemi_blow_poles(double step)
{
    return lane_scale(1.0 / step, pole);
}

void atemi_blow_integrals(double step, atemi_blow_lane integrals[2])
{
    integrals[0] = lane_scale(-2.0, lane_multiply(residue, lane_invert(pole)));
    integrals[1] = lane_scale(step, lane_multiply(integrals[0], lane_invert(pole)));
}

// Scratch of one rung: the factors of N and of the deviations, touch, reach, answer.
static size_t rung_scratch_size(int n)
{
    return 2 * symmetric_size(n) + 3 * (size_t)n;
}

size_t atemi_blow_propagator_scratch_size(int n)
{
    return (ATEMI_BLOW_RUNGS + 1) * rung_scratch_size(n) + 3 * (size_t)n;
}

static atemi_blow_rung lay_rung(int n, atemi_blow_lane *scratch)
{
    atemi_blow_rung rung = {.factor = scratch, .system = scratch + symmetric_size(n)};
    rung.touch = rung.system + symmetric_size(n);
    rung.reach = rung.touch + n;
    rung.answer = rung.reach + n;
    return rung;
}

void atemi_blow_propagator_make(const atemi_blow_problem   *problem,
                                const atemi_blow_reference *reference,
                                const atemi_blow_segment *segment, atemi_blow_lane *scratch,
                                atemi_blow_vectors *vectors, atemi_blow_propagator *p)
{
    const int n = problem->base->count;
    *p = (atemi_blow_propagator){.problem = problem, .reference = reference, .segment = segment};
    for (int i = 0; i <= ATEMI_BLOW_RUNGS; ++i) {
        p->rungs[i] = lay_rung(n, scratch);
        scratch += rung_scratch_size(n);
    }
    p->unknown = scratch;
    p->more = scratch + n;
    p->deviations = p->more + n;
    p->once = atemi_blow_vector(vectors);
    p->twice = atemi_blow_vector(vectors);
}

void atemi_blow_propagator_enter(const atemi_blow_propagator *p, atemi_blow_state *state)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    if (r->holds) {
        atemi_blow_reduce(r, p->problem->base->stride, state->rate, state->reduced_rate);
        atemi_blow_reduce(r, p->problem->base->stride, state->angle, state->reduced_angle);
    }
}

// ---- Rungs ----------------------------------------------------------------------------------

// The rung of this step, or one to be given up for it.
static atemi_blow_rung *find_rung(atemi_blow_propagator *p, double step, bool again)
{
    for (int i = 0; i < ATEMI_BLOW_RUNGS; ++i) {
        if (p->rungs[i].step == step) {
            return &p->rungs[i];
        }
    }
    if (!again) {
        return &p->rungs[ATEMI_BLOW_RUNGS];
    }
    const int next = p->next;
    p->next = (next + 1) % ATEMI_BLOW_RUNGS;
    return &p->rungs[next];
}

static void factor(atemi_blow_propagator *p, double step)
{
    atemi_blow_rung *rung = p->rung;
    rung->step = step;
    rung->s = atemi_blow_poles(step);
    rung->inverse = lane_invert(rung->s);
    tally_lanes(p->problem->operations, (tally_lanes_of){.scales = 1.0, .inverses = 1.0});
    rung->held =
        p->reference->chain.holds ? atemi_blow_chain_factor(p) : atemi_blow_dense_factor(p);
    rung->version = 0;
}

void atemi_blow_propagator_prepare(atemi_blow_propagator *p, double step, bool again)
{
    p->rung = find_rung(p, step, again);
    if (p->rung->step != step) {
        factor(p, step);
    }
    if (p->rung->version != p->segment->version) {
        p->rung->version = p->segment->version;
        p->rung->held_now = p->rung->held;
        if (p->segment->deviant_count > 0) {
            atemi_blow_deviation_prepare(p);
        }
    }
}

// ---- Steps ----------------------------------------------------------------------------------

atemi_blow_lane atemi_blow_contact_force(const atemi_blow_propagator *p,
                                         const atemi_blow_state *from, atemi_blow_lane pushed)
{
    const atemi_blow_segment *g = p->segment;
    const atemi_blow_lane     inverse = p->rung->inverse;
    if (g->spring == 0.0) {
        return lane_of(0.0);
    }
    const double          give = p->problem->base->give + g->target_give;
    const atemi_blow_lane admittance =
        lane_multiply(lane_shift(give, lane_scale(-1.0, p->rung->held_now)), inverse);
    const atemi_blow_lane law = lane_shift(g->damper, lane_scale(g->spring, inverse));
    const atemi_blow_lane drift = lane_scale(g->hand_drift - g->target_drift, inverse);
    const atemi_blow_lane moved = lane_shift(from->hand - from->target, lane_add(drift, pushed));
    const atemi_blow_lane f = lane_add(lane_multiply(lane_multiply(law, moved), inverse),
                                       lane_scale(g->spring * from->depth, inverse));
    tally_lanes(p->problem->operations,
                (tally_lanes_of){
                    .sums = 2.0, .scales = 3.0, .products = 5.0, .inverses = 1.0, .shifts = 4.0});
    return lane_multiply(f, lane_invert(lane_shift(1.0, lane_multiply(law, admittance))));
}

// What a step has done to hand and target. `once_hand` and `twice_hand` are the integrals of
// c^T tau.
static void advance_contact(const atemi_blow_propagator *p, const atemi_blow_state *from,
                            double once_hand, double twice_hand, double once_force,
                            double twice_force, atemi_blow_state *to)
{
    const atemi_blow_segment *g = p->segment;
    const double              h = p->rung->step, half = 0.5 * h * h, give = p->problem->base->give;
    const double              drift = g->hand_drift - g->target_drift;
    to->time = from->time + h;
    to->impulse = from->impulse + once_force;
    to->hand = from->hand + h * g->hand_drift + once_hand - give * once_force;
    to->target = from->target + h * g->target_drift + g->target_give * once_force;
    to->travel =
        from->travel + h * from->target + half * g->target_drift + g->target_give * twice_force;
    to->depth = from->depth + h * (from->hand - from->target) + half * drift + twice_hand -
                (give + g->target_give) * twice_force;
    tally(p->problem->operations, 16.0, 13.0, 0.0);
}

// What it has done to the rates. The torques' integrals count rows of C, or those of a chain.
static void advance_rates(const atemi_blow_propagator *p, const atemi_blow_state *from,
                          double once_force, double twice_force, atemi_blow_state *to)
{
    const atemi_blow_segment   *g = p->segment;
    const atemi_blow_reduction *r = &p->reference->chain;
    const atemi_virtual_base   *base = p->problem->base;
    const double               *c = base->response, h = p->rung->step, half = 0.5 * h * h;
    const double               *rows = r->holds ? r->motions : base->mobility;
    const int                   torques = r->holds ? r->count : base->count;
    for (int i = 0; i < base->stride; ++i) {
        to->angle[i] = from->angle[i] + h * from->rate[i] + half * g->drift[i] - twice_force * c[i];
        to->rate[i] = from->rate[i] + h * g->drift[i] - once_force * c[i];
    }
    matrix_add_product(torques, rows, base->stride, p->once, to->rate);
    matrix_add_product(torques, rows, base->stride, p->twice, to->angle);
    tally_products(p->problem->operations, (5.0 + 2.0 * torques) * base->count);
}

// From transforms to integrals, of axes or of a chain's torques.
static void integrate(const atemi_blow_propagator *p, atemi_blow_lane once, atemi_blow_lane twice)
{
    const atemi_blow_reference *r = p->reference;
    const size_t                size = (size_t)p->problem->base->stride * sizeof *p->once;
    const int                   torques = r->chain.holds ? r->chain.count : r->axis_count;
    memset(p->once, 0, size);
    memset(p->twice, 0, size);
    for (int i = 0; i < torques; ++i) {
        const int at = r->chain.holds ? i : r->axes[i];
        p->once[at] = lane_real_sum(once, p->unknown[i]);
        p->twice[at] = lane_real_sum(twice, p->unknown[i]);
    }
    tally(p->problem->operations, 14.0 * torques, 16.0 * torques, 0.0);
}

// c^T of the torques that these integrals count.
static double hand_share(const atemi_blow_propagator *p, const double *integrals)
{
    const atemi_blow_reduction *r = &p->reference->chain;
    return r->holds ? r->touch * integrals[0]
                    : row_dot(p->problem->base->stride, p->problem->base->response, integrals);
}

// Solves for the torques' transforms.
// @return the transformed force
static atemi_blow_lane solve(const atemi_blow_propagator *p, const atemi_blow_state *from)
{
    const bool chain = p->reference->chain.holds;
    if (chain) {
        atemi_blow_chain_load(p, from);
    } else {
        atemi_blow_dense_load(p, from);
    }
    if (p->segment->deviant_count > 0) {
        return atemi_blow_deviation_solve(p, from);
    }
    const atemi_blow_lane pushed =
        chain ? atemi_blow_chain_push(p, p->unknown) : atemi_blow_dense_push(p, p->unknown);
    const atemi_blow_lane f = atemi_blow_contact_force(p, from, pushed);
    if (chain) {
        atemi_blow_chain_solve(p, f, p->unknown);
    } else {
        atemi_blow_dense_solve(p, f, p->unknown);
    }
    return f;
}

void atemi_blow_propagator_step(atemi_blow_propagator *p, const atemi_blow_state *from,
                                bool stay_reduced, atemi_blow_state *to)
{
    const bool            chain = p->reference->chain.holds;
    const atemi_blow_lane f = p->force = solve(p, from);
    atemi_blow_lane       integrals[2];
    atemi_blow_integrals(p->rung->step, integrals);
    integrate(p, integrals[0], integrals[1]);
    const double once_force = lane_real_sum(integrals[0], f);
    const double twice_force = lane_real_sum(integrals[1], f);
    advance_contact(p, from, hand_share(p, p->once), hand_share(p, p->twice), once_force,
                    twice_force, to);
    if (!chain || !stay_reduced) {
        advance_rates(p, from, once_force, twice_force, to);
    }
    if (chain) {
        atemi_blow_chain_advance(p, from, once_force, twice_force, to);
    }
}
