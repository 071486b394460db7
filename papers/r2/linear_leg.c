// SPDX-License-Identifier: Apache-2.0

#include "papers/r2/linear_leg.h"

#include "atemi/blow.h"
#include "atemi/math.h"

#include <math.h>
#include <string.h>

// With M the inertia of the joints, one link held, and r what is asked for:
//
//   M x'' + D x' + K (x - r) = 0,     K_i = M_ii omega_i^2,     D_i = 2 zeta sqrt(K_i M_ii)
//
// M is the inverse of the mobility C of the virtual base (atemi/blow.h) over the joints. By the
// implicit midpoint rule, w the velocity in the middle of a step h:
//
//   (2 M / h + D + h K / 2) w = 2 M v / h + K (r - x),     x += h w,     v += 2 (w - v)

static const double step = 1e-3; // s

typedef struct linear_leg {
    int                n;
    atemi_virtual_base base;
    double            *M, *S;             ///< [n x n] the inertia, and the factor of a step
    double            *K, *D, *x, *v, *w; ///< [n]
} linear_leg;

static void take(linear_leg *l, atemi_arena *arena, const atemi_model *model)
{
    l->n = atemi_model_v_count(model) - atemi_base_v_count(atemi_model_base(model));
    l->base = atemi_virtual_base_take(arena, model);
    l->M = atemi_arena_array(arena, double, l->n * l->n);
    l->S = atemi_arena_array(arena, double, l->n * l->n);
    l->K = atemi_arena_array(arena, double, l->n);
    l->D = atemi_arena_array(arena, double, l->n);
    l->x = atemi_arena_array(arena, double, l->n);
    l->v = atemi_arena_array(arena, double, l->n);
    l->w = atemi_arena_array(arena, double, l->n);
}

// M = C^-1 over the joints, column by column.
static bool find_inertia(linear_leg *l)
{
    const int first = l->base.base_count;
    for (int i = 0; i < l->n; ++i) {
        memcpy(l->S + (size_t)i * (size_t)l->n,
               l->base.mobility + (size_t)(first + i) * (size_t)l->base.stride + first,
               (size_t)l->n * sizeof(double));
    }
    if (!atemi_cholesky_factor(l->n, l->S, l->n)) {
        return false;
    }
    for (int i = 0; i < l->n; ++i) { // symmetric: rows are columns
        double *column = l->M + (size_t)i * (size_t)l->n;
        memset(column, 0, (size_t)l->n * sizeof *column);
        column[i] = 1.0;
        atemi_cholesky_solve(l->n, l->S, l->n, column);
    }
    return true;
}

static bool find_step(const linear_leg_task *task, linear_leg *l)
{
    for (int i = 0; i < l->n; ++i) {
        const double omega = i < task->leg ? task->frequency : task->other;
        const double m = l->M[i * (l->n + 1)];
        l->K[i] = m * omega * omega;
        l->D[i] = 2.0 * task->ratio * sqrt(l->K[i] * m);
    }
    for (int k = 0; k < l->n * l->n; ++k) {
        l->S[k] = 2.0 / step * l->M[k];
    }
    for (int i = 0; i < l->n; ++i) {
        l->S[i * (l->n + 1)] += l->D[i] + 0.5 * step * l->K[i];
    }
    return atemi_cholesky_factor(l->n, l->S, l->n);
}

static void advance(linear_leg *l, int joint)
{
    for (int i = 0; i < l->n; ++i) {
        l->w[i] = l->K[i] * ((i == joint ? 1.0 : 0.0) - l->x[i]);
        for (int k = 0; k < l->n; ++k) {
            l->w[i] += 2.0 / step * l->M[i * l->n + k] * l->v[k];
        }
    }
    atemi_cholesky_solve(l->n, l->S, l->n, l->w);
    for (int i = 0; i < l->n; ++i) {
        l->x[i] += step * l->w[i];
        l->v[i] = 2.0 * l->w[i] - l->v[i];
    }
}

static void respond(const linear_leg_task *task, int joint, linear_leg *l, double *response)
{
    const int steps = (int)lround(task->period / step);
    memset(l->x, 0, (size_t)l->n * sizeof *l->x);
    memset(l->v, 0, (size_t)l->n * sizeof *l->v);
    for (int k = 0; k < task->samples; ++k) {
        response[k] = l->x[joint];
        for (int i = 0; i < steps; ++i) {
            advance(l, joint);
        }
    }
}

static atemi_status hold(const linear_leg_task *task, linear_leg *l, atemi_error *error)
{
    const atemi_striking_point point = {.link = task->free, .direction = {1.0, 0.0, 0.0}};
    atemi_ground               ground = atemi_ground_default();
    ground.links = &task->held;
    ground.count = 1;
    const atemi_status status =
        atemi_virtual_base_update(task->model, task->q, &ground, &point, &l->base, error);
    if (status) {
        return status;
    }
    return find_inertia(l) && find_step(task, l)
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_SINGULAR, "a joint of the leg has no inertia");
}

atemi_status linear_leg_step(const linear_leg_task *task, double *responses, atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    linear_leg  l;
    take(&l, &arena, task->model);
    atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&l, &arena, task->model);
    status = hold(task, &l, error);
    for (int i = 0; i < task->leg && !status; ++i) {
        respond(task, i, &l, responses + (size_t)i * (size_t)task->samples);
    }
    atemi_arena_destroy(&arena);
    return status;
}
