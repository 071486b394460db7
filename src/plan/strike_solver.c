// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_solver.h"

#include "math/random.h"

#include <math.h>
#include <string.h>

// A search begins almost at rest, where the constraints are those of the posture alone. One that
// ends with a slight violation is followed by another without objective, which goes to the nearest
// strike that meets all constraints: a hard blow that is off by a millionth is not lost to any
// other that is not.
//
// Starts are spread evenly over the ranges of the variables: start k has, of the range of variable
// i, the part whose digits in base b_i are those of k backwards, b_i the i-th prime [Halton60],
// shifted by a part that the seed gives.

static const double slowly = 0.2;       // of the speeds
static const double first_radius = 1.0; // half of a range
static const double least_gain = 1e-7;  // of the objective
static const double met = 0.1;          // of the tolerance, in a search

// ---- One search

static const double *on_values(void *context, const double *u)
{
    strike_scaled *s = (strike_scaled *)context;
    strike_scaled_look(s, u);
    return s->base;
}

static const double *on_slopes(void *context, const double *u)
{
    strike_scaled *s = (strike_scaled *)context;
    strike_scaled_find_slopes(s, u);
    return s->slopes;
}

static bool on_step(void *context)
{
    return strike_scaled_goes_on((strike_scaled *)context);
}

// From x; where it ends is looked at last.
// @param weight of the objective
static void search(strike_solver *solver, const double *x, double weight)
{
    strike_scaled    *s = &solver->scaled;
    const int         n = s->problem->variable_count;
    const sqp_options options = {.iterations = s->options->iterations,
                                 .radius = first_radius,
                                 .gain = weight > 0.0 ? least_gain : met * s->tolerance,
                                 .tolerance = met * s->tolerance,
                                 .weight = weight};
    for (int i = 0; i < n; ++i) {
        solver->lower[i] = strike_scaled_lower(s, i);
        solver->upper[i] = strike_scaled_upper(s, i);
    }
    const sqp_problem problem = {.count = n,
                                 .rows = s->rows,
                                 .lower = solver->lower,
                                 .upper = solver->upper,
                                 .values = on_values,
                                 .slopes = on_slopes,
                                 .goes_on = on_step,
                                 .context = s};
    s->known = false;
    strike_scaled_variables(s, x, solver->u);
    solver->last = sqp_minimize(&solver->sqp, &problem, &options, solver->u);
    strike_scaled_look(s, solver->u);
}

// ---- Starts

static double reversed(unsigned index, unsigned base)
{
    double part = 0.0, place = 1.0;
    for (; index > 0; index /= base) {
        place /= base;
        part += place * (index % base);
    }
    return part;
}

static bool is_prime(unsigned n)
{
    for (unsigned k = 2; k * k <= n; ++k) {
        if (n % k == 0) {
            return false;
        }
    }
    return true;
}

static unsigned next_prime(unsigned n)
{
    do {
        ++n;
    } while (!is_prime(n));
    return n;
}

void strike_solver_start(const strike_problem *p, int attempt, unsigned seed, double *x)
{
    uint64_t random = seed;
    unsigned prime = 1;
    for (int i = 0; i < p->variable_count; ++i) {
        const atemi_strike_range *range = &p->variables[i].about.range;
        const bool                bounded = isfinite(range->lower) && isfinite(range->upper);
        const double lower = bounded ? range->lower : range->start - p->variables[i].scale;
        const double upper = bounded ? range->upper : range->start + p->variables[i].scale;
        const double shift = random_unit_next(&random);
        prime = next_prime(prime);
        const double part = reversed((unsigned)attempt, prime) + shift;
        x[i] = attempt == 0 ? range->start : lower + (upper - lower) * (part - floor(part));
        x[i] = fmin(fmax(x[i], range->lower), range->upper);
    }
}

void strike_solver_slow_down(const strike_problem *p, const double *x, double *slowed)
{
    for (int i = 0; i < p->variable_count; ++i) {
        slowed[i] = p->variables[i].is_motion ? slowly * x[i] : x[i];
    }
}

void strike_solver_run(strike_solver *s, const double *x)
{
    strike_scaled *scaled = &s->scaled;
    strike_scaled_begin(scaled);
    strike_solver_slow_down(scaled->problem, x, s->start);
    search(s, s->start, 1.0);
    if (s->last.violation > scaled->tolerance && !scaled->stopped) {
        strike_scaled_values(scaled, s->u, s->start);
        search(s, s->start, 0.0);
    }
    strike_scaled_keep_last(scaled);
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
        search(s, x, 1.0);
    }
    return count;
}

// ---- Creation

static void take(strike_solver *s, atemi_arena *arena, const strike_problem *problem, int rows)
{
    const int n = problem->variable_count;
    s->active = strike_active_take(arena, n, rows);
    s->u = atemi_arena_array(arena, double, n);
    s->start = atemi_arena_array(arena, double, n);
    s->lower = atemi_arena_array(arena, double, n);
    s->upper = atemi_arena_array(arena, double, n);
    s->sqp = sqp_take(arena, n, rows);
}

atemi_status strike_solver_create(strike_problem *problem, const atemi_strike_options *options,
                                  strike_solver *s, atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    *s = (strike_solver){0};
    atemi_status status = strike_scaled_create(problem, options, &s->scaled, error);
    if (!status) {
        take(s, &arena, problem, s->scaled.rows);
        status = atemi_arena_create(&s->arena, arena.used, error);
    }
    if (!status) {
        take(s, &s->arena, problem, s->scaled.rows);
        status = strike_violation_create(&s->scaled, &s->violation, error);
    }
    return status;
}

void strike_solver_destroy(strike_solver *s)
{
    strike_violation_destroy(&s->violation);
    strike_scaled_destroy(&s->scaled);
    atemi_arena_destroy(&s->arena);
}
