// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_plan.h"

#include "atemi/base.h"
#include "atemi/strike_doubt.h"
#include "plan/doubt/strike_robust.h"
#include "plan/motion/strike_self.h"
#include "plan/problem/strike_task.h"
#include "plan/search/strike_search.h"
#include "plan/strike_inside.h"

#include <math.h>
#include <string.h>

enum { GOES_ON = 5 }; // searches from the best that was seen

static const double doubtful = 100.0; // times the tolerance: a case of doubt that is not stood
static const double stalled = 0.1;    // of the gradient: what is left of it where a search stalled

struct atemi_strike_plan {
    strike_meter             meter;
    strike_problem           problem;
    strike_solver            solver;
    double                   x[ATEMI_STRIKE_MAX_VARIABLES];
    atemi_strike_variable    variables[ATEMI_STRIKE_MAX_VARIABLES];
    atemi_strike_constraint *constraints;
    atemi_strike_figures     figures;
    double                   violation, tolerance;
    bool                     is_singular; ///< its motion, between the knots
    double                  *multipliers; ///< of constraints
    atemi_strike_conflict    conflicts[STRIKE_MAX_CONFLICTS];
    int                      conflict_count;
};

atemi_strike_options atemi_strike_options_default(void)
{
    return (atemi_strike_options){.starts = 5,
                                  .patience = 20,
                                  .seed = 1,
                                  .iterations = 200,
                                  .tolerance = 1e-6,
                                  .budget = INFINITY};
}

// ---- Filling a plan

static const strike_result *result_of(const atemi_strike_plan *plan)
{
    return &plan->solver.scaled.result;
}

static void fill_figures(atemi_strike_plan *plan)
{
    const strike_evaluation *at = &result_of(plan)->at;
    const double             mass = atemi_model_mass(plan->problem.setup.model);
    atemi_strike_figures    *f = &plan->figures;
    f->objective = at->objective;
    f->speed = at->values.speed;
    f->peak_force = at->outcome.blow.peak_force;
    f->impulse = at->outcome.blow.impulse;
    f->contact_time = at->outcome.blow.contact_time;
    f->impact_margin = at->impact_margin;
    f->motion_margin = at->motion_margin;
    f->momentum[0] = at->momentum.linear.x;
    f->momentum[1] = at->momentum.linear.y;
    f->momentum[2] = at->momentum.linear.z;
    f->angular[0] = at->momentum.angular.x;
    f->angular[1] = at->momentum.angular.y;
    f->angular[2] = at->momentum.angular.z;
    f->com[0] = at->momentum.linear.x / mass;
    f->com[1] = at->momentum.linear.y / mass;
    f->hand_rise = at->values.hand_rise;
    f->hand_fall = at->values.hand_fall;
    f->body_rise = at->values.body_rise;
    f->body_fall = at->values.body_fall;
    f->evaluations = plan->meter.evaluations;
}

static void fill_variables(atemi_strike_plan *plan, const double *multipliers)
{
    for (int i = 0; i < plan->problem.variables.count; ++i) {
        plan->variables[i] = plan->problem.variables.list[i].about;
        plan->variables[i].value = plan->x[i];
        plan->variables[i].multiplier = multipliers[i];
    }
}

// A value that is outside of its bounds by no more than the tolerance is at them.
static double met_value(const strike_constraint *c, double value, double tolerance)
{
    const double nearest = fmin(fmax(value, c->about.lower), c->about.upper);
    return fabs(value - nearest) <= tolerance * c->scale ? nearest : value;
}

static void fill_constraints(atemi_strike_plan *plan)
{
    const strike_constraints *constraints = &plan->problem.constraints;
    for (int i = 0; i < constraints->count; ++i) {
        const strike_constraint *from = &constraints->list[i];
        atemi_strike_constraint *c = &plan->constraints[i];
        *c = from->about;
        c->value = met_value(from, result_of(plan)->constraints[i], plan->tolerance);
        c->multiplier = plan->multipliers[i];
        c->active = fmin(c->value - c->lower, c->upper - c->value) < 1e-4 * from->scale;
    }
}

// With the problem at the plan's values in the end.
static atemi_status fill(atemi_strike_plan *plan, atemi_error *error)
{
    strike_scaled *scaled = &plan->solver.scaled;
    double         multipliers[ATEMI_STRIKE_MAX_VARIABLES];
    const size_t   count = (size_t)plan->problem.constraints.count;
    strike_scaled_begin(scaled); // what was evaluated before depends on the threads
    plan->constraints =
        (atemi_strike_constraint *)atemi_allocate(count * sizeof *plan->constraints);
    plan->multipliers = (double *)atemi_allocate(count * sizeof *plan->multipliers);
    if (!plan->constraints || !plan->multipliers) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a plan");
    }
    plan->figures.optimality =
        strike_multipliers(&plan->solver.active, scaled, plan->x, plan->multipliers, multipliers);
    strike_problem_evaluate(&plan->problem, plan->x, &scaled->work, &scaled->result);
    plan->violation = strike_problem_violation(&plan->problem, &scaled->result);
    fill_variables(plan, multipliers);
    fill_constraints(plan);
    fill_figures(plan);
    return ATEMI_OK;
}

// ---- The search

static void explain(atemi_strike_plan *plan, strike_search *search)
{
    const strike_scaled *scaled = &plan->solver.scaled;
    plan->conflict_count = strike_solver_explain(&plan->solver, plan->conflicts);
    if (strike_score_is_better(scaled->score, search->standing.best.score, plan->tolerance)) {
        memcpy(plan->x, scaled->best, (size_t)plan->problem.variables.count * sizeof *plan->x);
    }
}

static void adopt(atemi_strike_plan *plan, const strike_search *search)
{
    atemi_strike_figures *f = &plan->figures;
    f->searches = search->attempts;
    f->feasible_searches = search->feasible;
    f->agreeing = search->agreeing;
    f->gradients = plan->solver.scaled.gradients;
    f->cut_off = search->cut_off || search->is_spent;
}

static atemi_status search(atemi_strike_plan *plan, const atemi_strike_options *options,
                           atemi_error *error)
{
    strike_search *search = (strike_search *)atemi_allocate(sizeof *search);
    if (!search) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a search");
    }
    const atemi_status status = strike_search_create(&plan->solver, options, search, error);
    if (!status) {
        strike_search_run(search);
        memcpy(plan->x, search->standing.best.x, sizeof plan->x);
        plan->is_singular = search->standing.best.is_singular;
        if (search->standing.best.score.violation > plan->tolerance &&
            !plan->solver.scaled.stopped) {
            explain(plan, search);
        }
        adopt(plan, search);
    }
    strike_search_destroy(search);
    atemi_release(search);
    return status;
}

// NULL without memory.
static atemi_strike_plan *create(const atemi_strike_options *options)
{
    atemi_strike_plan *plan = (atemi_strike_plan *)atemi_allocate(sizeof *plan);
    if (plan) {
        memset(plan, 0, sizeof *plan);
        plan->tolerance = options->tolerance;
    }
    return plan;
}

static atemi_status prepare(atemi_strike_plan *plan, const atemi_strike_task *task,
                            const atemi_strike_options *options, atemi_error *error)
{
    plan->meter.clock = options->clock;
    const atemi_status status =
        strike_problem_create(task, &strike_fine_grid, &plan->meter, &plan->problem, error);
    return status
               ? status
               : strike_solver_create(&plan->problem, &plan->meter, options, &plan->solver, error);
}

static double now(const atemi_strike_options *options)
{
    return options->clock ? options->clock() : 0.0;
}

static void fill_times(atemi_strike_plan *plan, double total)
{
    atemi_strike_times *times = &plan->figures.times;
    *times = plan->meter.times;
    times->total = total;
    times->solver += // of the other threads
        total - times->posture - times->velocities - times->motion - times->blow - times->zmp;
}

// Searches, or looks at x where it is given.
// @param result NULL where it fails, and only there
static atemi_status make(const atemi_strike_task *task, const atemi_strike_options *options,
                         const double *x, atemi_strike_plan **result, atemi_error *error)
{
    const double begin = now(options);
    *result = NULL;
    atemi_status status = strike_task_check(task, error);
    if (!status && isfinite(options->budget) && !options->clock) {
        status = atemi_fail(error, ATEMI_ERROR_INPUT, "a budget of time needs a clock");
    }
    if (status) {
        return status;
    }
    atemi_strike_plan *plan = create(options);
    if (!plan) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a plan");
    }
    status = prepare(plan, task, options, error);
    if (!status && x) {
        memcpy(plan->x, x, (size_t)plan->problem.variables.count * sizeof *x);
    } else if (!status) {
        status = search(plan, options, error);
    }
    if (!status) {
        status = fill(plan, error);
    }
    if (status) {
        atemi_strike_plan_destroy(plan);
        return status;
    }
    fill_times(plan, now(options) - begin);
    plan->solver.scaled.options = NULL;
    *result = plan;
    return ATEMI_OK;
}

// ---- Cases and pairs that matter

// A plan counts on where the one before has ended.
static void add_effort(atemi_strike_plan *plan, const atemi_strike_plan *before)
{
    atemi_strike_figures       *to = &plan->figures;
    const atemi_strike_figures *from = &before->figures;
    to->searches += from->searches;
    to->feasible_searches += from->feasible_searches;
    to->evaluations += from->evaluations;
    to->gradients += from->gradients;
    to->agreeing = from->agreeing;
    to->cut_off = to->cut_off || from->cut_off;
    to->times.posture += from->times.posture;
    to->times.velocities += from->times.velocities;
    to->times.motion += from->times.motion;
    to->times.blow += from->times.blow;
    to->times.zmp += from->times.zmp;
    to->times.solver += from->times.solver;
    to->times.total += from->times.total;
}

// The cases that the plan does not stand, behind those of the task.
// @return how many; ATEMI_NONE without memory
static int add_worst(atemi_strike_task *task, atemi_strike_plan *plan)
{
    const int most = ATEMI_STRIKE_MAX_CASES - task->case_count;
    const int count = strike_robust_find(strike_plan_inside(plan), doubtful * plan->tolerance, most,
                                         task->cases + task->case_count);
    task->case_count += count > 0 ? count : 0;
    return count;
}

static bool is_sound(const atemi_strike_plan *plan)
{
    return atemi_strike_plan_feasible(plan) && !plan->is_singular;
}

// From where the plan before has ended; from the task's own start again if that leads nowhere.
static atemi_status make_next(const atemi_strike_task *task, const atemi_strike_options *options,
                              atemi_strike_plan **plan, atemi_error *error)
{
    atemi_strike_plan   *before = *plan, *next;
    atemi_strike_options near = *options;
    near.start = before->x;
    near.starts = 1;
    near.patience = 0;
    atemi_status status = make(task, &near, NULL, &next, error);
    if (next && !is_sound(next) && !next->solver.scaled.stopped) {
        atemi_strike_plan_destroy(next);
        status = make(task, options, NULL, &next, error);
    }
    if (next) {
        add_effort(next, before);
        atemi_strike_plan_destroy(before);
        *plan = next;
    }
    return status;
}

// Where a search ends with a violation, the best that it has seen is kept, which need not be an
// optimum: another search goes on from there.
static atemi_status go_on(const atemi_strike_task *task, const atemi_strike_options *options,
                          atemi_strike_plan **plan, atemi_error *error)
{
    for (int i = 0; i < GOES_ON && atemi_strike_plan_feasible(*plan) &&
                    !atemi_strike_plan_optimal(*plan) && !(*plan)->solver.scaled.stopped;
         ++i) {
        atemi_strike_plan   *before = *plan, *next;
        atemi_strike_options near = *options;
        near.start = before->x;
        near.starts = 1;
        near.patience = 0;
        const atemi_status status = make(task, &near, NULL, &next, error);
        if (!next) {
            return status;
        }
        const bool is_better = (is_sound(next) || before->is_singular) &&
                               atemi_strike_plan_feasible(next) &&
                               next->figures.objective >= before->figures.objective;
        if (is_better) {
            add_effort(next, before);
            *plan = next;
        }
        atemi_strike_plan_destroy(is_better ? before : next);
    }
    return ATEMI_OK;
}

// The pairs of links that it takes too near to each other.
// @return how many
static int add_nearest(atemi_strike_task *task, atemi_strike_plan *plan)
{
    const int most = ATEMI_STRIKE_MAX_PAIRS - task->pair_count;
    const int count = strike_self_find(strike_plan_inside(plan), doubtful * plan->tolerance, most,
                                       task->pairs + task->pair_count);
    task->pair_count += count;
    return count;
}

// Until no case is found that it does not stand, and no pair of links that it takes too near.
static atemi_status exchange(const atemi_strike_task *task, const atemi_strike_options *options,
                             atemi_strike_plan **plan, atemi_error *error)
{
    atemi_strike_task now = *task;
    atemi_status      status = ATEMI_OK;
    int               found = 1;
    status = go_on(&now, options, plan, error);
    while (!status && found > 0 && atemi_strike_plan_feasible(*plan) &&
           !(*plan)->solver.scaled.stopped) {
        const int pairs = add_nearest(&now, *plan);
        found = atemi_strike_is_in_doubt(task) ? add_worst(&now, *plan) : 0;
        found = found == ATEMI_NONE ? found : found + pairs;
        status = found == ATEMI_NONE ? atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a plan")
                 : found > 0         ? make_next(&now, options, plan, error)
                                     : ATEMI_OK;
        status = status || found <= 0 ? status : go_on(&now, options, plan, error);
    }
    if (status) {
        atemi_strike_plan_destroy(*plan);
        *plan = NULL;
    }
    return status;
}

atemi_status atemi_strike_plan_make(const atemi_strike_task    *task,
                                    const atemi_strike_options *options, atemi_strike_plan **plan,
                                    atemi_error *error)
{
    ATEMI_REQUIRE_OR(task && plan, ATEMI_ERROR_CONTRACT);
    const atemi_strike_options  usual = atemi_strike_options_default();
    const atemi_strike_options *how = options ? options : &usual;
    const atemi_status          status = make(task, how, NULL, plan, error);
    return *plan ? exchange(task, how, plan, error) : status;
}

atemi_status atemi_strike_plan_evaluate(const atemi_strike_task *task, const double *x,
                                        atemi_strike_plan **plan, atemi_error *error)
{
    ATEMI_REQUIRE_OR(task && x && plan, ATEMI_ERROR_CONTRACT);
    const atemi_strike_options usual = atemi_strike_options_default();
    return make(task, &usual, x, plan, error);
}

void atemi_strike_plan_destroy(atemi_strike_plan *plan)
{
    if (plan) {
        strike_solver_destroy(&plan->solver);
        strike_problem_destroy(&plan->problem);
        atemi_release(plan->constraints);
        atemi_release(plan->multipliers);
        atemi_release(plan);
    }
}

// ---- The plan

strike_inside strike_plan_inside(atemi_strike_plan *plan)
{
    strike_scaled *scaled = &plan->solver.scaled;
    return (strike_inside){&plan->problem.setup, &scaled->result.at, &scaled->work};
}

bool atemi_strike_plan_feasible(const atemi_strike_plan *plan)
{
    return plan->violation <= plan->tolerance;
}

bool atemi_strike_plan_optimal(const atemi_strike_plan *plan)
{
    return plan->figures.optimality <= stalled;
}

double atemi_strike_plan_violation(const atemi_strike_plan *plan)
{
    return plan->violation;
}

const double *atemi_strike_plan_q(const atemi_strike_plan *plan)
{
    return result_of(plan)->at.q;
}

const double *atemi_strike_plan_v(const atemi_strike_plan *plan)
{
    return result_of(plan)->at.v;
}

int atemi_strike_plan_case_count(const atemi_strike_plan *plan)
{
    return plan->problem.setup.task.case_count;
}

const atemi_strike_deviation *atemi_strike_plan_case(const atemi_strike_plan *plan, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < plan->problem.setup.task.case_count, NULL);
    return &plan->problem.setup.task.cases[index];
}

int atemi_strike_plan_pair_count(const atemi_strike_plan *plan)
{
    return plan->problem.setup.task.pair_count;
}

const int *atemi_strike_plan_pair(const atemi_strike_plan *plan, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < plan->problem.setup.task.pair_count, NULL);
    return plan->problem.setup.task.pairs[index];
}

const double *atemi_strike_plan_values(const atemi_strike_plan *plan)
{
    return plan->x;
}

int atemi_strike_plan_variable_count(const atemi_strike_plan *plan)
{
    return plan->problem.variables.count;
}

int atemi_strike_plan_constraint_count(const atemi_strike_plan *plan)
{
    return plan->problem.constraints.count;
}

const atemi_strike_variable *atemi_strike_plan_variable(const atemi_strike_plan *plan, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < plan->problem.variables.count, NULL);
    return &plan->variables[index];
}

const atemi_strike_constraint *atemi_strike_plan_constraint(const atemi_strike_plan *plan,
                                                            int                      index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < plan->problem.constraints.count, NULL);
    return &plan->constraints[index];
}

int atemi_strike_plan_conflict_count(const atemi_strike_plan *plan)
{
    return plan->conflict_count;
}

const atemi_strike_conflict *atemi_strike_plan_conflict(const atemi_strike_plan *plan, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < plan->conflict_count, NULL);
    return &plan->conflicts[index];
}

atemi_strike_figures atemi_strike_plan_figures(const atemi_strike_plan *plan)
{
    return plan->figures;
}
