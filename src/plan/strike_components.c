// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_components.h"

#include "atemi/math.h"
#include "math/rows.h"
#include "motion/least_norm.h"
#include "plan/strike_trajectory.h"

#include <math.h>
#include <string.h>

// With the velocities of the base, b, and of the joints, j, the first foot F stays and all other
// goals D are met:
//
//   F_b v_b + F_j v_j = 0,   D_b v_b + D_j v_j = d        X = F_b^-1 F_j,   C = D_j - D_b X
//
// so that of all v_j with C v_j = d, the one of least weighted length is
//
//   v_j = W^-1 C^T z,   (C W^-1 C^T) z = d,   v_b = -X v_j
//
// F_b is regular whatever the posture. A second pass takes rounding errors away. Where rows depend
// on each other, atemi_least_norm_factor() finds it out; it takes three times as long.

static const double dependent =
    1e-9; // what a row has of its own, less than this part of its square

// ---- Reduction

static void eliminate_base(strike_velocity_workspace *w, int base, int hand_rows)
{
    strike_reduction           *r = &w->reduction;
    const atemi_velocity_goals *goals = &w->goals;
    const int                   n = goals->width, joints = n - base;
    const int                   foot = hand_rows + STRIKE_BODY_GOALS; // its first row
    double                      B[36], column[6];
    int                         pivot[6];
    for (int i = 0; i < base; ++i) {
        memcpy(B + base * i, row_in(goals->rows, n, foot + i), (size_t)base * sizeof *B);
    }
    atemi_lu_factor(base, B, base, pivot);
    for (int j = 0; j < joints; ++j) {
        double size = 0.0;
        for (int i = 0; i < base; ++i) {
            column[i] = row_in(goals->rows, n, foot + i)[base + j];
            size += fabs(column[i]);
        }
        if (size > 0.0) {
            atemi_lu_solve(base, B, base, pivot, column);
        }
        for (int i = 0; i < base; ++i) {
            row_of(r->X, joints, i)[j] = column[i];
        }
    }
}

// C, and the rows of the goals that it is of.
static void fill_rows(strike_velocity_workspace *w, int base, int hand_rows)
{
    strike_reduction           *r = &w->reduction;
    const atemi_velocity_goals *goals = &w->goals;
    const int                   n = goals->width, joints = n - base;
    const int                   foot = hand_rows + STRIKE_BODY_GOALS;
    r->count = 0;
    for (int i = 0; i < goals->count; ++i) {
        if (i >= foot && i < foot + base) {
            continue;
        }
        const double *from = row_in(goals->rows, n, i);
        double       *row = row_of(r->C, joints, r->count);
        memcpy(row, from + base, (size_t)joints * sizeof *row);
        for (int k = 0; k < base; ++k) {
            row_subtract(joints, from[k], row_in(r->X, joints, k), row);
        }
        r->goals[r->count++] = i;
    }
}

// The factor of C W^-1 C^T, each row scaled to length one.
// @return whether the rows are independent
static bool factor(strike_velocity_workspace *w, int base)
{
    strike_reduction *r = &w->reduction;
    const int         joints = w->goals.width - base, m = r->count;
    for (int j = 0; j < joints; ++j) {
        r->ease[j] = 1.0 / w->weights[base + j];
    }
    for (int i = 0; i < m; ++i) {
        double       *weighted = row_of(r->weighted, joints, i), *S = row_of(r->S, m, i);
        const double *row = row_in(r->C, joints, i);
        for (int j = 0; j < joints; ++j) {
            weighted[j] = row[j] * r->ease[j];
        }
        for (int k = 0; k <= i; ++k) {
            S[k] = row_dot(joints, weighted, row_in(r->C, joints, k));
        }
        r->scale[i] = S[i] > 0.0 ? 1.0 / sqrt(S[i]) : 0.0;
        for (int k = 0; k <= i; ++k) {
            S[k] *= r->scale[i] * r->scale[k];
        }
    }
    bool independent = atemi_cholesky_factor(m, r->S, m);
    for (int i = 0; i < m && independent; ++i) {
        const double own = row_in(r->S, m, i)[i];
        independent = own * own > dependent;
    }
    return independent;
}

// ---- Solution

// v_j += W^-1 C^T z  for what is missing of d
static void add_missing(strike_reduction *r, int joints, const double *d, double *v_j)
{
    const int m = r->count;
    double   *z = r->z;
    for (int i = 0; i < m; ++i) {
        z[i] = r->scale[i] * (d[r->goals[i]] - row_dot(joints, row_in(r->C, joints, i), v_j));
    }
    atemi_cholesky_solve(m, r->S, m, z);
    for (int i = 0; i < m; ++i) {
        row_subtract(joints, -r->scale[i] * z[i], row_in(r->weighted, joints, i), v_j);
    }
}

static void solve(strike_velocity_workspace *w, int base, const double *d, double *v)
{
    strike_reduction *r = &w->reduction;
    const int         joints = w->goals.width - base;
    memset(v, 0, (size_t)w->goals.width * sizeof *v);
    add_missing(r, joints, d, v + base);
    add_missing(r, joints, d, v + base);
    for (int i = 0; i < base; ++i) {
        v[i] = -row_dot(joints, row_in(r->X, joints, i), v + base);
    }
}

void strike_components_find(const strike_setup *s, const strike_values *x, const double *q,
                            strike_velocity_workspace *w, const strike_components *components)
{
    atemi_velocity_goals *goals = &w->goals;
    const int             hand_rows = strike_goals_set(s, x, q, 1.0, 1.0, 0.0, goals);
    double               *hand = w->reduction.hand, *body = w->reduction.body;
    for (int i = 0; i < goals->count; ++i) {
        hand[i] = i < hand_rows ? goals->values[i] : 0.0;
        body[i] = i < hand_rows ? 0.0 : goals->values[i];
    }
    atemi_limit_weights(s->model, q, w->weights);
    eliminate_base(w, s->base_count, hand_rows);
    fill_rows(w, s->base_count, hand_rows);
    w->reduction.independent = factor(w, s->base_count);
    if (w->reduction.independent) {
        solve(w, s->base_count, hand, components->hand);
        solve(w, s->base_count, body, components->body);
    } else {
        atemi_least_norm_factor(goals->count, goals->width, goals->rows, w->weights, goals->least);
        atemi_least_norm_solve(goals->least, hand, components->hand);
        atemi_least_norm_solve(goals->least, body, components->body);
    }
}

void strike_velocities_at(const strike_setup *s, const strike_values *x, const double *q,
                          double time, double foot_gain, strike_velocity_workspace *w, double *v)
{
    strike_goals_set(s, x, q, strike_fraction_at(time, x->hand_rise, x->hand_fall),
                     strike_fraction_at(time, x->body_rise, x->body_fall), foot_gain, &w->goals);
    atemi_limit_weights(s->model, q, w->weights);
    atemi_velocity_goals_solve(&w->goals, w->weights, v);
}

// ---- Workspace

strike_components strike_components_take(atemi_arena *arena, const atemi_model *model)
{
    const int n = atemi_model_v_count(model);
    return (strike_components){atemi_arena_array(arena, double, n),
                               atemi_arena_array(arena, double, n)};
}

static strike_reduction take_reduction(atemi_arena *arena, int n, int rows)
{
    return (strike_reduction){.X = atemi_arena_array(arena, double, 6 * n),
                              .C = atemi_arena_array(arena, double, rows *n),
                              .weighted = atemi_arena_array(arena, double, rows *n),
                              .S = atemi_arena_array(arena, double, rows *rows),
                              .ease = atemi_arena_array(arena, double, n),
                              .scale = atemi_arena_array(arena, double, rows),
                              .z = atemi_arena_array(arena, double, rows),
                              .hand = atemi_arena_array(arena, double, rows),
                              .body = atemi_arena_array(arena, double, rows),
                              .goals = atemi_arena_array(arena, int, rows)};
}

strike_velocity_workspace strike_velocity_workspace_take(atemi_arena *arena, const strike_setup *s)
{
    const int rows = strike_goals_count(s);
    return (strike_velocity_workspace){.goals = atemi_velocity_goals_take(arena, s->model, rows),
                                       .weights = atemi_arena_array(arena, double, s->v_count),
                                       .reduction = take_reduction(arena, s->v_count, rows)};
}
