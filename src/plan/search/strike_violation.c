// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_violation.h"

#include "atemi/math.h"

#include <math.h>
#include <string.h>

// Rows g_i are met up to 0. Minimized is
//
//   F(u) = sum of w_i phi(g_i(u)),   phi(g) = 0 for g < 0,  g^2 / (2 d) up to d,  then g - d / 2
//
// with w_i such that families of constraints count alike, however often each is looked at. At first
// d is so large that squares are summed, which leads quickly to where constraints are met, if that
// can be. Then d shrinks, and with it what is violated of all rows but those that cannot be met.
// Each step goes to the least of parabolas that lie above phi, touch it at g and have the curvature
// 1 / max(g, d), damped as by Levenberg and Marquardt:
//
//   (sum of w_i slope_i slope_i^T / max(g_i, d) + mu E) step = -sum of w_i phi'(g_i) slope_i
//
// over the variables that are not held by their ranges.

static const double roundings[] = {100.0, 10.0, 1.0, 0.1, 0.01}; // d, scaled
static const double least_gain = 1e-4;                           // of F, for another step
static const double met = 1e-9;                                  // F

enum { ROUNDINGS = sizeof roundings / sizeof roundings[0], MAX_STEPS = 60 };

// ---- The sum

static double corner(double g, double d)
{
    const double outside = fmax(g, 0.0);
    return outside < d ? 0.5 * outside * outside / d : outside - 0.5 * d;
}

double strike_violation_slope(const strike_violation *v, double outside)
{
    return fmin(fmax(outside / v->rounding, 0.0), 1.0);
}

double strike_violation_of_range(const strike_violation *v, const double *u, int variable)
{
    const double here = u[variable];
    return fmax(strike_scaled_lower(v->scaled, variable) - here,
                here - strike_scaled_upper(v->scaled, variable));
}

static double sum_of(const strike_violation *v, const double *u)
{
    const strike_scaled *s = v->scaled;
    double               sum = 0.0;
    for (int r = 1; r <= s->rows; ++r) {
        sum += v->weights[r] * corner(s->base[r], v->rounding);
    }
    for (int i = 0; i < s->problem->variables.count; ++i) {
        sum += corner(strike_violation_of_range(v, u, i), v->rounding);
    }
    return sum;
}

static void add_row(strike_violation *v, double g, double weight, const double *slope)
{
    const int    n = v->scaled->problem->variables.count;
    const double pull = weight * strike_violation_slope(v, g);
    const double bend = weight / fmax(g, v->rounding);
    for (int i = 0; i < n; ++i) {
        v->gradient[i] += pull * slope[i];
        for (int k = 0; k <= i; ++k) {
            v->curvature[i * n + k] += bend * slope[i] * slope[k];
        }
    }
}

// Gradient and curvature.
static void find_model(strike_violation *v, const double *u)
{
    const strike_scaled *s = v->scaled;
    const int            n = s->problem->variables.count;
    double               axis[ATEMI_STRIKE_MAX_VARIABLES] = {0};
    memset(v->gradient, 0, (size_t)n * sizeof *v->gradient);
    memset(v->curvature, 0, (size_t)(n * n) * sizeof *v->curvature);
    for (int r = 1; r <= s->rows; ++r) {
        if (s->base[r] > 0.0) {
            add_row(v, s->base[r], v->weights[r], s->slopes + (size_t)r * (size_t)n);
        }
    }
    for (int i = 0; i < n; ++i) {
        const double outside = strike_violation_of_range(v, u, i);
        if (outside > 0.0) {
            axis[i] = u[i] < strike_scaled_lower(s, i) ? -1.0 : 1.0;
            add_row(v, outside, 1.0, axis);
            axis[i] = 0.0;
        }
    }
}

// ---- Steps

static double lower(const strike_violation *v, int i)
{
    const double bound = strike_scaled_lower(v->scaled, i);
    return v->scaled->problem->variables.list[i].is_motion ? fmin(bound, 0.0) : bound;
}

static double upper(const strike_violation *v, int i)
{
    const double bound = strike_scaled_upper(v->scaled, i);
    return v->scaled->problem->variables.list[i].is_motion ? fmax(bound, 0.0) : bound;
}

bool strike_violation_is_held(const strike_violation *v, const double *u, int variable)
{
    const double here = u[variable], slope = v->gradient[variable];
    return (here <= lower(v, variable) && slope > 0.0) ||
           (here >= upper(v, variable) && slope < 0.0);
}

static void step_from(const strike_violation *v, const double *u, double damping, double *next)
{
    const int n = v->scaled->problem->variables.count;
    double   *A = v->factor, step[ATEMI_STRIKE_MAX_VARIABLES];
    memcpy(A, v->curvature, (size_t)(n * n) * sizeof *A);
    for (int i = 0; i < n; ++i) {
        const bool held = strike_violation_is_held(v, u, i);
        for (int k = 0; k < n && held; ++k) {
            A[i > k ? i * n + k : k * n + i] = 0.0;
        }
        A[i * n + i] += damping;
        step[i] = held ? 0.0 : -v->gradient[i];
    }
    if (atemi_cholesky_factor(n, A, n)) {
        atemi_cholesky_solve(n, A, n, step);
    }
    for (int i = 0; i < n; ++i) {
        next[i] = fmin(fmax(u[i] + step[i], lower(v, i)), upper(v, i));
    }
}

// Steps from u, shorter and shorter, until one gains.
// @return what it gains; 0 where none does
static double descend(strike_violation *v, double *damping, double *u)
{
    strike_scaled *s = v->scaled;
    const double   here = sum_of(v, u);
    double         next[ATEMI_STRIKE_MAX_VARIABLES] = {0};
    find_model(v, u);
    for (; *damping < 1e12; *damping *= 8.0) {
        step_from(v, u, *damping, next);
        strike_scaled_look(s, next);
        const double gain = here - sum_of(v, next);
        if (gain > 0.0) {
            memcpy(u, next, (size_t)s->problem->variables.count * sizeof *u);
            *damping = fmax(0.2 * *damping, 1e-9);
            return gain;
        }
    }
    strike_scaled_look(s, u);
    return 0.0;
}

static void minimize(strike_violation *v, double *u)
{
    double damping = 1.0;
    strike_scaled_find_slopes(v->scaled, u);
    for (int i = 0; i < MAX_STEPS && strike_scaled_goes_on(v->scaled); ++i) {
        const double gain = descend(v, &damping, u);
        const double sum = sum_of(v, u);
        strike_scaled_find_slopes(v->scaled, u);
        if (gain <= least_gain * sum || sum <= met) {
            break;
        }
    }
    find_model(v, u);
}

// ---- Families

static int count_family(const strike_constraints *constraints, const atemi_strike_constraint *of)
{
    int count = 0;
    for (int i = 0; i < constraints->count; ++i) {
        count += strike_constraints_are_related(of, &constraints->list[i].about);
    }
    return count;
}

static void find_weights(strike_violation *v)
{
    const strike_constraints *constraints = &v->scaled->problem->constraints;
    int                       row = 1;
    for (int i = 0; i < constraints->count; ++i) {
        const strike_constraint *c = &constraints->list[i];
        const int                parts = c->part_count > 0 ? c->part_count : 1;
        const double             weight = 1.0 / (parts * count_family(constraints, &c->about));
        for (int k = strike_scaled_rows(c); k > 0; --k) {
            v->weights[row++] = weight;
        }
    }
}

// ---- All of it

void strike_violation_minimize(strike_violation *v, double *u)
{
    v->scaled->known = false;
    find_weights(v);
    for (int i = 0; i < v->scaled->problem->variables.count; ++i) {
        u[i] = fmin(fmax(u[i], lower(v, i)), upper(v, i));
    }
    for (int i = 0; i < ROUNDINGS && strike_scaled_goes_on(v->scaled); ++i) {
        v->rounding = roundings[i];
        minimize(v, u);
    }
}

static void take(strike_violation *v, atemi_arena *arena)
{
    const int n = v->scaled->problem->variables.count;
    v->weights = atemi_arena_array(arena, double, v->scaled->rows + 1);
    v->gradient = atemi_arena_array(arena, double, n);
    v->curvature = atemi_arena_array(arena, double, n *n);
    v->factor = atemi_arena_array(arena, double, n *n);
}

atemi_status strike_violation_create(strike_scaled *scaled, strike_violation *v, atemi_error *error)
{
    *v = (strike_violation){.scaled = scaled, .rounding = roundings[0]};
    atemi_arena arena = atemi_arena_measuring();
    take(v, &arena);
    const atemi_status status = atemi_arena_create(&v->arena, arena.used, error);
    if (!status) {
        take(v, &v->arena);
    }
    return status;
}

void strike_violation_destroy(strike_violation *v)
{
    atemi_arena_destroy(&v->arena);
}
