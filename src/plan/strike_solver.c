// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_solver.h"

#include "atemi/dense.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

// In scaled variables u, objective and constraints are
//
//   f(u) = -objective / unit,   g_i(u) = (lower_i - c_i) / scale_i  or  (c_i - upper_i) / scale_i
//   <= 0
//
// and row 0 of `base` and `slopes` is f. Differences are taken forwards, or backwards where a bound
// is near.

static const double difference = 1e-6; // of a scaled variable
static const double close_by = 1e-5;   // scaled: what stands at its bound

// Where constraints contradict each other at a point, a step of SLSQP has no solution, and it gives
// up. An elastic search has one more variable, by which all constraints may be violated, at a price
// beside f.
static const double price = 10.0;

static const double slowly = 0.2; // of the speeds

enum { MOST_RESCUES = 3 };

static double scaled(const strike_solver *s, int i, double x)
{
    return x / s->problem->variables[i].scale;
}

// ---- Values and slopes

static void fill_rows(strike_solver *s, double *rows)
{
    const strike_problem *p = s->problem;
    int                   next = 0;
    rows[next++] = -p->objective / s->unit;
    for (int i = 0; i < p->constraint_count; ++i) {
        const strike_constraint *c = &p->constraints[i];
        if (isfinite(c->about.lower)) {
            rows[next++] = (c->about.lower - p->found[i]) / c->scale;
        }
        if (isfinite(c->about.upper)) {
            rows[next++] = (p->found[i] - c->about.upper) / c->scale;
        }
    }
}

static int count_rows(const strike_problem *p)
{
    int count = 0;
    for (int i = 0; i < p->constraint_count; ++i) {
        count += isfinite(p->constraints[i].about.lower);
        count += isfinite(p->constraints[i].about.upper);
    }
    return count;
}

// The best so far: feasible, and of those the hardest blow; otherwise the least infeasible.
static void keep_best(strike_solver *s)
{
    const double violation = strike_problem_violation(s->problem);
    const double tolerance = s->options->tolerance;
    const bool   is_better = violation <= tolerance && s->result.violation <= tolerance
                                 ? s->problem->objective > s->result.objective
                                 : violation < s->result.violation;
    if (is_better) {
        s->result.violation = violation;
        s->result.objective = s->problem->objective;
        memcpy(s->best, s->x, (size_t)s->problem->variable_count * sizeof *s->best);
    }
}

static bool is_seen(const strike_solver *s, const double *u)
{
    return s->known && memcmp(u, s->seen, (size_t)s->problem->variable_count * sizeof *u) == 0;
}

static void look(strike_solver *s, const double *u)
{
    strike_problem *p = s->problem;
    if (is_seen(s, u)) {
        return;
    }
    for (int i = 0; i < p->variable_count; ++i) {
        s->x[i] = u[i] * p->variables[i].scale;
        s->seen[i] = u[i];
    }
    strike_problem_evaluate(p, s->x);
    fill_rows(s, s->base);
    keep_best(s);
    s->known = true;
    s->sloped = false;
}

static void find_slopes(strike_solver *s, const double *u)
{
    strike_problem *p = s->problem;
    const int       n = p->variable_count, rows = s->rows + 1;
    double         *moved = s->slopes + (size_t)rows * (size_t)n; // room behind them
    look(s, u);
    if (s->sloped) {
        return;
    }
    for (int k = 0; k < n; ++k) {
        const double upper = scaled(s, k, p->variables[k].about.range.upper);
        const double step = u[k] + difference > upper ? -difference : difference;
        for (int i = 0; i < n; ++i) {
            s->x[i] = (u[i] + (i == k ? step : 0.0)) * p->variables[i].scale;
        }
        strike_problem_evaluate(p, s->x);
        fill_rows(s, moved);
        for (int r = 0; r < rows; ++r) {
            s->slopes[r * n + k] = (moved[r] - s->base[r]) / step;
        }
    }
    ++s->result.gradients;
    s->sloped = true;
}

// ---- NLopt

static bool goes_on(strike_solver *s)
{
    const atemi_strike_options *o = s->options;
    s->result.stopped =
        s->result.stopped || (o->progress && !o->progress(o->context, s->done, s->result.objective,
                                                          s->result.violation));
    return !s->result.stopped;
}

typedef struct callback {
    strike_solver *solver;
    nlopt_opt      optimizer;
} callback;

static double on_objective(unsigned n, const double *u, double *gradient, void *context)
{
    callback      *back = (callback *)context;
    strike_solver *s = back->solver;
    const unsigned own = (unsigned)s->problem->variable_count;
    look(s, u);
    if (gradient) {
        find_slopes(s, u);
        memcpy(gradient, s->slopes, own * sizeof *gradient);
        if (n > own) {
            gradient[own] = price;
        }
        if (!goes_on(s)) {
            nlopt_force_stop(back->optimizer);
        }
    }
    return s->base[0] + (n > own ? price * u[own] : 0.0);
}

static void on_constraints(unsigned m, double *result, unsigned n, const double *u,
                           double *gradient, void *context)
{
    strike_solver *s = ((callback *)context)->solver;
    const unsigned own = (unsigned)s->problem->variable_count;
    look(s, u);
    for (unsigned r = 0; r < m; ++r) {
        result[r] = s->base[1 + r] - (n > own ? u[own] : 0.0);
    }
    if (gradient) {
        find_slopes(s, u);
        for (unsigned r = 0; r < m; ++r) {
            memcpy(gradient + r * n, s->slopes + (1 + r) * own, own * sizeof *gradient);
            if (n > own) {
                gradient[r * n + own] = -1.0;
            }
        }
    }
}

static void set_bounds(const strike_solver *s, nlopt_opt optimizer, bool elastic)
{
    const int n = s->problem->variable_count;
    for (int i = 0; i < n; ++i) {
        const atemi_strike_range *range = &s->problem->variables[i].about.range;
        nlopt_set_lower_bound(optimizer, i, scaled(s, i, range->lower));
        nlopt_set_upper_bound(optimizer, i, scaled(s, i, range->upper));
    }
    if (elastic) {
        nlopt_set_lower_bound(optimizer, n, 0.0);
        nlopt_set_upper_bound(optimizer, n, HUGE_VAL);
    }
}

// One search from x; an elastic one may violate all constraints by as much as it pays for.
static void search(strike_solver *s, const double *x, bool elastic)
{
    strike_problem *p = s->problem;
    const unsigned  n = (unsigned)p->variable_count + elastic;
    nlopt_opt       optimizer = nlopt_create(NLOPT_LD_SLSQP, n);
    callback        back = {s, optimizer};
    double          u[ATEMI_STRIKE_MOST_VARIABLES + 1], least;
    s->known = false;
    if (!optimizer) {
        return;
    }
    for (int i = 0; i < p->variable_count; ++i) {
        const atemi_strike_range *range = &p->variables[i].about.range;
        u[i] = scaled(s, i, fmin(fmax(x[i], range->lower), range->upper));
    }
    look(s, u);
    u[p->variable_count] = fmax(strike_problem_violation(p), 0.0);
    set_bounds(s, optimizer, elastic);
    nlopt_set_min_objective(optimizer, on_objective, &back);
    nlopt_add_inequality_mconstraint(optimizer, (unsigned)s->rows, on_constraints, &back, NULL);
    nlopt_set_maxeval(optimizer, s->options->iterations);
    nlopt_set_ftol_rel(optimizer, 1e-9);
    nlopt_set_xtol_rel(optimizer, 1e-8);
    (void)nlopt_optimize(optimizer, u, &least);
    nlopt_destroy(optimizer);
}

static bool is_feasible(const strike_solver *s)
{
    return s->result.violation <= s->options->tolerance;
}

// The same posture, almost at rest: there the constraints are those of the posture.
static void slow_down(const strike_solver *s, double *x)
{
    for (int i = 0; i < s->problem->variable_count; ++i) {
        if (s->problem->variables[i].is_motion) {
            x[i] *= slowly;
        }
    }
}

strike_try strike_solver_run(strike_solver *s, const double *x)
{
    const size_t size = (size_t)s->problem->variable_count * sizeof *x;
    double       start[ATEMI_STRIKE_MOST_VARIABLES];
    s->result = (strike_try){.objective = -INFINITY, .violation = INFINITY};
    memcpy(start, x, size);
    slow_down(s, start);
    search(s, start, false);
    for (int i = 0; i < MOST_RESCUES && !is_feasible(s) && !s->result.stopped; ++i) {
        memcpy(start, i % 2 == 0 ? x : s->best, size);
        slow_down(s, start);
        s->result.violation = INFINITY;
        search(s, start, true);
        if (!s->result.stopped) {
            memcpy(start, s->best, size);
            search(s, start, false);
        }
    }
    return s->result;
}

// ---- Multipliers

// A bound that the values stand at: of a constraint or of a variable.
typedef struct strike_bound {
    int    index;
    bool   is_variable;
    double scale;
    double slope[ATEMI_STRIKE_MOST_VARIABLES];
} bound;

enum { MOST_ACTIVE = 2 * ATEMI_STRIKE_MOST_VARIABLES };

static int find_active(strike_solver *s, const double *u, bound *bounds)
{
    const strike_problem *p = s->problem;
    const int             n = p->variable_count;
    int                   count = 0, row = 1;
    for (int i = 0; i < p->constraint_count; ++i) {
        const strike_constraint *c = &p->constraints[i];
        const bool               has[2] = {isfinite(c->about.lower), isfinite(c->about.upper)};
        for (int side = 0; side < 2; ++side) {
            if (has[side] && s->base[row] > -close_by * 10.0 && count < MOST_ACTIVE) {
                bounds[count] = (bound){.index = i, .scale = c->scale};
                memcpy(bounds[count++].slope, s->slopes + row * n, (size_t)n * sizeof(double));
            }
            row += has[side];
        }
    }
    for (int i = 0; i < n && count < MOST_ACTIVE; ++i) {
        const atemi_strike_range *range = &p->variables[i].about.range;
        const double              scale = p->variables[i].scale;
        const double              below = u[i] - range->lower / scale;
        const double              above = range->upper / scale - u[i];
        if (fmin(below, above) < close_by) {
            bounds[count] = (bound){.index = i, .is_variable = true, .scale = scale};
            bounds[count++].slope[i] = below < above ? -1.0 : 1.0;
        }
    }
    return count;
}

// The basic least-squares solution of  sum of lambda_k slope_k = -gradient  over the bounds in use.
static void fit(const strike_solver *s, const bound *bounds, const int *used, int count,
                double *lambda)
{
    enum { N = ATEMI_STRIKE_MOST_VARIABLES };
    static const double rank_tolerance = 1e-9;
    const int           n = s->problem->variable_count;
    double              A[N * MOST_ACTIVE], b[N], tau[N], work[MOST_ACTIVE];
    int                 pivot[MOST_ACTIVE];
    for (int i = 0; i < n; ++i) {
        b[i] = -s->slopes[i];
        for (int k = 0; k < count; ++k) {
            A[i * count + k] = bounds[used[k]].slope[i];
        }
    }
    const int rank = atemi_qr_factor(n, count, A, count, rank_tolerance, tau, pivot, work);
    atemi_qr_solve(n, count, A, count, rank, tau, pivot, b, lambda);
}

// Bounds that would pull are let go, the strongest first, until none does.
static int fit_positive(const strike_solver *s, const bound *bounds, int count, int *used,
                        double *lambda)
{
    for (int i = 0; i < count; ++i) {
        used[i] = i;
    }
    while (count > 0) {
        int worst = -1;
        fit(s, bounds, used, count, lambda);
        for (int k = 0; k < count; ++k) {
            if (lambda[k] < 0.0 && (worst < 0 || lambda[k] < lambda[worst])) {
                worst = k;
            }
        }
        if (worst < 0) {
            break;
        }
        memmove(used + worst, used + worst + 1, (size_t)(count - worst - 1) * sizeof *used);
        --count;
    }
    return count;
}

void strike_solver_multipliers(strike_solver *s, const double *x, double *constraints,
                               double *variables)
{
    bound    *bounds = s->bounds;
    double    u[ATEMI_STRIKE_MOST_VARIABLES] = {0}, lambda[MOST_ACTIVE] = {0};
    int       used[MOST_ACTIVE] = {0};
    const int n = s->problem->variable_count;
    memset(constraints, 0, (size_t)s->problem->constraint_count * sizeof *constraints);
    memset(variables, 0, (size_t)n * sizeof *variables);
    for (int i = 0; i < n; ++i) {
        u[i] = scaled(s, i, x[i]);
    }
    s->known = false;
    find_slopes(s, u);
    const int active = find_active(s, u, bounds);
    const int count = fit_positive(s, bounds, active, used, lambda);
    for (int k = 0; k < count; ++k) {
        const bound *at = &bounds[used[k]];
        double      *to = at->is_variable ? &variables[at->index] : &constraints[at->index];
        *to = lambda[k] * s->unit / at->scale;
    }
}

// ---- Creation

static void take(strike_solver *s, atemi_arena *arena)
{
    const int n = s->problem->variable_count, rows = s->rows + 1;
    s->x = atemi_arena_array(arena, double, n);
    s->best = atemi_arena_array(arena, double, n);
    s->seen = atemi_arena_array(arena, double, n);
    s->base = atemi_arena_array(arena, double, rows);
    s->slopes = atemi_arena_array(arena, double, rows *(n + 1));
    s->bounds = atemi_arena_array(arena, bound, MOST_ACTIVE);
}

atemi_status strike_solver_create(strike_problem *problem, const atemi_strike_options *options,
                                  strike_solver *s, atemi_error *error)
{
    double start[ATEMI_STRIKE_MOST_VARIABLES];
    *s = (strike_solver){.problem = problem, .options = options};
    for (int i = 0; i < problem->variable_count; ++i) {
        start[i] = problem->variables[i].about.range.start;
    }
    strike_problem_evaluate(problem, start); // declares the constraints
    s->rows = count_rows(problem);
    s->unit = fmax(fabs(problem->objective), 1.0);
    atemi_arena arena = atemi_arena_measuring();
    take(s, &arena);
    const atemi_status status = atemi_arena_create(&s->arena, arena.used, error);
    if (!status) {
        take(s, &s->arena);
    }
    return status;
}

void strike_solver_destroy(strike_solver *s)
{
    atemi_arena_destroy(&s->arena);
}
