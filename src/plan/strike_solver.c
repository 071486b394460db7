// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_solver.h"

#include "math/random.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

// Where constraints contradict each other at a point, a step of SLSQP has no solution, and it gives
// up. An elastic search has one more variable s, by which all constraints may be violated:
//
//   minimize  f(u) + price s   such that  g_i(u) <= s,  s >= 0

static const double price = 10.0;
static const double slowly = 0.2; // of the speeds

enum { MOST_RESCUES = 3 };

// ---- NLopt

typedef struct callback {
    strike_scaled *scaled;
    nlopt_opt      optimizer;
} callback;

static double on_objective(unsigned n, const double *u, double *gradient, void *context)
{
    callback      *back = (callback *)context;
    strike_scaled *s = back->scaled;
    const unsigned own = (unsigned)s->problem->variable_count;
    strike_scaled_look(s, u);
    if (gradient) {
        strike_scaled_find_slopes(s, u);
        memcpy(gradient, s->slopes, own * sizeof *gradient);
        if (n > own) {
            gradient[own] = price;
        }
        if (!strike_scaled_goes_on(s)) {
            nlopt_force_stop(back->optimizer);
        }
    }
    return s->base[0] + (n > own ? price * u[own] : 0.0);
}

static void on_constraints(unsigned m, double *result, unsigned n, const double *u,
                           double *gradient, void *context)
{
    strike_scaled *s = ((callback *)context)->scaled;
    const unsigned own = (unsigned)s->problem->variable_count;
    strike_scaled_look(s, u);
    for (unsigned r = 0; r < m; ++r) {
        result[r] = s->base[1 + r] - (n > own ? u[own] : 0.0);
    }
    if (gradient) {
        strike_scaled_find_slopes(s, u);
        for (unsigned r = 0; r < m; ++r) {
            memcpy(gradient + r * n, s->slopes + (1 + r) * own, own * sizeof *gradient);
            if (n > own) {
                gradient[r * n + own] = -1.0;
            }
        }
    }
}

static void set_bounds(const strike_scaled *s, nlopt_opt optimizer, bool elastic)
{
    const int n = s->problem->variable_count;
    for (int i = 0; i < n; ++i) {
        nlopt_set_lower_bound(optimizer, i, strike_scaled_lower(s, i));
        nlopt_set_upper_bound(optimizer, i, strike_scaled_upper(s, i));
    }
    if (elastic) {
        nlopt_set_lower_bound(optimizer, n, 0.0);
        nlopt_set_upper_bound(optimizer, n, HUGE_VAL);
    }
}

static void find_start(strike_scaled *s, const double *x, double *u)
{
    const int n = s->problem->variable_count;
    strike_scaled_variables(s, x, u);
    for (int i = 0; i < n; ++i) {
        u[i] = fmin(fmax(u[i], strike_scaled_lower(s, i)), strike_scaled_upper(s, i));
    }
    strike_scaled_look(s, u);
    u[n] = fmax(strike_problem_violation(s->problem), 0.0);
}

void strike_solver_search(strike_solver *solver, const double *x, bool elastic)
{
    strike_scaled *s = &solver->scaled;
    const unsigned n = (unsigned)s->problem->variable_count + elastic;
    nlopt_opt      optimizer = nlopt_create(NLOPT_LD_SLSQP, n);
    callback       back = {s, optimizer};
    double         u[ATEMI_STRIKE_MOST_VARIABLES + 1], least;
    if (!optimizer) {
        return;
    }
    s->known = false;
    find_start(s, x, u);
    set_bounds(s, optimizer, elastic);
    nlopt_set_min_objective(optimizer, on_objective, &back);
    nlopt_add_inequality_mconstraint(optimizer, (unsigned)s->rows, on_constraints, &back, NULL);
    nlopt_set_maxeval(optimizer, s->options->iterations);
    nlopt_set_ftol_rel(optimizer, 1e-13); // at 1e-9 it stops before constraints are met
    nlopt_set_xtol_rel(optimizer, 1e-10);
    (void)nlopt_optimize(optimizer, u, &least);
    nlopt_destroy(optimizer);
}

// ---- Tries

void strike_solver_start(const strike_problem *p, int attempt, uint64_t *seed, double *x)
{
    for (int i = 0; i < p->variable_count; ++i) {
        const atemi_strike_range *range = &p->variables[i].about.range;
        const bool                bounded = isfinite(range->lower) && isfinite(range->upper);
        const double lower = bounded ? range->lower : range->start - p->variables[i].scale;
        const double upper = bounded ? range->upper : range->start + p->variables[i].scale;
        x[i] = attempt == 0 ? range->start : lower + (upper - lower) * random_unit_next(seed);
    }
}

void strike_solver_slow_down(const strike_problem *p, const double *x, double *slowed)
{
    for (int i = 0; i < p->variable_count; ++i) {
        slowed[i] = p->variables[i].is_motion ? slowly * x[i] : x[i];
    }
}

static bool is_over(const strike_scaled *s)
{
    return s->stopped || s->score.violation <= s->tolerance;
}

// A search from the best that an elastic one comes across.
static void rescue(strike_solver *solver, const double *x)
{
    strike_scaled     *s = &solver->scaled;
    const size_t       size = (size_t)s->problem->variable_count * sizeof *x;
    const strike_score before = s->score;
    double             start[ATEMI_STRIKE_MOST_VARIABLES], best[ATEMI_STRIKE_MOST_VARIABLES];
    memcpy(best, s->best, size);
    strike_solver_slow_down(s->problem, x, start);
    s->score = strike_score_none();
    strike_solver_search(solver, start, true);
    if (!s->stopped) {
        memcpy(start, s->best, size);
        strike_solver_search(solver, start, false);
    }
    if (strike_score_is_better(before, s->score, s->tolerance)) {
        memcpy(s->best, best, size);
        s->score = before;
    }
}

void strike_solver_run(strike_solver *s, const double *x)
{
    double start[ATEMI_STRIKE_MOST_VARIABLES];
    strike_scaled_begin(&s->scaled);
    strike_solver_slow_down(s->scaled.problem, x, start);
    strike_solver_search(s, start, false);
    for (int i = 0; i < MOST_RESCUES && !is_over(&s->scaled); ++i) {
        rescue(s, i % 2 == 0 ? x : s->scaled.best);
    }
}

int strike_solver_explain(strike_solver *s, atemi_strike_conflict *conflicts)
{
    const strike_problem *p = s->scaled.problem;
    double x[ATEMI_STRIKE_MOST_VARIABLES] = {0}, u[ATEMI_STRIKE_MOST_VARIABLES] = {0};
    for (int i = 0; i < p->variable_count; ++i) {
        x[i] = p->variables[i].is_motion ? 0.0 : p->variables[i].about.range.start;
    }
    strike_scaled_begin(&s->scaled);
    strike_scaled_variables(&s->scaled, x, u);
    strike_violation_minimize(&s->violation, u);
    if (s->scaled.stopped) {
        return 0;
    }
    const int count = strike_conflict_find(&s->violation, u, conflicts);
    if (count == 0) {
        strike_scaled_values(&s->scaled, u, x);
        strike_solver_search(s, x, false);
    }
    return count;
}

// ---- Creation

static void take(strike_solver *s, atemi_arena *arena)
{
    s->bounds = atemi_arena_array(arena, strike_bound, STRIKE_MOST_BOUNDS);
}

atemi_status strike_solver_create(strike_problem *problem, const atemi_strike_options *options,
                                  strike_solver *s, atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    *s = (strike_solver){0};
    take(s, &arena);
    atemi_status status = atemi_arena_create(&s->arena, arena.used, error);
    if (!status) {
        take(s, &s->arena);
        status = strike_scaled_create(problem, options, &s->scaled, error);
    }
    return status ? status : strike_violation_create(&s->scaled, &s->violation, error);
}

void strike_solver_destroy(strike_solver *s)
{
    strike_violation_destroy(&s->violation);
    strike_scaled_destroy(&s->scaled);
    atemi_arena_destroy(&s->arena);
}
