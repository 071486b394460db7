// SPDX-License-Identifier: Apache-2.0

#include "plan/search/strike_search.h"

#include "plan/search/strike_starts.h"

#include <math.h>
#include <string.h>

// Strikes have many local optima, which differ in the ends of ranges that they are at. From the
// best that is known, moved by a random hop, a search often ends at a better one; it is kept, and
// after many hops in a row without any, it is over: monotonic basin hopping [WalesDoye97].
//
// A search from the task's own start, from one of others spread over the ranges, or from a hop goes
// over a rough grid first, and not quite to the end. The rough grid is off by up to a hundredth of
// the objective: where such a search ends as near to the hardest blow there or beyond it, and not
// where the best was found from, another goes on from there over the fine grid, to the end. Some
// optima of the fine grid are found by no search over the rough one: every other two hops go over
// the fine grid at once, and only those count when it is over.
//
// A start is almost at rest, where the constraints are those of the posture alone; a hop is nearly
// as fast as where it comes from.

enum { HOPELESS = 10 }; // starts of which none is feasible

static const double rough_gain = 1e-3;
static const double rough_tolerance = 1e-4;
static const double at_first[2] = {0.2, 0.5}; // of the speeds of starts, in turn
static const double after_hop = 0.8;          // of the speeds
static const double alike = 1e-3;             // of two objectives
static const double screened = 0.01;          // of an objective: by how much the rough grid is off
static const double near = 0.01;              // of two postures: half of a range

// ---- Attempts

static bool is_stopped(const strike_search *s)
{
    return s->fine->scaled.stopped;
}

static strike_candidate end_of(const strike_solver *solver)
{
    strike_candidate end = {.score = solver->scaled.score};
    memcpy(end.x, solver->scaled.best,
           (size_t)solver->scaled.problem->variables.count * sizeof *end.x);
    return end;
}

// @return whether it is harder than the best by more than is left open
static bool attempt_finely(strike_search *s, const double *x)
{
    const bool is_first = s->best.score.violation > s->options.tolerance;
    strike_solver_run(s->fine, x, 0.0, is_first ? NULL : &s->best.score.objective);
    const strike_candidate end = end_of(s->fine);
    const double           tolerance = s->options.tolerance, before = s->best.score.objective;
    const bool             is_feasible = end.score.violation <= tolerance;
    const bool             is_harder =
        is_feasible && (is_first || end.score.objective > before + alike * fabs(before));
    const bool is_alike =
        is_feasible && !is_first && fabs(end.score.objective - before) <= alike * fabs(before);
    s->agreeing = is_harder ? 1 : s->agreeing + is_alike;
    s->feasible += is_feasible;
    ++s->attempts;
    if (strike_score_is_better(end.score, s->best.score, tolerance)) {
        s->best = end;
    }
    return is_harder;
}

static bool are_alike(const strike_search *s, const strike_candidate *a, const strike_candidate *b)
{
    const double hardness = b->score.objective;
    if (!(fabs(a->score.objective - hardness) <= alike * fabs(hardness))) {
        return false;
    }
    const strike_variables *variables = &s->rough_problem.variables;
    for (int i = 0; i < variables->count; ++i) {
        const strike_variable *variable = &variables->list[i];
        if (!variable->is_motion && fabs(a->x[i] - b->x[i]) > near * variable->scale) {
            return false;
        }
    }
    return true;
}

// Over the rough grid, and from there over the fine one if it may be harder than the best.
// @return whether it is harder by more than is left open
static bool attempt(strike_search *s, const double *x)
{
    const bool   is_first = s->hardest == (double)-INFINITY;
    const double least = s->hardest - screened * fabs(s->hardest);
    strike_solver_run(&s->rough, x, rough_gain, is_first ? NULL : &least);
    const strike_candidate end = end_of(&s->rough);
    const bool             is_met = end.score.violation <= rough_tolerance;
    const bool             is_known = !is_first && are_alike(s, &end, &s->source);
    s->agreeing += is_met && is_known;
    if (!is_met || is_known || (!is_first && end.score.objective < least)) {
        ++s->attempts;
        s->feasible += is_met;
        return false;
    }
    s->hardest = fmax(s->hardest, end.score.objective);
    const bool is_harder = attempt_finely(s, end.x);
    s->source = is_harder ? end : s->source;
    return is_harder;
}

// ---- Stages

static void report_done(strike_search *s, double from, double to, double fraction)
{
    s->fine->scaled.done = from + (to - from) * fmin(fraction, 1.0);
}

// The start with that index; 0 is the task's own, or one of a plan that was made before, as fast as
// it is.
static void find_start(const strike_search *s, int index, double *x)
{
    const strike_variables *variables = &s->rough_problem.variables;
    strike_start(variables, index, s->options.seed, x);
    if (index == 0 && s->options.start) {
        memcpy(x, s->options.start, (size_t)variables->count * sizeof *x);
    } else {
        strike_slow_down(variables, at_first[index % 2], x);
    }
}

static bool is_feasible(const strike_search *s)
{
    return s->best.score.violation <= s->options.tolerance;
}

// So that there is something, whenever the user stops.
static void look_at_own_start(strike_search *s)
{
    strike_scaled *scaled = &s->fine->scaled;
    double         x[ATEMI_STRIKE_MAX_VARIABLES], u[ATEMI_STRIKE_MAX_VARIABLES];
    find_start(s, 0, x);
    strike_scaled_begin(scaled);
    strike_scaled_variables(scaled, x, u);
    strike_scaled_look(scaled, u);
    s->best = end_of(s->fine);
}

static void attempt_own_start(strike_search *s)
{
    double x[ATEMI_STRIKE_MAX_VARIABLES];
    find_start(s, 0, x);
    attempt_finely(s, x);
}

static void attempt_starts(strike_search *s)
{
    for (int k = 0; !is_stopped(s); ++k) {
        if (k >= s->options.starts && (is_feasible(s) || k >= HOPELESS)) {
            break;
        }
        double x[ATEMI_STRIKE_MAX_VARIABLES];
        report_done(s, 0.0, 0.3, (double)k / s->options.starts);
        find_start(s, k, x);
        attempt(s, x);
    }
}

static void hop(const strike_search *s, int turn, uint64_t *random, double *x)
{
    const strike_variables *variables = &s->rough_problem.variables;
    memcpy(x, s->best.x, sizeof s->best.x);
    strike_hop(variables, turn, random, x);
    strike_slow_down(variables, after_hop, x);
}

// Of both kinds of hops in turn.
static bool goes_roughly(int turn)
{
    return turn % 4 < 2;
}

static void attempt_hops(strike_search *s)
{
    uint64_t random = s->options.seed;
    int      failures = 0;
    for (int k = 0; failures < s->options.patience && !is_stopped(s); ++k) {
        double x[ATEMI_STRIKE_MAX_VARIABLES];
        report_done(s, 0.3, 1.0, (double)failures / s->options.patience);
        hop(s, k, &random, x);
        const bool is_rough = goes_roughly(k);
        const bool is_harder = is_rough ? attempt(s, x) : attempt_finely(s, x);
        failures = is_harder ? 0 : failures + !is_rough;
    }
}

void strike_search_run(strike_search *s)
{
    const bool can_hop = s->options.patience > 0 && strike_can_hop(&s->rough_problem.variables);
    const bool is_wide = s->options.starts > 1 || can_hop;
    if (is_wide && s->rough_problem.variables.count > 0) {
        look_at_own_start(s);
        attempt_starts(s);
        if (can_hop && is_feasible(s)) {
            attempt_hops(s);
        }
    }
    if (s->agreeing == 0 && !is_stopped(s)) {
        attempt_own_start(s);
    }
}

// ---- Creation

// What is known on the fine grid is reported.
static bool on_rough_progress(void *context, double done, double objective, double violation)
{
    strike_search *s = (strike_search *)context;
    (void)done;
    (void)objective;
    (void)violation;
    return strike_scaled_goes_on(&s->fine->scaled);
}

atemi_status strike_search_create(strike_solver *fine, const atemi_strike_options *options,
                                  strike_search *s, atemi_error *error)
{
    const atemi_strike_task *task = &fine->scaled.problem->setup.task;
    strike_meter            *meter = fine->scaled.work.meter;
    *s = (strike_search){.fine = fine, .options = *options, .rough_options = *options};
    s->best.score = strike_score_none();
    s->hardest = -INFINITY;
    s->rough_options.tolerance = rough_tolerance;
    s->rough_options.progress = on_rough_progress;
    s->rough_options.context = s;
    s->rough_options.worst = NULL;
    const atemi_status status =
        strike_problem_create(task, &strike_rough_grid, meter, &s->rough_problem, error);
    return status ? status
                  : strike_solver_create(&s->rough_problem, meter, &s->rough_options, &s->rough,
                                         error);
}

void strike_search_destroy(strike_search *s)
{
    strike_solver_destroy(&s->rough);
    strike_problem_destroy(&s->rough_problem);
}
