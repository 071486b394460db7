// SPDX-License-Identifier: Apache-2.0

// What the strike planner costs: an evaluation, one with slopes, a local search from the scenario's
// own start over the fine grid, and whole plans with other seeds. Evaluations are those where the
// local search ends; of many, the fastest counts. In processor time, but for the plans' wall time.

#include "plan/search/strike_solver.h"
#include "plan/search/strike_starts.h"
#include "strike.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200, SEARCHES = 5 };

static const double slowly = 0.2;   // of the speeds, where the planner's searches begin
static const double nearby = 1e-12; // so that nothing is known from the evaluation before

// ms
static void time_point(strike_scaled *s, const double *x)
{
    double u[ATEMI_STRIKE_MAX_VARIABLES], least = INFINITY, least_both = INFINITY;
    strike_scaled_variables(s, x, u);
    for (int i = 0; i < ROUNDS; ++i) {
        u[0] += nearby;
        const double begin = bench_computed();
        strike_scaled_look(s, u);
        const double values = bench_computed();
        strike_scaled_find_slopes(s, u);
        least = fmin(least, values - begin);
        least_both = fmin(least_both, bench_computed() - begin);
    }
    printf("  evaluation: %.3f ms, with slopes %.3f ms\n", 1e-6 * least, 1e-6 * least_both);
}

static void time_search(strike_solver *s, const double *x)
{
    const strike_meter *meter = s->scaled.work.meter;
    double              least = INFINITY;
    int                 evaluations = 0, gradients = 0;
    for (int i = 0; i < SEARCHES; ++i) {
        const int    known = meter->evaluations, found = s->scaled.gradients;
        const double begin = bench_computed();
        strike_solver_run(s, x, 0.0, NULL, NULL);
        least = fmin(least, bench_computed() - begin);
        evaluations = meter->evaluations - known;
        gradients = s->scaled.gradients - found;
    }
    printf("  local search: %.3f s, %d evaluations, %d gradients, ends at %.5g, violation %.2g\n",
           1e-9 * least, evaluations, gradients, s->scaled.score.objective,
           s->scaled.score.violation);
}

static double seconds(void)
{
    return 1e-9 * bench_now();
}

static void time_plan(const atemi_strike_scenario *scenario, unsigned seed, int threads)
{
    atemi_strike_options options = atemi_strike_options_default();
    atemi_strike_plan   *plan;
    options.starts = scenario->starts;
    options.patience = scenario->patience;
    options.iterations = scenario->iterations;
    options.seed = seed;
    options.threads = threads;
    options.clock = seconds;
    const double begin = bench_now(), computed = bench_process();
    if (atemi_strike_plan_make(&scenario->task, &options, &plan, NULL)) {
        exit(2);
    }
    const double               wall = bench_now() - begin, all = bench_process() - computed;
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    printf("  plan, seed %u, threads %d: %.17g, %d searches, %d gradients, %d evaluations, "
           "%.2f s, processor %.2f s\n",
           seed, threads, atemi_strike_plan_feasible(plan) ? f.objective : (double)NAN, f.searches,
           f.gradients, f.evaluations, 1e-9 * wall, 1e-9 * all);
    fflush(stdout);
    atemi_strike_plan_destroy(plan);
}

static void time_steps(const atemi_strike_scenario *scenario)
{
    const atemi_strike_options options = atemi_strike_options_default();
    strike_meter               meter = {0};
    strike_problem             problem;
    strike_solver              solver;
    double                     x[ATEMI_STRIKE_MAX_VARIABLES];
    if (strike_problem_create(&scenario->task, &strike_fine_grid, &meter, &problem, NULL) ||
        strike_solver_create(&problem, &meter, &options, &solver, NULL)) {
        exit(2);
    }
    strike_start(&problem.variables, 0, options.seed, x);
    strike_slow_down(&problem.variables, slowly, x);
    printf("  %d variables, %d rows\n", problem.variables.count, solver.scaled.rows);
    time_search(&solver, x);
    time_point(&solver.scaled, solver.scaled.best);
    strike_solver_destroy(&solver);
    strike_problem_destroy(&problem);
}

int main(int count, char **arguments)
{
    static atemi_strike_scenario scenario;
    if (count < 2) {
        fputs("bench_plan SCENARIO.yaml [THREADS SEED...]\n", stderr);
        return 2;
    }
    bench_strike_read(arguments[1], &scenario);
    printf("%s\n", arguments[1]);
    time_steps(&scenario);
    for (int i = 3; i < count; ++i) {
        time_plan(&scenario, (unsigned)strtoul(arguments[i], NULL, 10), atoi(arguments[2]));
    }
    atemi_strike_scenario_destroy(&scenario);
    return 0;
}
