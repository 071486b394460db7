// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_multipliers.h"

#include "atemi/dense.h"

#include <math.h>
#include <string.h>

// At an optimum, what is minimized can fall only where bounds forbid it:
//
//   gradient + sum of lambda_k slope_k = 0,   lambda >= 0
//
// by the nonnegative least squares of Lawson and Hanson: of the bounds not in use, the one that
// takes most off the residual comes into use; those that would pull leave it again.

static const double close_by = 1e-4; // scaled: what stands at its bound
static const double little = 1e-5;   // of the gradient: a part that is not worth a bound

enum { N = ATEMI_STRIKE_MOST_VARIABLES };

// ---- Bounds

static void add_row(const strike_scaled *s, int row, strike_bound *bound)
{
    const int n = s->problem->variable_count;
    *bound = (strike_bound){0};
    bound->index = strike_scaled_constraint(s, row, &bound->is_upper);
    bound->scale = s->problem->constraints[bound->index].scale;
    memcpy(bound->slope, s->slopes + row * n, (size_t)n * sizeof *bound->slope);
}

int strike_bounds_find(const strike_scaled *s, strike_bound *bounds)
{
    int count = 0;
    for (int i = 0; i < s->problem->variable_count; ++i) {
        const double below = s->seen[i] - strike_scaled_lower(s, i);
        const double above = strike_scaled_upper(s, i) - s->seen[i];
        if (fmin(below, above) < close_by) {
            strike_bound *bound = &bounds[count++];
            *bound = (strike_bound){.index = i, .is_variable = true, .is_upper = above < below};
            bound->scale = s->problem->variables[i].scale;
            bound->slope[i] = bound->is_upper ? 1.0 : -1.0;
        }
    }
    for (int r = 1; r <= s->rows && count < STRIKE_MOST_BOUNDS; ++r) {
        if (s->base[r] > -close_by && s->base[r] <= s->tolerance) {
            add_row(s, r, &bounds[count++]);
        }
    }
    return count;
}

// ---- Multipliers

typedef struct balance {
    int                 n; ///< variables
    const double       *gradient;
    const strike_bound *bounds;
    int                 count;
    int                 used[N + 1]; ///< bounds
    int                 used_count;
    double              lambda[N + 1], wanted[N + 1]; ///< of the bounds in use
} balance;

// The least-squares solution with the bounds in use, of whatever sign.
static void fit(balance *b)
{
    static const double rank_tolerance = 1e-9;
    const int           count = b->used_count;
    double              A[N * (N + 1)], right[N], tau[N], work[N + 1];
    int                 pivot[N + 1];
    for (int i = 0; i < b->n; ++i) {
        right[i] = -b->gradient[i];
        for (int k = 0; k < count; ++k) {
            A[i * count + k] = b->bounds[b->used[k]].slope[i];
        }
    }
    const int rank = atemi_qr_factor(b->n, count, A, count, rank_tolerance, tau, pivot, work);
    atemi_qr_solve(b->n, count, A, count, rank, tau, pivot, right, b->wanted);
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// The bound that would take most off the residual; ATEMI_NONE where none would.
static int next_bound(const balance *b)
{
    double residual[N], most = little * sqrt(dot(b->gradient, b->gradient, b->n));
    int    best = ATEMI_NONE;
    for (int i = 0; i < b->n; ++i) {
        residual[i] = -b->gradient[i];
        for (int k = 0; k < b->used_count; ++k) {
            residual[i] -= b->lambda[k] * b->bounds[b->used[k]].slope[i];
        }
    }
    for (int k = 0; k < b->count; ++k) {
        const double *slope = b->bounds[k].slope;
        const double  gain = dot(slope, residual, b->n) / sqrt(dot(slope, slope, b->n));
        if (gain > most) {
            most = gain;
            best = k;
        }
    }
    return best;
}

static void leave(balance *b, int k)
{
    const size_t behind = (size_t)(--b->used_count - k);
    memmove(b->used + k, b->used + k + 1, behind * sizeof *b->used);
    memmove(b->lambda + k, b->lambda + k + 1, behind * sizeof *b->lambda);
}

// Goes towards the wanted multipliers until the first is zero, which leaves.
// @return whether it went all the way
static bool go(balance *b)
{
    double way = 1.0;
    int    first = ATEMI_NONE;
    for (int k = 0; k < b->used_count; ++k) {
        const double until =
            b->wanted[k] > 0.0 ? 1.0 : b->lambda[k] / (b->lambda[k] - b->wanted[k]);
        if (b->wanted[k] <= 0.0 && (first == ATEMI_NONE || until < way)) {
            way = until;
            first = k;
        }
    }
    for (int k = 0; k < b->used_count; ++k) {
        b->lambda[k] += way * (b->wanted[k] - b->lambda[k]);
    }
    if (first != ATEMI_NONE) {
        leave(b, first);
    }
    return first == ATEMI_NONE;
}

void strike_bounds_weigh(const strike_scaled *s, const double *gradient, strike_bound *bounds,
                         int count)
{
    balance b = {
        .n = s->problem->variable_count, .gradient = gradient, .bounds = bounds, .count = count};
    for (int i = 0; i < 3 * count && b.used_count <= b.n; ++i) {
        const int next = next_bound(&b);
        if (next == ATEMI_NONE) {
            break;
        }
        b.used[b.used_count] = next;
        b.lambda[b.used_count++] = 0.0;
        do {
            fit(&b);
        } while (!go(&b) && b.used_count > 0);
    }
    for (int k = 0; k < b.used_count; ++k) {
        bounds[b.used[k]].multiplier = b.lambda[k];
    }
}

void strike_multipliers(strike_scaled *s, const double *x, strike_bound *bounds,
                        double *constraints, double *variables)
{
    const size_t n = (size_t)s->problem->variable_count;
    double       u[N];
    memset(constraints, 0, (size_t)s->problem->constraint_count * sizeof *constraints);
    memset(variables, 0, n * sizeof *variables);
    strike_scaled_variables(s, x, u);
    s->known = false;
    strike_scaled_find_slopes(s, u);
    const int count = strike_bounds_find(s, bounds);
    strike_bounds_weigh(s, s->slopes, bounds, count);
    for (int k = 0; k < count; ++k) {
        const strike_bound *at = &bounds[k];
        double             *to = at->is_variable ? variables : constraints;
        to[at->index] += at->multiplier * s->unit / at->scale;
    }
}
