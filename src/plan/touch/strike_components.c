// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_components.h"

#include "atemi/math.h"
#include "math/matrix.h"
#include "motion/least_norm.h"
#include "plan/motion/strike_trajectory.h"

#include <math.h>
#include <string.h>

// With the velocities of the base, b, and of the joints, j, the goals of the first foot, F, and all
// others, D, are met:
//
//   F_b v_b + F_j v_j = f,   D_b v_b + D_j v_j = d
//   X = F_b^-1 F_j,   y = F_b^-1 f,   C = D_j - D_b X,   c = d - D_b y
//
// so that of all v_j with C v_j = c, the one of least weighted length is
//
//   v_j = W^-1 C^T z,   (C W^-1 C^T) z = c,   v_b = y - X v_j
//
// F_b is regular whatever the posture. A second pass takes rounding errors away. A foot that stays
// has f = 0.
//
// Rows of C come in the order feet, hands, body, and one that depends on those before it is left
// out. Of the feet, that is all: with legs of five joints, rows of the second foot depend on the
// others, so their goals, to stay, are met. Otherwise no velocities meet all goals, and those that
// come nearest are found by atemi_least_norm_factor(), which takes three times as long.
//
// Legs that move as seen from the side only cannot sway, and arms alone give L_x and the velocity
// of the centre of mass along y in about the same ratio. There, L_x is no goal.
//
// An arm that stands on its base has no joints for goals of the body, and a floor that is wide
// enough needs none.

static const double dependent =
    1e-9; // what a row has of its own, less than this part of its square
static const double rounding = 1e-20; // what is left of a row that vanishes, part of its square

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
    memcpy(r->y, goals->values + foot, (size_t)base * sizeof *r->y);
    atemi_lu_solve(base, B, base, pivot, r->y);
}

// Adds a row to C, of a row of the goals.
static void add_row(strike_velocity_workspace *w, int base, int goal)
{
    strike_reduction *r = &w->reduction;
    const int         n = w->goals.width, joints = n - base;
    const double     *from = row_in(w->goals.rows, n, goal);
    double           *row = row_of(r->C, joints, r->count);
    memcpy(row, from + base, (size_t)joints * sizeof *row);
    for (int k = 0; k < base; ++k) {
        row_subtract(joints, from[k], row_in(r->X, joints, k), row);
    }
    r->goals[r->count] = goal;
    r->shift[r->count] = row_dot(base, from, r->y);
    r->squares[r->count] = matrix_dot(n, from, from);
}

// Row i of C W^-1 C^T, scaled to length one, behind all rows before it.
static void weigh_row(strike_reduction *r, int joints, int i)
{
    double       *weighted = row_of(r->weighted, joints, i), *S = row_of(r->S, r->stride, i);
    const double *row = row_in(r->C, joints, i);
    for (int j = 0; j < joints; ++j) {
        weighted[j] = row[j] * r->ease[j];
    }
    const double square = matrix_dot(joints, weighted, row);
    r->scale[i] = square > rounding * r->squares[i] ? 1.0 / sqrt(square) : 0.0;
    for (int k = 0; k < i; ++k) {
        S[k] = r->scale[i] * r->scale[k] * matrix_dot(joints, weighted, row_in(r->C, joints, k));
    }
    S[i] = r->scale[i] * r->scale[i] * square;
}

// The factor of that, column by column, whose elements do not wait for each other. A row without
// anything of its own has a column of zeros, and no scale.
static void factor_rows(strike_reduction *r)
{
    for (int j = 0; j < r->count; ++j) {
        double      *L_j = row_of(r->S, r->stride, j);
        const double own = L_j[j] - row_dot(j, L_j, L_j);
        const bool   counts = own > dependent;
        L_j[j] = counts ? sqrt(own) : 0.0;
        r->scale[j] = counts ? r->scale[j] : 0.0;
        const double inverse = counts ? 1.0 / L_j[j] : 0.0;
        for (int i = j + 1; i < r->count; ++i) {
            double *L_i = row_of(r->S, r->stride, i);
            L_i[j] = inverse * (L_i[j] - row_dot(j, L_i, L_j));
        }
    }
}

static void move_row(strike_reduction *r, int joints, int from, int to)
{
    const size_t size = (size_t)joints * sizeof *r->C;
    memmove(row_of(r->C, joints, to), row_in(r->C, joints, from), size);
    memmove(row_of(r->weighted, joints, to), row_in(r->weighted, joints, from), size);
    memmove(row_of(r->S, r->stride, to), row_in(r->S, r->stride, from),
            (size_t)r->stride * sizeof *r->S);
    r->scale[to] = r->scale[from];
    r->shift[to] = r->shift[from];
    r->goals[to] = r->goals[from];
}

// Without the rows that have no scale, and their columns.
static void leave_out_dependent(strike_reduction *r, int joints)
{
    for (int i = 0; i < r->count; ++i) {
        double *row = row_of(r->S, r->stride, i);
        int     next = 0;
        for (int k = 0; k <= i; ++k) {
            row[next] = row[k];
            next += r->scale[k] != 0.0;
        }
    }
    int kept = 0;
    for (int i = 0; i < r->count; ++i) {
        if (r->scale[i] != 0.0) {
            if (i != kept) {
                move_row(r, joints, i, kept);
            }
            ++kept;
        }
    }
    r->count = kept;
}

// Whether a goal of the body, from 0 on, is none for this robot.
static bool is_left_out(const strike_setup *s, int goal)
{
    return goal >= 0 && (s->bolted || (s->sagittal && goal == STRIKE_GOAL_ROLL));
}

// C and the factor of its rows, of those that are independent.
static void reduce(const strike_setup *s, int hand_rows, strike_velocity_workspace *w)
{
    const int         base = s->base_count;
    strike_reduction *r = &w->reduction;
    const int         joints = w->goals.width - base, first = hand_rows + STRIKE_BODY_GOALS;
    const int         feet = w->goals.count - first - base; // rows of all but the first
    eliminate_base(w, base, hand_rows);
    for (int j = 0; j < joints; ++j) {
        r->ease[j] = 1.0 / w->weights[base + j];
    }
    r->count = 0;
    for (int i = 0; i < w->goals.count - base; ++i) {
        const int goal = i < feet ? first + base + i : i - feet;
        if (i < feet || !is_left_out(s, goal - hand_rows)) {
            add_row(w, base, goal);
            weigh_row(r, joints, r->count++);
        }
    }
    factor_rows(r);
    r->consistent = true;
    for (int i = feet; i < r->count; ++i) {
        r->consistent = r->consistent && r->scale[i] != 0.0;
    }
    leave_out_dependent(r, joints);
}

// ---- Solution

// v_j += W^-1 C^T z  for what is missing of d
static void add_missing(strike_reduction *r, int joints, const double *d, double *v_j)
{
    const int m = r->count;
    double   *z = r->z;
    for (int i = 0; i < m; ++i) {
        z[i] = r->scale[i] *
               (d[r->goals[i]] - r->shift[i] - matrix_dot(joints, row_in(r->C, joints, i), v_j));
    }
    atemi_cholesky_solve(m, r->S, r->stride, z);
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
        v[i] = r->y[i] - matrix_dot(joints, row_in(r->X, joints, i), v + base);
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
    strike_setup_weights(s, q, w->weights);
    reduce(s, hand_rows, w);
    if (w->reduction.consistent) {
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
    const int hand_rows = strike_goals_set(
        s, x, q, strike_fraction_at(time, x->hand_rise, x->hand_fall),
        strike_fraction_at(time, x->body_rise, x->body_fall), foot_gain, &w->goals);
    strike_setup_weights(s, q, w->weights);
    reduce(s, hand_rows, w);
    if (w->reduction.consistent) {
        solve(w, s->base_count, w->goals.values, v);
    } else {
        atemi_velocity_goals_solve(&w->goals, w->weights, v);
    }
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
    return (strike_reduction){.stride = rows,
                              .X = atemi_arena_array(arena, double, 6 * n),
                              .C = atemi_arena_array(arena, double, rows *n),
                              .weighted = atemi_arena_array(arena, double, rows *n),
                              .S = atemi_arena_array(arena, double, rows *rows),
                              .ease = atemi_arena_array(arena, double, n),
                              .scale = atemi_arena_array(arena, double, rows),
                              .shift = atemi_arena_array(arena, double, rows),
                              .squares = atemi_arena_array(arena, double, rows),
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
