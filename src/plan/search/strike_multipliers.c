// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_multipliers.h"

#include "math/rows.h"

#include <math.h>
#include <string.h>

// At an optimum, what is minimized can fall only where bounds forbid it:
//
//   gradient + sum of lambda_k slope_k = 0,   lambda >= 0
//
// by nonnegative least squares. What is left shows how far from an optimum it is.

static const double close_by = 1e-4; // scaled: what is at its bound
static const double little = 1e-4;   // of the gradient: a part that is not worth a bound

// ---- Bounds

static double *add_bound(strike_active *a, int variables, strike_bound bound)
{
    double *slope = row_of(a->slopes, variables, a->count);
    memset(slope, 0, (size_t)variables * sizeof *slope);
    a->bounds[a->count++] = bound;
    return slope;
}

static void add_range(strike_active *a, const strike_scaled *s, int i)
{
    const double below = s->seen[i] - strike_scaled_lower(s, i);
    const double above = strike_scaled_upper(s, i) - s->seen[i];
    if (fmin(below, above) < close_by) {
        const strike_bound bound = {.index = i,
                                    .is_variable = true,
                                    .is_upper = above < below,
                                    .scale = s->problem->variables.list[i].scale};
        add_bound(a, s->problem->variables.count, bound)[i] = bound.is_upper ? 1.0 : -1.0;
    }
}

static void add_row(strike_active *a, const strike_scaled *s, int row)
{
    const int    n = s->problem->variables.count;
    strike_bound bound = {0};
    bound.index = strike_scaled_constraint(s, row, &bound.is_upper);
    bound.scale = s->problem->constraints.list[bound.index].scale;
    memcpy(add_bound(a, n, bound), row_in(s->slopes, n, row), (size_t)n * sizeof *a->slopes);
}

void strike_active_find(strike_active *a, const strike_scaled *s)
{
    a->count = 0;
    for (int i = 0; i < s->problem->variables.count; ++i) {
        add_range(a, s, i);
    }
    for (int r = 1; r <= s->rows; ++r) {
        if (s->base[r] > -close_by && s->base[r] <= s->tolerance) {
            add_row(a, s, r);
        }
    }
}

// ---- Multipliers

static double norm(int n, const double *a)
{
    return sqrt(row_dot(n, a, a));
}

double strike_active_weigh(strike_active *a, int n, const double *gradient)
{
    const double size = norm(n, gradient);
    for (int i = 0; i < n; ++i) {
        a->downhill[i] = -gradient[i];
    }
    memset(a->weights, 0, (size_t)a->count * sizeof *a->weights);
    nonnegative_solve(&a->work, a->count, n, a->slopes, a->downhill, a->weights);
    for (int k = 0; k < a->count; ++k) {
        const double *slope = row_in(a->slopes, n, k);
        const bool    counts = a->weights[k] * norm(n, slope) > little * size;
        a->bounds[k].multiplier = counts ? a->weights[k] : 0.0;
        row_subtract(n, a->weights[k], slope, a->downhill);
    }
    return size > 0.0 ? norm(n, a->downhill) / size : 0.0;
}

double strike_multipliers(strike_active *a, strike_scaled *s, const double *x, double *constraints,
                          double *variables)
{
    const size_t n = (size_t)s->problem->variables.count;
    memset(constraints, 0, (size_t)s->problem->constraints.count * sizeof *constraints);
    memset(variables, 0, n * sizeof *variables);
    strike_scaled_variables(s, x, a->weights);
    s->known = false;
    strike_scaled_find_slopes(s, a->weights);
    strike_active_find(a, s);
    const double left = strike_active_weigh(a, (int)n, s->slopes);
    for (int k = 0; k < a->count; ++k) {
        const strike_bound *at = &a->bounds[k];
        double             *to = at->is_variable ? variables : constraints;
        to[at->index] += at->multiplier * s->unit / at->scale;
    }
    return left;
}

strike_active strike_active_take(atemi_arena *arena, int variables, int rows)
{
    const int limit = variables + rows;
    return (strike_active){.bounds = atemi_arena_array(arena, strike_bound, limit),
                           .slopes = atemi_arena_array(arena, double, limit *variables),
                           .weights = atemi_arena_array(arena, double, limit),
                           .downhill = atemi_arena_array(arena, double, variables),
                           .work = nonnegative_take(arena, limit, variables)};
}
