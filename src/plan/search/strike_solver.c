// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_solver.h"

// A search that ends with a slight violation is followed by another without objective, which goes
// to the nearest strike that meets all constraints: a hard blow that is off by a millionth is not
// lost to any other that is not.

static const double first_radius = 1.0; // half of a range
static const double least_gain = 1e-7;  // of the objective
static const double slight = 0.1;       // scaled: a violation that is worth another search, if a
                                        // strike is known that meets all constraints
static const double near = 0.01;        // scaled: of a strike that is known
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
// @param gain   of a step, less of which ends the search
// @param before that ended at x, or NULL
static void search(strike_solver *solver, const double *x, double weight, double gain,
                   const strike_candidate *known, const strike_solver *before)
{
    strike_scaled    *s = &solver->scaled;
    const int         n = s->problem->variables.count;
    const double      to_beat = known ? -known->score.objective / s->unit : 0.0;
    const sqp_options options = {.iterations = s->options->iterations,
                                 .radius = first_radius,
                                 .gain = gain,
                                 .tolerance = met * s->tolerance,
                                 .to_beat = known ? &to_beat : NULL,
                                 .known = known && known->is_optimum ? solver->known : NULL,
                                 .near = near,
                                 .weight = weight,
                                 .curvature = before ? before->sqp.B : NULL};
    if (known) {
        strike_scaled_variables(s, known->x, solver->known);
    }
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

// ---- Searches

void strike_solver_run(strike_solver *s, const double *x, double gain,
                       const strike_candidate *known, const strike_solver *before)
{
    strike_scaled *scaled = &s->scaled;
    strike_scaled_begin(scaled);
    search(s, x, 1.0, fmax(gain, least_gain), known, before);
    const bool is_known = known && known->score.objective > (double)-INFINITY;
    const bool is_slight = s->last.violation < slight || !is_known;
    if (s->last.violation > scaled->tolerance && is_slight && s->last.end < SQP_BEHIND &&
        !scaled->stopped) {
        strike_scaled_values(scaled, s->u, s->start);
        search(s, s->start, 0.0, met * scaled->tolerance, NULL, NULL);
    }
    strike_scaled_keep_last(scaled);
}

int strike_solver_explain(strike_solver *s, atemi_strike_conflict *conflicts)
{
    const strike_variables *variables = &s->scaled.problem->variables;
    double x[ATEMI_STRIKE_MAX_VARIABLES] = {0}, u[ATEMI_STRIKE_MAX_VARIABLES] = {0};
    for (int i = 0; i < variables->count; ++i) {
        const strike_variable *variable = &variables->list[i];
        x[i] = variable->is_motion ? 0.0 : variable->about.range.start;
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
        search(s, x, 1.0, least_gain, NULL, NULL);
    }
    return count;
}

// ---- Creation

static void take(strike_solver *s, atemi_arena *arena, const strike_problem *problem, int rows)
{
    const int n = problem->variables.count;
    s->active = strike_active_take(arena, n, rows);
    s->u = atemi_arena_array(arena, double, n);
    s->known = atemi_arena_array(arena, double, n);
    s->start = atemi_arena_array(arena, double, n);
    s->lower = atemi_arena_array(arena, double, n);
    s->upper = atemi_arena_array(arena, double, n);
    s->sqp = sqp_take(arena, n, rows);
}

atemi_status strike_solver_create(const strike_problem *problem, strike_meter *meter,
                                  const atemi_strike_options *options, strike_solver *s,
                                  atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    *s = (strike_solver){0};
    atemi_status status = strike_scaled_create(problem, meter, options, &s->scaled, error);
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
