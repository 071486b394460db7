// SPDX-License-Identifier: Apache-2.0

#include "atemi/dense.h"
#include "math/rows.h"
#include "plan/strike_problem.h"

#include <math.h>
#include <string.h>

// With the base's rates b and those of the joints j, the first foot F stays and all other goals D
// are met:
//
//   F_b v_b + F_j v_j = 0,   D_b v_b + D_j v_j = d        X = F_b^-1 F_j,   C = D_j - D_b X
//
// so that of all v_j with C v_j = d, the one of least weighted length is
//
//   v_j = W^-1 C^T z,   (C W^-1 C^T) z = d,   v_b = -X v_j
//
// F_b is regular whatever the posture. A second pass takes rounding errors away. Where rows depend
// on each other, atemi_least_rates_factor() finds it out; it takes three times as long.

static const double dependent =
    1e-9; // what a row has of its own, less than this part of its square

// ---- Reduction

static void eliminate_base(strike_problem *p, int hand_rows)
{
    strike_reduction       *r = &p->reduction;
    const atemi_rate_goals *goals = &p->rates;
    const int               n = goals->width, base = p->base.base_count, joints = n - base;
    const int               foot = hand_rows + STRIKE_BODY_GOALS; // its first row
    double                  B[36], column[6];
    int                     pivot[6];
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
static void fill_rows(strike_problem *p, int hand_rows)
{
    strike_reduction       *r = &p->reduction;
    const atemi_rate_goals *goals = &p->rates;
    const int               n = goals->width, base = p->base.base_count, joints = n - base;
    const int               foot = hand_rows + STRIKE_BODY_GOALS;
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
static bool factor(strike_problem *p)
{
    strike_reduction *r = &p->reduction;
    const int         base = p->base.base_count, joints = p->rates.width - base, m = r->count;
    for (int j = 0; j < joints; ++j) {
        r->ease[j] = 1.0 / p->weights[base + j];
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
static void add_missing(strike_problem *p, const double *d, double *v_j)
{
    strike_reduction *r = &p->reduction;
    const int         joints = p->rates.width - p->base.base_count, m = r->count;
    double           *z = r->z;
    for (int i = 0; i < m; ++i) {
        z[i] = r->scale[i] * (d[r->goals[i]] - row_dot(joints, row_in(r->C, joints, i), v_j));
    }
    atemi_cholesky_solve(m, r->S, m, z);
    for (int i = 0; i < m; ++i) {
        row_subtract(joints, -r->scale[i] * z[i], row_in(r->weighted, joints, i), v_j);
    }
}

static void solve(strike_problem *p, const double *d, double *v)
{
    const strike_reduction *r = &p->reduction;
    const int               base = p->base.base_count, joints = p->rates.width - base;
    memset(v, 0, (size_t)p->rates.width * sizeof *v);
    add_missing(p, d, v + base);
    add_missing(p, d, v + base);
    for (int i = 0; i < base; ++i) {
        v[i] = -row_dot(joints, row_in(r->X, joints, i), v + base);
    }
}

void strike_find_shares(strike_problem *p, const double *q, const strike_shares *shares)
{
    atemi_rate_goals *goals = &p->rates;
    const int         hand_rows = strike_add_goals(p, q, 1.0, 1.0, 0.0);
    double           *hand = p->reduction.hand, *body = p->reduction.body;
    for (int i = 0; i < goals->count; ++i) {
        hand[i] = i < hand_rows ? goals->values[i] : 0.0;
        body[i] = i < hand_rows ? 0.0 : goals->values[i];
    }
    atemi_limit_weights(p->model, q, p->weights);
    eliminate_base(p, hand_rows);
    fill_rows(p, hand_rows);
    if (factor(p)) {
        solve(p, hand, shares->hand);
        solve(p, body, shares->body);
    } else {
        atemi_least_rates_factor(goals->count, goals->width, goals->rows, p->weights,
                                 &goals->least);
        atemi_least_rates_solve(&goals->least, hand, shares->hand);
        atemi_least_rates_solve(&goals->least, body, shares->body);
    }
}

// ---- Room

strike_reduction strike_reduction_take(atemi_arena *arena, const atemi_model *model, int rows)
{
    const int n = atemi_model_v_count(model);
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
