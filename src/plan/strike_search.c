// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_search.h"

#include "plan/strike_starts.h"

#include <math.h>
#include <string.h>

// Strikes have many local optima, which differ in the ends of ranges that they are at. From the
// best that is known, moved by a random hop, a search often ends at a better one; it is kept, and
// after many hops in a row without any, it is over: monotonic basin hopping [WalesDoye97].
//
// 1. The search from the task's own start, to the end.
// 2. Searches from that, from starts spread over the ranges and from hops, on a rough grid and not
//    quite to the end. Those that differ are candidates.
// 3. Searches from the candidates, and from hops off the best of them, to the end.
//
// A start is almost at rest, where the constraints are those of the posture alone; a hop is nearly
// as fast as where it comes from.

enum { HOPELESS = 10 }; // starts of which none is feasible

static const double rough_gain = 1e-3;
static const double rough_tolerance = 1e-4;
static const double at_first[2] = {0.2, 0.5}; // of the speeds of starts, in turn
static const double after_hop = 0.8;          // of the speeds
static const double alike = 1e-3;             // of two objectives
static const double near = 0.1;               // of two postures: half of a range

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

static bool are_near(const strike_search *s, const strike_candidate *a, const strike_candidate *b)
{
    const strike_variables *variables = &s->rough_problem.variables;
    for (int i = 0; i < variables->count; ++i) {
        const strike_variable *variable = &variables->list[i];
        if (!variable->is_motion && fabs(a->x[i] - b->x[i]) > near * variable->scale) {
            return false;
        }
    }
    return true;
}

static void remove_candidate(strike_search *s, int k)
{
    --s->found_count;
    memmove(&s->found[k], &s->found[k + 1], (size_t)(s->found_count - k) * sizeof *s->found);
}

// Of candidates that are near each other the best stays.
static void keep_candidate(strike_search *s, const strike_candidate *new)
{
    int place = 0;
    while (place < s->found_count && s->found[place].score.objective >= new->score.objective) {
        if (are_near(s, &s->found[place++], new)) {
            return;
        }
    }
    for (int k = s->found_count - 1; k >= place; --k) {
        if (are_near(s, &s->found[k], new)) {
            remove_candidate(s, k);
        }
    }
    if (place < STRIKE_CANDIDATES) {
        if (s->found_count == STRIKE_CANDIDATES) {
            --s->found_count;
        }
        memmove(&s->found[place + 1], &s->found[place],
                (size_t)(s->found_count - place) * sizeof *s->found);
        s->found[place] = *new;
        ++s->found_count;
    }
}

// @return whether it is harder than the best candidate by more than is left open
static bool attempt_roughly(strike_search *s, const double *x)
{
    const double before = s->found_count > 0 ? s->found[0].score.objective : (double)-INFINITY;
    strike_solver_run(&s->rough, x, rough_gain, s->found_count > 0 ? &before : NULL);
    const strike_candidate end = end_of(&s->rough);
    ++s->attempts;
    if (end.score.violation > rough_tolerance) {
        return false;
    }
    ++s->feasible;
    keep_candidate(s, &end);
    return end.score.objective > before + alike * fabs(before);
}

// ---- Stages

static void report_done(strike_search *s, double from, double to, double fraction)
{
    s->fine->scaled.done = from + (to - from) * fmin(fraction, 1.0);
}

static void attempt_own_start(strike_search *s)
{
    double                  x[ATEMI_STRIKE_MAX_VARIABLES];
    const strike_variables *variables = &s->fine->scaled.problem->variables;
    strike_start(variables, 0, s->options.seed, x);
    if (s->options.start) { // of a plan that was made before: as fast as it is
        memcpy(x, s->options.start, (size_t)variables->count * sizeof *x);
    } else {
        strike_slow_down(variables, at_first[0], x);
    }
    attempt_finely(s, x);
}

static void attempt_starts(strike_search *s)
{
    const bool is_met = s->best.score.violation <= s->options.tolerance;
    if (is_met) {
        attempt_roughly(s, s->best.x);
    }
    for (int k = 1; !is_stopped(s); ++k) {
        const bool is_known = s->found_count > 0;
        if (is_known ? k >= s->options.starts : k >= s->options.starts && k >= HOPELESS) {
            break;
        }
        double x[ATEMI_STRIKE_MAX_VARIABLES];
        report_done(s, 0.05, 0.25, (double)k / s->options.starts);
        strike_start(&s->rough_problem.variables, k, s->options.seed, x);
        strike_slow_down(&s->rough_problem.variables, at_first[k % 2], x);
        attempt_roughly(s, x);
    }
}

static void hop_from(const strike_search *s, const strike_candidate *from, int turn,
                     uint64_t *random, double *x)
{
    const strike_variables *variables = &s->rough_problem.variables;
    memcpy(x, from->x, sizeof from->x);
    strike_hop(variables, turn, random, x);
    strike_slow_down(variables, after_hop, x);
}

static void attempt_hops(strike_search *s, uint64_t *random)
{
    int failures = 0;
    for (int k = 0; failures < s->options.patience && !is_stopped(s); ++k) {
        double x[ATEMI_STRIKE_MAX_VARIABLES];
        report_done(s, 0.25, 0.65, (double)failures / s->options.patience);
        hop_from(s, &s->found[0], k, random, x);
        failures = attempt_roughly(s, x) ? 0 : failures + 1;
    }
}

static void attempt_candidates(strike_search *s)
{
    for (int k = 0; k < s->found_count && !is_stopped(s); ++k) {
        report_done(s, 0.65, 0.85, (double)k / s->found_count);
        attempt_finely(s, s->found[k].x);
    }
}

static void attempt_fine_hops(strike_search *s, uint64_t *random)
{
    int failures = 0;
    for (int k = 0; failures < s->options.patience && !is_stopped(s); ++k) {
        double x[ATEMI_STRIKE_MAX_VARIABLES];
        report_done(s, 0.85, 1.0, (double)failures / s->options.patience);
        hop_from(s, &s->best, k, random, x);
        failures = attempt_finely(s, x) ? 0 : failures + 1;
    }
}

void strike_search_run(strike_search *s)
{
    const bool can_hop = s->options.patience > 0 && strike_can_hop(&s->rough_problem.variables);
    uint64_t   random = s->options.seed;
    attempt_own_start(s);
    const bool goes_on = s->options.starts > 1 || can_hop;
    if (goes_on && s->rough_problem.variables.count > 0 && !is_stopped(s)) {
        attempt_starts(s);
        if (can_hop && s->found_count > 0) {
            attempt_hops(s, &random);
        }
        attempt_candidates(s);
        if (can_hop && s->best.score.violation <= s->options.tolerance) {
            attempt_fine_hops(s, &random);
        }
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
