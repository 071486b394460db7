// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_plan.h"

#include "atemi/allocator.h"
#include "atemi/contract.h"
#include "math/random.h"
#include "plan/strike_parts.h"
#include "plan/strike_solver.h"

#include <math.h>
#include <string.h>

enum { MOST_JOINTS = 150 }; // so that the constraints have room

static const double pi = 3.14159265358979323846;

struct atemi_strike_plan {
    strike_problem           problem;
    strike_solver            solver;
    double                   x[ATEMI_STRIKE_MOST_VARIABLES];
    atemi_strike_variable    variables[ATEMI_STRIKE_MOST_VARIABLES];
    atemi_strike_constraint *constraints;
    atemi_strike_figures     figures;
    double                   violation, tolerance;
    double                  *multipliers; ///< of constraints
};

// ---- Defaults

atemi_strike_task atemi_strike_task_default(void)
{
    const double             hand = 0.7 / 4.0, body = 0.7; // s, [STRIKE] IV
    const double             degree = pi / 180.0;
    const atemi_blow_setting blow = atemi_blow_setting_default();
    return (atemi_strike_task){.hand_axis = {0.0, 0.0, -1.0},
                               .direction = {1.0, 0.0, 0.0},
                               .hand_rise = {hand, hand, hand},
                               .hand_fall = {hand, hand, hand},
                               .body_rise = {body, body, body},
                               .body_fall = {body, body, body},
                               .surface = blow.surface,
                               .target = blow.target,
                               .peak_weight = 1.0,
                               .tolerance = {INFINITY, INFINITY, 0.01},
                               .aim = 0.9962,
                               .side_speed = 0.3,
                               .turn_rate = 5.0 * degree,
                               .foot_error = 1e-3,
                               .impact_margin = 0.05,
                               .motion_margin = 0.05,
                               .joint_margin = 5.0 * degree,
                               .leg_speed = 0.8,
                               .other_speed = 1.0,
                               .momentum_side = 5.0,
                               .spin = 5.0,
                               .travel_margin = 2.0 * degree,
                               .friction = INFINITY,
                               .edge_margin = 0.02};
}

atemi_strike_options atemi_strike_options_default(void)
{
    return (atemi_strike_options){.starts = 1, .seed = 1, .iterations = 200, .tolerance = 1e-6};
}

// ---- Checks

static atemi_status check_range(const atemi_strike_range *range, const char *name,
                                atemi_error *error)
{
    if (isnan(range->lower) || isnan(range->upper) || !isfinite(range->start) ||
        range->lower > range->upper) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "the range of %s, from %g to %g with the start %g, is empty: give a lower "
            "bound that is not above the upper one, and a finite start",
            name, range->lower, range->upper, range->start);
    }
    return ATEMI_OK;
}

static atemi_status check_ranges(const atemi_strike_task *task, atemi_error *error)
{
    const struct {
        const atemi_strike_range *range;
        const char               *name;
    } ranges[] = {{&task->foot_position[0], "foot_position x"},
                  {&task->foot_position[1], "foot_position y"},
                  {&task->foot_position[2], "foot_position z"},
                  {&task->foot_turn[0], "foot_turn x"},
                  {&task->foot_turn[1], "foot_turn y"},
                  {&task->foot_turn[2], "foot_turn z"},
                  {&task->speed, "speed"},
                  {&task->lift, "P_z"},
                  {&task->roll, "L_x"},
                  {&task->pitch, "L_y"},
                  {&task->com_x, "com x"},
                  {&task->com_y, "com y"},
                  {&task->hand_rise, "hand_rise"},
                  {&task->hand_fall, "hand_fall"},
                  {&task->body_rise, "body_rise"},
                  {&task->body_fall, "body_fall"}};
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && !status; ++i) {
        status = check_range(ranges[i].range, ranges[i].name, error);
    }
    for (int i = 0; i < task->joint_count && !status; ++i) {
        status = check_range(&task->joint_ranges[i],
                             atemi_model_joint(task->model, task->joints[i])->name, error);
    }
    for (int i = 0; i + 1 < task->foot_count && !status; ++i) {
        status = check_range(&task->stance[i][0], "stance x", error);
        status = status ? status : check_range(&task->stance[i][1], "stance y", error);
    }
    return status;
}

static atemi_status check_robot(const atemi_strike_task *task, atemi_error *error)
{
    if (atemi_model_base(task->model) != ATEMI_BASE_FLOATING) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the base of the robot is %s: a strike needs a robot that stands on its "
                          "feet, with a floating base",
                          atemi_base_text(atemi_model_base(task->model)));
    }
    if (atemi_model_joint_count(task->model) > MOST_JOINTS) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT,
                          "the robot has %d joints, and strikes are planned for at most %d",
                          atemi_model_joint_count(task->model), MOST_JOINTS);
    }
    if (task->foot_count < 1 || task->foot_count > ATEMI_STRIKE_MOST_FEET) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%d feet stand: it must be 1 to %d",
                          task->foot_count, ATEMI_STRIKE_MOST_FEET);
    }
    for (int i = 0; i < task->foot_count; ++i) {
        const atemi_site *site = atemi_model_site(task->model, task->feet[i]);
        if (!(site->size_x > 0.0 && site->size_y > 0.0)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the site '%s' has no area, so nothing can stand on it: give its "
                              "size in the URDF, or another site",
                              site->name);
        }
    }
    return ATEMI_OK;
}

static bool is_positive_time(const atemi_strike_range *time)
{
    return time->lower > 0.0;
}

static atemi_status check_task(const atemi_strike_task *task, atemi_error *error)
{
    const int    variables = 16 + 2 * ATEMI_STRIKE_MOST_FEET + task->joint_count;
    atemi_status status = check_robot(task, error);
    if (status) {
        return status;
    }
    if (variables > ATEMI_STRIKE_MOST_VARIABLES) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT, "%d joints are more than can be decided",
                          task->joint_count);
    }
    if (!is_positive_time(&task->hand_rise) || !is_positive_time(&task->hand_fall) ||
        !is_positive_time(&task->body_rise) || !is_positive_time(&task->body_fall)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the times before and after the blow must be positive");
    }
    if (!(task->peak_weight >= 0.0 && task->impulse_weight >= 0.0 &&
          task->peak_weight + task->impulse_weight > 0.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the objective has no weight: give one to the peak force or the impulse");
    }
    return check_ranges(task, error);
}

// ---- Filling a plan

static void fill_figures(atemi_strike_plan *plan)
{
    const strike_problem *p = &plan->problem;
    atemi_strike_figures *f = &plan->figures;
    f->objective = p->objective;
    f->speed = p->values.speed;
    f->peak_force = p->blow.peak_force;
    f->impulse = p->blow.impulse;
    f->contact_time = p->blow.contact_time;
    f->impact_margin = p->impact_margin;
    f->motion_margin = p->motion_margin;
    f->momentum[0] = p->momentum.linear.x;
    f->momentum[1] = p->momentum.linear.y;
    f->momentum[2] = p->momentum.linear.z;
    f->angular[0] = p->momentum.angular.x;
    f->angular[1] = p->momentum.angular.y;
    f->angular[2] = p->momentum.angular.z;
    f->com[0] = p->momentum.linear.x / atemi_model_mass(p->model);
    f->com[1] = p->momentum.linear.y / atemi_model_mass(p->model);
    f->hand_rise = p->values.hand_rise;
    f->hand_fall = p->values.hand_fall;
    f->body_rise = p->values.body_rise;
    f->body_fall = p->values.body_fall;
    f->evaluations = p->evaluations;
}

static void fill_variables(atemi_strike_plan *plan, const double *multipliers)
{
    for (int i = 0; i < plan->problem.variable_count; ++i) {
        plan->variables[i] = plan->problem.variables[i].about;
        plan->variables[i].value = plan->x[i];
        plan->variables[i].multiplier = multipliers[i];
    }
}

static void fill_constraints(atemi_strike_plan *plan)
{
    const strike_problem *p = &plan->problem;
    for (int i = 0; i < p->constraint_count; ++i) {
        atemi_strike_constraint *c = &plan->constraints[i];
        *c = p->constraints[i].about;
        c->value = p->found[i];
        c->multiplier = plan->multipliers[i];
        const double room = fmin(c->value - c->lower, c->upper - c->value);
        c->active = room < 1e-4 * p->constraints[i].scale;
    }
}

// With the problem at the plan's values in the end.
static atemi_status fill(atemi_strike_plan *plan, atemi_error *error)
{
    strike_problem *p = &plan->problem;
    double          multipliers[ATEMI_STRIKE_MOST_VARIABLES];
    const size_t    count = (size_t)p->constraint_count;
    plan->constraints =
        (atemi_strike_constraint *)atemi_allocate(count * sizeof *plan->constraints);
    plan->multipliers = (double *)atemi_allocate(count * sizeof *plan->multipliers);
    if (!plan->constraints || !plan->multipliers) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a plan");
    }
    strike_solver_multipliers(&plan->solver, plan->x, plan->multipliers, multipliers);
    strike_problem_evaluate(p, plan->x);
    plan->violation = strike_problem_violation(p);
    fill_variables(plan, multipliers);
    fill_constraints(plan);
    fill_figures(plan);
    return ATEMI_OK;
}

// ---- Tries

static void choose_start(const strike_problem *p, int attempt, uint64_t *seed, double *x)
{
    for (int i = 0; i < p->variable_count; ++i) {
        const atemi_strike_range *range = &p->variables[i].about.range;
        const bool                bounded = isfinite(range->lower) && isfinite(range->upper);
        const double lower = bounded ? range->lower : range->start - p->variables[i].scale;
        const double upper = bounded ? range->upper : range->start + p->variables[i].scale;
        x[i] = attempt == 0 ? range->start : lower + (upper - lower) * random_unit_next(seed);
    }
}

static bool is_better(const atemi_strike_plan *plan, const strike_try *result,
                      const strike_try *best)
{
    const bool now = result->violation <= plan->tolerance,
               before = best->violation <= plan->tolerance;
    return now && before ? result->objective > best->objective
                         : result->violation < best->violation;
}

static void search(atemi_strike_plan *plan, const atemi_strike_options *options)
{
    strike_solver *solver = &plan->solver;
    strike_try     best = {.objective = -INFINITY, .violation = INFINITY};
    uint64_t       seed = options->seed;
    for (int i = 0; i < options->starts && !best.stopped; ++i) {
        double start[ATEMI_STRIKE_MOST_VARIABLES];
        solver->done = (double)i / options->starts;
        choose_start(&plan->problem, i, &seed, start);
        memcpy(plan->problem.q, plan->problem.task.q,
               (size_t)atemi_model_q_count(plan->problem.model) * sizeof(double));
        const strike_try result = strike_solver_run(solver, start);
        plan->figures.gradients += result.gradients;
        plan->figures.feasible_tries += result.violation <= plan->tolerance;
        ++plan->figures.tries;
        if (is_better(plan, &result, &best)) {
            best = result;
            memcpy(plan->x, solver->best, (size_t)plan->problem.variable_count * sizeof *plan->x);
        }
        best.stopped = result.stopped;
    }
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
    const atemi_status status = strike_problem_create(task, &plan->problem, error);
    plan->problem.clock = options->clock;
    return status ? status : strike_solver_create(&plan->problem, options, &plan->solver, error);
}

static double now(const atemi_strike_options *options)
{
    return options->clock ? options->clock() : 0.0;
}

static void fill_times(atemi_strike_plan *plan, double total)
{
    atemi_strike_times *times = &plan->figures.times;
    *times = plan->problem.times;
    times->total = total;
    times->solver =
        total - times->posture - times->rates - times->motion - times->blow - times->zmp;
}

// Searches, or looks at x where it is given.
static atemi_status make(const atemi_strike_task *task, const atemi_strike_options *options,
                         const double *x, atemi_strike_plan **result, atemi_error *error)
{
    const double begin = now(options);
    *result = NULL;
    atemi_status status = check_task(task, error);
    if (status) {
        return status;
    }
    atemi_strike_plan *plan = create(options);
    if (!plan) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a plan");
    }
    status = prepare(plan, task, options, error);
    if (!status && x) {
        memcpy(plan->x, x, (size_t)plan->problem.variable_count * sizeof *x);
    } else if (!status) {
        search(plan, options);
    }
    if (!status) {
        status = fill(plan, error);
    }
    if (status) {
        atemi_strike_plan_destroy(plan);
        return status;
    }
    fill_times(plan, now(options) - begin);
    plan->solver.options = NULL;
    *result = plan;
    return ATEMI_OK;
}

atemi_status atemi_strike_plan_make(const atemi_strike_task    *task,
                                    const atemi_strike_options *options, atemi_strike_plan **plan,
                                    atemi_error *error)
{
    ATEMI_REQUIRE_OR(task && plan, ATEMI_ERROR_CONTRACT);
    const atemi_strike_options usual = atemi_strike_options_default();
    return make(task, options ? options : &usual, NULL, plan, error);
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

strike_problem *strike_plan_problem(atemi_strike_plan *plan)
{
    return &plan->problem;
}

bool atemi_strike_plan_feasible(const atemi_strike_plan *plan)
{
    return plan->violation <= plan->tolerance;
}

double atemi_strike_plan_violation(const atemi_strike_plan *plan)
{
    return plan->violation;
}

const double *atemi_strike_plan_q(const atemi_strike_plan *plan)
{
    return plan->problem.q;
}

const double *atemi_strike_plan_v(const atemi_strike_plan *plan)
{
    return plan->problem.v;
}

int atemi_strike_plan_variable_count(const atemi_strike_plan *plan)
{
    return plan->problem.variable_count;
}

int atemi_strike_plan_constraint_count(const atemi_strike_plan *plan)
{
    return plan->problem.constraint_count;
}

const atemi_strike_variable *atemi_strike_plan_variable(const atemi_strike_plan *plan, int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < plan->problem.variable_count, NULL);
    return &plan->variables[index];
}

const atemi_strike_constraint *atemi_strike_plan_constraint(const atemi_strike_plan *plan,
                                                            int                      index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < plan->problem.constraint_count, NULL);
    return &plan->constraints[index];
}

atemi_strike_figures atemi_strike_plan_figures(const atemi_strike_plan *plan)
{
    return plan->figures;
}
