// SPDX-License-Identifier: Apache-2.0

// Which solver searches best: our own SQP or Ipopt, on the same scaled strike, with the same values
// and slopes, from the scenario's own start and from others spread over the ranges. A try is
// feasible if its best values meet all constraints to 1e-6 of their scales.

#include "plan/search/strike_solver.h"
#include "plan/search/strike_starts.h"
#include "strike.h"
#include "timing.h"

#include <IpStdCInterface.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STARTS = 1001 };

// ---- Ipopt

static Bool on_value(Index n, Number *u, Bool is_new, Number *value, UserDataPtr context)
{
    strike_scaled *s = (strike_scaled *)context;
    (void)n;
    (void)is_new;
    strike_scaled_look(s, u);
    *value = s->base[0];
    return TRUE;
}

static Bool on_gradient(Index n, Number *u, Bool is_new, Number *gradient, UserDataPtr context)
{
    strike_scaled *s = (strike_scaled *)context;
    (void)is_new;
    strike_scaled_find_slopes(s, u);
    memcpy(gradient, s->slopes, (size_t)n * sizeof *gradient);
    return TRUE;
}

static Bool on_rows(Index n, Number *u, Bool is_new, Index m, Number *rows, UserDataPtr context)
{
    strike_scaled *s = (strike_scaled *)context;
    (void)n;
    (void)is_new;
    strike_scaled_look(s, u);
    memcpy(rows, s->base + 1, (size_t)m * sizeof *rows);
    return TRUE;
}

static Bool on_slopes(Index n, Number *u, Bool is_new, Index m, Index count, Index *row,
                      Index *column, Number *values, UserDataPtr context)
{
    strike_scaled *s = (strike_scaled *)context;
    (void)is_new;
    (void)m;
    if (values) {
        strike_scaled_find_slopes(s, u);
        memcpy(values, s->slopes + n, (size_t)count * sizeof *values);
    } else {
        for (Index i = 0; i < count; ++i) {
            row[i] = i / n;
            column[i] = i % n;
        }
    }
    return TRUE;
}

// Second derivatives are Ipopt's own approximation.
static Bool no_hessian(Index n, Number *u, Bool is_new, Number weight, Index m, Number *lambda,
                       Bool is_new_lambda, Index count, Index *row, Index *column, Number *values,
                       UserDataPtr context)
{
    (void)n, (void)u, (void)is_new, (void)weight, (void)m, (void)lambda, (void)is_new_lambda;
    (void)count, (void)row, (void)column, (void)values, (void)context;
    return FALSE;
}

static IpoptProblem create_ipopt(strike_scaled *s, int iterations)
{
    const int    n = s->problem->variables.count, m = s->rows;
    double       lower[ATEMI_STRIKE_MAX_VARIABLES], upper[ATEMI_STRIKE_MAX_VARIABLES];
    double      *least = malloc((size_t)m * sizeof *least), *most = calloc((size_t)m, sizeof *most);
    IpoptProblem ipopt = NULL;
    for (int i = 0; i < n; ++i) {
        lower[i] = fmax(strike_scaled_lower(s, i), -2e19);
        upper[i] = fmin(strike_scaled_upper(s, i), 2e19);
    }
    for (int r = 0; r < m && least; ++r) {
        least[r] = -2e19;
    }
    if (least && most) {
        ipopt = CreateIpoptProblem(n, lower, upper, m, least, most, n * m, 0, 0, on_value, on_rows,
                                   on_gradient, on_slopes, no_hessian);
    }
    free(least);
    free(most);
    if (!ipopt) {
        exit(2);
    }
    AddIpoptStrOption(ipopt, "hessian_approximation", "limited-memory");
    AddIpoptStrOption(ipopt, "nlp_scaling_method", "none");
    AddIpoptStrOption(ipopt, "sb", "yes");
    AddIpoptIntOption(ipopt, "print_level", 0);
    AddIpoptIntOption(ipopt, "max_iter", iterations);
    AddIpoptNumOption(ipopt, "tol", 1e-6);
    AddIpoptNumOption(ipopt, "constr_viol_tol", 1e-7);
    AddIpoptNumOption(ipopt, "bound_relax_factor", 0.0);
    return ipopt;
}

static void run_ipopt(strike_solver *solver, const double *x)
{
    strike_scaled *s = &solver->scaled;
    double         u[ATEMI_STRIKE_MAX_VARIABLES];
    IpoptProblem   ipopt = create_ipopt(s, solver->scaled.options->iterations);
    strike_scaled_variables(s, x, u);
    (void)IpoptSolve(ipopt, u, NULL, NULL, NULL, NULL, NULL, s);
    FreeIpoptProblem(ipopt);
}

static void slow_down(const strike_solver *solver, const double *x, double *start)
{
    const strike_variables *variables = &solver->scaled.problem->variables;
    memcpy(start, x, (size_t)variables->count * sizeof *start);
    strike_slow_down(variables, 0.2, start);
}

static void run_ipopt_slowly(strike_solver *solver, const double *x)
{
    double start[ATEMI_STRIKE_MAX_VARIABLES];
    slow_down(solver, x, start);
    run_ipopt(solver, start);
}

static void run_own(strike_solver *solver, const double *x)
{
    double start[ATEMI_STRIKE_MAX_VARIABLES];
    slow_down(solver, x, start);
    strike_solver_run(solver, start, 0.0, NULL, NULL);
}

// ---- Runs

typedef struct method {
    const char *name;
    void (*run)(strike_solver *solver, const double *x);
} method;

static const method methods[] = {
    {"own SQP", run_own}, {"Ipopt", run_ipopt}, {"Ipopt, slowly", run_ipopt_slowly}};

typedef struct tally {
    int    feasible;
    double own; ///< objective from the scenario's own start; NAN where that is not feasible
    double objectives[MOST_STARTS], evaluations[MOST_STARTS], times[MOST_STARTS];
} tally;

static void try_once(const method *w, strike_solver *s, const double *x, int attempt, tally *t)
{
    const strike_meter *meter = s->scaled.work.meter;
    const int           before = meter->evaluations;
    const double        begin = bench_computed();
    strike_scaled_begin(&s->scaled);
    w->run(s, x);
    t->times[attempt] = 1e-9 * (bench_computed() - begin);
    t->evaluations[attempt] = meter->evaluations - before;
    const bool feasible = s->scaled.score.violation <= s->scaled.tolerance;
    if (feasible) {
        t->objectives[t->feasible++] = s->scaled.score.objective;
    }
    if (attempt == 0) {
        t->own = feasible ? s->scaled.score.objective : (double)NAN;
    }
}

static void print_row(const method *w, tally *t, int starts)
{
    double least = NAN, middle = NAN, none, evaluations, time;
    if (t->feasible > 0) {
        bench_summarize(t->objectives, t->feasible, &least, &middle);
    }
    bench_summarize(t->evaluations, starts, &none, &evaluations);
    bench_summarize(t->times, starts, &none, &time);
    printf("%-16s %5d/%-3d %8.1f %8.1f %8.1f %8.1f %12.0f %8.2f\n", w->name, t->feasible, starts,
           t->own, least, middle, t->feasible ? t->objectives[t->feasible - 1] : (double)NAN,
           evaluations, time);
}

static void compare(const char *name, const atemi_strike_task *task, int starts)
{
    static tally               t;
    const atemi_strike_options options = atemi_strike_options_default();
    strike_meter               meter = {0};
    strike_problem             problem;
    strike_solver              solver;
    if (strike_problem_create(task, &strike_fine_grid, &meter, &problem, NULL) ||
        strike_solver_create(&problem, &meter, &options, &solver, NULL)) {
        exit(2);
    }
    printf("%s: %d variables, %d rows\n", name, problem.variables.count, solver.scaled.rows);
    printf("%-16s %9s %8s %8s %8s %8s %12s %8s\n", "", "feasible", "own", "least", "median", "most",
           "evaluations", "s");
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; ++k) {
        memset(&t, 0, sizeof t);
        for (int i = 0; i < starts; ++i) {
            double x[ATEMI_STRIKE_MAX_VARIABLES];
            strike_start(&problem.variables, i, options.seed, x);
            try_once(&methods[k], &solver, x, i, &t);
        }
        print_row(&methods[k], &t, starts);
    }
    printf("\n");
    strike_solver_destroy(&solver);
    strike_problem_destroy(&problem);
}

// ---- The command

// [STRIKE] eq. 14 and nothing beyond it.
static void leave_paper(atemi_strike_task *task)
{
    task->friction = task->travel_friction = INFINITY;
    task->other_speed = task->effort_fraction = INFINITY;
    task->travel_margin = task->clearance = task->self_clearance = -INFINITY;
    task->doubt = (atemi_strike_deviation){0};
}

int main(int count, char **arguments)
{
    static atemi_strike_scenario scenario;
    const int                    others = count > 2 ? atoi(arguments[2]) : 20;
    if (count < 2 || others < 0 || others >= MOST_STARTS) {
        fputs("bench_plan_solvers SCENARIO.yaml [OTHER STARTS]\n", stderr);
        return 2;
    }
    bench_strike_read(arguments[1], &scenario);
    compare("as the scenario has it", &scenario.task, 1 + others);
    leave_paper(&scenario.task);
    compare("[STRIKE] eq. 14 alone", &scenario.task, 1 + others);
    atemi_strike_scenario_destroy(&scenario);
    return 0;
}
