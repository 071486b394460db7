// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_rk4_variation.h"

#include "math/matrix.h"

#include <string.h>

// The equations of motion x' = F(x), changed along a direction (d in front):
//
//   d(dy/dt) = dC tau + C dtau - dc f - c df,   d(dz/dt) = dy
//   d(du_h/dt) = db_h + dc^T tau + c^T dtau - d(1/m_a) f - df / m_a
//   d(du_t/dt) = df / m_t while the target moves,   d(dd/dt) = dr = du_h - du_t
//   df = f_d dd + f_r dr,   dtau = -D dy - K z of elements within their bounds, -D dv_0 of
//   friction, -dh of a servo at its limit that holds h
//
// with the slopes f_d, f_r of the law. They go through the stages of the formula as the state does,
// so that the change is that of the computed state. Modes last throughout a step. A step to where
// one ends, where a margin g is zero, ends later by
//
//   dt = -dg / (dg/dt),   dg at the same time as before
//
// and the next one is shorter by as much: h changes in all stages. Where the target comes to rest,
// its change of speed ends.

// What a stage holds, in rows that steps of the exact way use otherwise.
static atemi_blow_change stage_of(const atemi_blow_variation *v)
{
    return (atemi_blow_change){.rate = v->once,
                               .angle = v->twice,
                               .hand = v->once_force,
                               .target = v->twice_force,
                               .depth = v->shift};
}

static void clear(int size, double *x)
{
    memset(x, 0, (size_t)size * sizeof *x);
}

// ---- Slopes ---------------------------------------------------------------------------------

// df of a state
static void vary_force(const atemi_blow_problem *p, const atemi_blow_state *s,
                       const atemi_blow_change *at, int stride, double *force)
{
    double by_depth, by_rate;
    atemi_compliance_slopes(&p->law, s->depth, s->hand - s->target, &by_depth, &by_rate);
    for (int c = 0; c < stride; ++c) {
        force[c] = by_depth * at->depth[c] + by_rate * (at->hand[c] - at->target[c]);
    }
}

// Adds dtau of an element to a row.
static void add_torque(const atemi_blow_element *e, const atemi_blow_change *at,
                       const atemi_blow_variation *v, double *to)
{
    const int stride = v->stride;
    if (e->limit != ATEMI_BLOW_WITHIN) {
        if (e->servo) {
            row_subtract(stride, 1.0, row_in(v->held, stride, e->axis), to);
        }
        return;
    }
    row_subtract(stride, e->damping, row_in(at->rate, stride, e->axis), to);
    if (e->stiffness != 0.0) {
        row_subtract(stride, e->stiffness, row_in(at->angle, stride, e->axis), to);
    }
    if (!e->servo) {
        row_subtract(stride, e->damping, row_in(v->start, stride, e->axis), to);
    }
}

// dtau of all elements, or of the servos alone.
static void vary_torques(const atemi_blow_problem *p, const atemi_blow_change *at,
                         bool servos_alone, const atemi_blow_variation *v, double *to)
{
    clear(v->count * v->stride, to);
    for (int i = 0; i < p->element_count; ++i) {
        const atemi_blow_element *e = &p->elements[i];
        if (e->servo || !servos_alone) {
            add_torque(e, at, v, row_of(to, v->stride, e->axis));
        }
    }
}

// d(dy/dt) of a state with this force, into the accelerations; dtau and df are known.
static void vary_accelerations(const atemi_blow_problem *p, const double *torque, double force,
                               atemi_blow_variation *v)
{
    const atemi_virtual_base *base = p->base;
    const int n = v->count, stride = v->stride, first = base->base_count, columns = n - first + 1;
    memcpy(v->units, torque + first, (size_t)(n - first) * sizeof *v->units);
    v->units[n - first] = force;
    clear(n * stride, v->accelerations);
    for (int i = 0; i < n; ++i) {
        double *row = row_of(v->accelerations, stride, i);
        matrix_add_product(columns, row_in(v->columns, columns * stride, i), stride, v->units, row);
        row_subtract(stride, base->response[i], v->force, row);
    }
    matrix_add_multiply(n, n, base->mobility, base->stride, v->torques, stride, v->accelerations);
}

// d(du_h/dt), into the push on the hand.
static void vary_hand(const atemi_blow_problem *p, const double *torque, double force,
                      atemi_blow_variation *v)
{
    const atemi_virtual_base *base = p->base;
    const int                 stride = v->stride;
    memcpy(v->hand_push, v->drift, (size_t)stride * sizeof *v->drift);
    for (int i = base->base_count; i < v->count; ++i) {
        row_subtract(stride, -torque[i], row_in(v->base->response, stride, i), v->hand_push);
        row_subtract(stride, -base->response[i], row_in(v->torques, stride, i), v->hand_push);
    }
    row_subtract(stride, force, v->base->give, v->hand_push);
    row_subtract(stride, base->give, v->force, v->hand_push);
}

// All slopes of a stage.
static void vary_slopes(const atemi_blow_problem *p, const atemi_blow_state *s,
                        const double *torque, const atemi_blow_change *at, atemi_blow_variation *v)
{
    const double force = atemi_compliance_force(&p->law, s->depth, s->hand - s->target);
    vary_torques(p, at, false, v, v->torques);
    vary_force(p, s, at, v->stride, v->force);
    vary_accelerations(p, torque, force, v);
    vary_hand(p, torque, force, v);
}

// ---- Steps ----------------------------------------------------------------------------------

// to = from + h slope; they may be the same.
static void move(int size, const double *from, double h, const double *slope, double *to)
{
    for (int i = 0; i < size; ++i) {
        to[i] = from[i] + h * slope[i];
    }
}

// As the state moves, where what is integrated from rates changes as they do `at` the stage.
static void move_on(const atemi_blow_variation *v, const atemi_blow_change *from,
                    const atemi_blow_change *at, double h, double target_give,
                    const atemi_blow_change *to)
{
    const int stride = v->stride, size = v->count * stride;
    move(size, from->angle, h, at->rate, to->angle);
    move(size, from->rate, h, v->accelerations, to->rate);
    move(stride, from->depth, h, at->hand, to->depth);
    move(stride, to->depth, -h, at->target, to->depth);
    if (to->travel) {
        move(stride, from->travel, h, at->target, to->travel);
        move(stride, from->impulse, h, v->force, to->impulse);
    }
    move(stride, from->hand, h, v->hand_push, to->hand);
    move(stride, from->target, h * target_give, v->force, to->target);
}

// What a part of the step's stretch adds, with the slopes of the stage.
static void stretch(const atemi_blow_variation *v, const atemi_blow_state *s,
                    const atemi_blow_slope *slope, double part, const atemi_blow_change *to)
{
    const int     stride = v->stride;
    const double *by = v->stretch, rate = s->hand - s->target;
    for (int i = 0; i < v->count; ++i) {
        row_subtract(stride, -part * s->rate[i], by, row_of(to->angle, stride, i));
        row_subtract(stride, -part * slope->rate[i], by, row_of(to->rate, stride, i));
    }
    row_subtract(stride, -part * rate, by, to->depth);
    row_subtract(stride, -part * slope->hand, by, to->hand);
    row_subtract(stride, -part * slope->target, by, to->target);
    if (to->travel) {
        row_subtract(stride, -part * s->target, by, to->travel);
        row_subtract(stride, -part * slope->force, by, to->impulse);
    }
}

static void copy(const atemi_blow_variation *v, const atemi_blow_change *from,
                 const atemi_blow_change *to)
{
    const size_t row = (size_t)v->stride * sizeof *to->hand, all = (size_t)v->count * row;
    memcpy(to->rate, from->rate, all);
    memcpy(to->angle, from->angle, all);
    memcpy(to->hand, from->hand, row);
    memcpy(to->target, from->target, row);
    memcpy(to->depth, from->depth, row);
    if (to->travel) {
        memcpy(to->travel, from->travel, row);
        memcpy(to->impulse, from->impulse, row);
    }
}

void atemi_blow_rk4_variation_start(atemi_blow_variation *v)
{
    const atemi_blow_change stage = stage_of(v);
    copy(v, &v->now, &stage);
    copy(v, &v->now, &v->there);
}

void atemi_blow_rk4_variation_stage(const atemi_blow_problem *p, const atemi_blow_state *s,
                                    const atemi_blow_slope *slope, const double *torque, double h,
                                    double weight, double ahead, double target_give,
                                    atemi_blow_variation *v)
{
    const atemi_blow_change stage = stage_of(v);
    vary_slopes(p, s, torque, &stage, v);
    move_on(v, &v->there, &stage, weight * h, target_give, &v->there);
    if (ahead > 0.0) {
        move_on(v, &v->now, &stage, ahead * h, target_give, &stage);
    }
    if (v->stretches) {
        stretch(v, s, slope, weight, &v->there);
    }
    if (v->stretches && ahead > 0.0) {
        stretch(v, s, slope, ahead, &stage);
    }
}

static void keep_end(atemi_blow_variation *v)
{
    v->stretches = false;
    for (int c = 0; c < v->stride; ++c) {
        v->stretch[c] = -v->lateness[c];
        v->stretches = v->stretches || v->stretch[c] != 0.0;
    }
}

void atemi_blow_rk4_variation_begin(const atemi_blow_problem *p, atemi_blow_variation *v)
{
    atemi_blow_variation_touch(p, v);
    v->holds = !p->is_limited;
    v->chain.holds = false;
    clear(v->stride, v->lateness);
    keep_end(v);
}

void atemi_blow_rk4_variation_move_end(const atemi_blow_gradient *g, double slope,
                                       atemi_blow_variation *v)
{
    const atemi_blow_change *at = &v->there;
    const int                row = g->axis * v->stride;
    v->holds = v->holds && slope < 0.0;
    v->stretches = true;
    for (int c = 0; c < v->stride; ++c) {
        const double change = g->rate * at->rate[row + c] + g->angle * at->angle[row + c] +
                              g->start * v->start[row + c] + g->held * v->held[row + c] +
                              g->depth * at->depth[c] + g->hand * at->hand[c] +
                              g->target * at->target[c];
        const double late = slope < 0.0 ? -change / slope : 0.0;
        v->stretch[c] = late - v->lateness[c];
        v->lateness[c] = late;
    }
}

void atemi_blow_rk4_variation_rest(atemi_blow_variation *v)
{
    clear(v->stride, v->now.target);
}

void atemi_blow_rk4_variation_advance(bool mode_ends, atemi_blow_variation *v)
{
    const atemi_blow_change kept = v->now;
    v->now = v->there;
    v->there = kept;
    if (!mode_ends) {
        clear(v->stride, v->lateness);
    }
    keep_end(v);
}

// ---- At an instant --------------------------------------------------------------------------

void atemi_blow_rk4_variation_peak(const atemi_blow_problem *p, const atemi_blow_state *s,
                                   const atemi_blow_change *at, atemi_blow_variation *v)
{
    vary_force(p, s, at, v->stride, v->peak);
}

void atemi_blow_rk4_variation_show(const atemi_blow_problem *p, const atemi_blow_state *s,
                                   const double *torque, atemi_blow_variation *v)
{
    const atemi_blow_change *at = &v->there;
    vary_slopes(p, s, torque, at, v);
    vary_torques(p, at, true, v, v->servo);
    move(v->count * v->stride, v->start, 1.0, at->rate, v->rates);
    v->slopes = (atemi_blow_sample_slopes){.stride = v->stride,
                                           .force = v->force,
                                           .hand_speed = at->hand,
                                           .target_speed = at->target,
                                           .rates = v->rates,
                                           .accelerations = v->accelerations,
                                           .torques = v->servo};
}
