// SPDX-License-Identifier: Apache-2.0

#include "atemi/inverse_kinematics.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "motion/least_norm.h"
#include "motion/posture_goal.h"
#include "motion/posture_step.h"

#include <math.h>
#include <string.h>

// Each step minimizes a model of the cost c, with g its gradient,
//
//   c + g d + d^T A d / 2 + lambda d^T d / 2,   A = J^T J + bending,   lambda = mu |residual|^2
//
// under the joint limits: velocities whose coordinate is at a limit that the descent would cross
// are held, and those that the solution takes beyond a limit stop there and the rest is solved
// again. Where A + lambda is not positive definite, the bending is left out. mu follows the ratio
// of what the step gains to what the model predicts; lambda vanishes with the square of the
// residual, so that convergence is quadratic, redundant or not.
//
// A point where the gradient vanishes and A is indefinite is no minimum: a stretched knee that the
// goal wants to bend. The posture is then moved a little towards the middle of its limits. From a
// minimum that does not meet the goals it is moved there by a quarter of the distance, a half, and
// so on; what counts is the best of all that was found.

// Cosine between residual and rows below which the gradient is zero.
static const double stationary_cosine = 1e-11;

// Rounding errors: of the cost, relative, and of a residual, m or rad.
static const double cost_rounding = 1e-13, residual_rounding = 1e-14;

static const double saddle_damping = 1e-9, largest_damping = 1e20;
static const double first_damping = 1e-2, least_gain = 1e-4;
static const double nudge = 0.03;          // rad or m
static const double retry_fraction = 0.25; // of the distance to the middle

enum { MAX_NUDGES = 3 };

typedef struct search {
    const atemi_model                      *model;
    const atemi_posture_goal               *goals;
    int                                     goal_count;
    const atemi_inverse_kinematics_options *options;
    atemi_inverse_kinematics_scratch       *s;
    double                                 *q;
    double                                  cost;
    double                                  mu, growth;
    double                                  best_cost;
    int                                     nudges, retries;
} search;

// ---- Checks ---------------------------------------------------------------------------------

static bool is_pose(const atemi_transform *a)
{
    const atemi_vec3 x = a->rotation.x, y = a->rotation.y, z = a->rotation.z;
    const double     right = atemi_vec3_dot(atemi_vec3_cross(x, y), z); // 1 of rotations only
    const double     size = atemi_vec3_dot(x, x) + atemi_vec3_dot(y, y) + atemi_vec3_dot(z, z);
    return atemi_vec3_is_finite(a->position) && fabs(right - 1.0) < 1e-6 && fabs(size - 3.0) < 1e-6;
}

static atemi_status check_start(const atemi_model *model, const double *q, atemi_error *error)
{
    for (int i = 0; i < atemi_model_q_count(model); ++i) {
        if (!isfinite(q[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "coordinate %d of the start is not finite: start from a posture", i);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_goal(const atemi_model *model, const atemi_posture_goal *goal, int index,
                               atemi_error *error)
{
    if (goal->kind == ATEMI_GOAL_FRAME &&
        !(goal->link >= 0 && goal->link < atemi_model_link_count(model))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "goal %d is for link %d, but there is no such link", index, goal->link);
    }
    if (goal->kind == ATEMI_GOAL_CENTER_OF_MASS && !(atemi_model_mass(model) > 0.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "goal %d is for the centre of mass, but the robot has no mass: give its "
                          "links some",
                          index);
    }
    if (!is_pose(&goal->target) || (goal->kind == ATEMI_GOAL_FRAME && !is_pose(&goal->frame))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "goal %d: frame and target must be finite, and their rotations rotations",
                          index);
    }
    for (int r = 0; r < 6; ++r) {
        if (!(goal->weight[r] >= 0.0 && isfinite(goal->weight[r]))) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "goal %d: the weight of row %d is %g: it must not be negative", index,
                              r, goal->weight[r]);
        }
    }
    return ATEMI_OK;
}

// ---- A step ---------------------------------------------------------------------------------

// The posture after the step, within limits to the last bit.
static void try_step(search *x)
{
    atemi_inverse_kinematics_scratch *s = x->s;
    memset(s->motion, 0, (size_t)atemi_model_v_count(x->model) * sizeof *s->motion);
    for (int k = 0; k < s->count; ++k) {
        s->motion[s->freedoms[k].v] = s->step[k];
    }
    atemi_configuration_integrate(x->model, x->q, s->motion, 1.0, s->trial);
    for (int k = 0; k < s->count; ++k) {
        const atemi_posture_freedom *freedom = &s->freedoms[k];
        if (freedom->q != ATEMI_NONE) {
            s->trial[freedom->q] = fmin(fmax(s->trial[freedom->q], freedom->lower), freedom->upper);
        }
    }
}

// ---- The search -----------------------------------------------------------------------------

static void move_to_trial(search *x, double cost)
{
    memcpy(x->q, x->s->trial, (size_t)atemi_model_q_count(x->model) * sizeof *x->q);
    x->cost = cost;
    atemi_posture_linearize(x->model, x->goals, x->goal_count, x->s);
}

static double largest_diagonal(const atemi_inverse_kinematics_scratch *s)
{
    double largest = 0.0;
    for (int k = 0; k < s->count; ++k) {
        largest = fmax(largest, s->normal[k * s->count + k]);
    }
    return largest;
}

static void damp_more(search *x)
{
    x->mu *= x->growth;
    x->growth *= 2.0;
}

static void damp_less(search *x, double ratio)
{
    const double edge = 2.0 * ratio - 1.0;
    x->mu *= fmax(1.0 / 3.0, 1.0 - edge * edge * edge);
    x->growth = 2.0;
}

// Goes where the step leads if that gains what it should; a gain that is lost in the cost's
// rounding is taken on trust.
static void judge_step(search *x, double expected)
{
    const double cost = atemi_posture_errors(x->s->trial, x->goals, x->goal_count, x->s);
    const double gain = x->cost - cost;
    const double rounding = cost_rounding * x->cost + residual_rounding * sqrt(2.0 * x->cost);
    if (expected > 0.0 && gain >= least_gain * expected - rounding) {
        damp_less(x, expected > 1e3 * rounding ? gain / expected : 1.0);
        move_to_trial(x, cost);
    } else {
        damp_more(x);
        atemi_posture_errors(x->q, x->goals, x->goal_count, x->s);
    }
}

static void iterate(search *x)
{
    const double lambda = x->mu * 2.0 * x->cost + x->options->damping * largest_diagonal(x->s);
    const bool   bent = !x->options->unbent && atemi_posture_step(x->q, lambda, true, x->s);
    if (bent || atemi_posture_step(x->q, lambda, false, x->s)) {
        try_step(x);
        judge_step(x, atemi_posture_gain(x->s, bent));
    } else {
        damp_more(x);
    }
}

// No free velocity changes the residual by more than rounding.
static bool is_stationary(search *x)
{
    const atemi_inverse_kinematics_scratch *s = x->s;
    const double least = stationary_cosine * sqrt(2.0 * x->cost) + residual_rounding;
    atemi_posture_hold(x->q, x->s);
    for (int k = 0; k < s->count; ++k) {
        const double length = sqrt(s->normal[k * s->count + k]);
        if (s->freedoms[k].free && fabs(s->gradient[k]) > least * length) {
            return false;
        }
    }
    return true;
}

static bool is_saddle(const search *x)
{
    return !atemi_posture_convex(x->q, saddle_damping * largest_diagonal(x->s), x->s);
}

// The distance to the middle of a joint's range; without limits, anywhere.
static double distance_inwards(const search *x, const atemi_posture_freedom *freedom)
{
    if (freedom->q == ATEMI_NONE) {
        return 0.0;
    }
    const double middle = 0.5 * (freedom->lower + freedom->upper);
    return isfinite(middle) ? middle - x->q[freedom->q] : nudge;
}

// Moves every joint inwards by a fraction of its distance, at most `limit`.
static void move_inwards(search *x, double fraction, double limit)
{
    for (int k = 0; k < x->s->count; ++k) {
        const double distance = fraction * distance_inwards(x, &x->s->freedoms[k]);
        x->s->step[k] = fmin(fmax(distance, -limit), limit);
    }
    try_step(x);
    move_to_trial(x, atemi_posture_errors(x->s->trial, x->goals, x->goal_count, x->s));
    x->mu = first_damping;
    x->growth = 2.0;
}

static void remember(search *x)
{
    if (x->cost < x->best_cost) {
        x->best_cost = x->cost;
        memcpy(x->s->best, x->q, (size_t)atemi_model_q_count(x->model) * sizeof *x->q);
    }
}

static void recall(search *x)
{
    if (x->best_cost < x->cost) {
        memcpy(x->q, x->s->best, (size_t)atemi_model_q_count(x->model) * sizeof *x->q);
        x->cost = atemi_posture_errors(x->q, x->goals, x->goal_count, x->s);
    }
}

// From where no step descends.
// @return false if there is nowhere else to go
static bool leave(search *x)
{
    remember(x);
    if (x->nudges < MAX_NUDGES && is_saddle(x)) {
        ++x->nudges;
        move_inwards(x, 1.0, nudge);
        return true;
    }
    if (x->retries < x->options->retries) {
        ++x->retries;
        move_inwards(x, retry_fraction * x->retries, INFINITY);
        return true;
    }
    return false;
}

static double largest_error(atemi_vec3 e, const double *weight)
{
    const double x = weight[0] > 0.0 ? fabs(e.x) : 0.0, y = weight[1] > 0.0 ? fabs(e.y) : 0.0;
    return fmax(fmax(x, y), weight[2] > 0.0 ? fabs(e.z) : 0.0);
}

static void measure(const search *x, atemi_posture_report *report)
{
    report->position = report->rotation = 0.0;
    for (int g = 0; g < x->goal_count; ++g) {
        const atemi_posture_goal *goal = &x->goals[g];
        const atemi_motion       *error = &x->s->errors[g];
        report->position = fmax(report->position, largest_error(error->linear, goal->weight));
        if (goal->kind == ATEMI_GOAL_FRAME) {
            report->rotation =
                fmax(report->rotation, largest_error(error->angular, goal->weight + 3));
        }
    }
}

static atemi_posture_outcome run(search *x, atemi_posture_report *report)
{
    for (report->iterations = 0;; ++report->iterations) {
        measure(x, report);
        if (fmax(report->position, report->rotation) <= x->options->tolerance) {
            return ATEMI_POSTURE_REACHED;
        }
        if (report->iterations >= x->options->iterations) {
            return ATEMI_POSTURE_UNFINISHED;
        }
        if (!is_stationary(x) && x->mu < largest_damping) {
            iterate(x);
        } else if (!leave(x)) {
            return ATEMI_POSTURE_NEAREST;
        }
    }
}

// ---- The interface --------------------------------------------------------------------------

double atemi_priority_weight(atemi_priority priority)
{
    static const double weights[] = {1.0, 0.1, 0.01, 0.001, 0.0};
    const bool known = priority >= ATEMI_PRIORITY_CRITICAL && priority <= ATEMI_PRIORITY_IGNORE;
    ATEMI_REQUIRE_OR(known, 0.0);
    return weights[priority];
}

const char *atemi_posture_outcome_text(atemi_posture_outcome outcome)
{
    static const char *const texts[] = {"reached", "nearest", "unfinished"};
    const bool known = outcome >= ATEMI_POSTURE_REACHED && outcome <= ATEMI_POSTURE_UNFINISHED;
    ATEMI_REQUIRE_OR(known, "");
    return texts[outcome];
}

atemi_posture_goal atemi_posture_goal_default(void)
{
    return (atemi_posture_goal){.kind = ATEMI_GOAL_FRAME,
                                .frame = atemi_transform_identity(),
                                .target = atemi_transform_identity(),
                                .weight = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}};
}

atemi_inverse_kinematics_options atemi_inverse_kinematics_options_default(void)
{
    return (atemi_inverse_kinematics_options){
        .iterations = 100, .retries = 3, .tolerance = 1e-10, .damping = 1e-12};
}

atemi_inverse_kinematics_scratch *
atemi_inverse_kinematics_scratch_take(atemi_arena *arena, const atemi_model *model, int max_goals)
{
    const size_t n = (size_t)atemi_model_v_count(model), rows = 6 * (size_t)max_goals;
    atemi_inverse_kinematics_scratch *scratch =
        atemi_arena_array(arena, atemi_inverse_kinematics_scratch, 1);
    atemi_inverse_kinematics_scratch s = {.max_goals = max_goals};
    s.errors = atemi_arena_array(arena, atemi_motion, max_goals);
    s.data = atemi_data_take(arena, model, &(atemi_data_options){.max_contacts = 0});
    s.freedoms = atemi_arena_array(arena, atemi_posture_freedom, n);
    s.frame = atemi_arena_array(arena, double, 6 * n);
    s.rows = atemi_arena_array(arena, double, rows *n);
    s.residual = atemi_arena_array(arena, double, rows);
    s.normal = atemi_arena_array(arena, double, n *n);
    s.bending = atemi_arena_array(arena, double, n *n);
    s.factor = atemi_arena_array(arena, double, n *n);
    s.gradient = atemi_arena_array(arena, double, n);
    s.step = atemi_arena_array(arena, double, n);
    s.packed = atemi_arena_array(arena, double, n);
    s.free = atemi_arena_array(arena, int, n);
    s.trial = atemi_arena_array(arena, double, atemi_model_q_count(model));
    s.best = atemi_arena_array(arena, double, atemi_model_q_count(model));
    s.motion = atemi_arena_array(arena, double, n);
    s.columns = atemi_arena_array(arena, double, 3 * n);
    s.least = atemi_least_norm_take(arena, 6 * max_goals, (int)n);
    if (scratch) {
        *scratch = s;
    }
    return scratch;
}

const atemi_motion *atemi_inverse_kinematics_errors(const atemi_inverse_kinematics_scratch *scratch)
{
    ATEMI_REQUIRE_OR(scratch, NULL);
    return scratch->errors;
}

atemi_data *atemi_inverse_kinematics_data(const atemi_inverse_kinematics_scratch *scratch)
{
    ATEMI_REQUIRE_OR(scratch, NULL);
    return scratch->data;
}

atemi_status atemi_inverse_kinematics(const atemi_model *model, const atemi_posture_goal *goals,
                                      int count, const atemi_inverse_kinematics_options *options,
                                      atemi_inverse_kinematics_scratch *scratch, double *q,
                                      atemi_posture_report *report, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && scratch && report && (goals || count == 0), ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(count >= 0 && count <= scratch->max_goals, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(q || atemi_model_q_count(model) == 0, ATEMI_ERROR_CONTRACT);
    atemi_status status = check_start(model, q, error);
    for (int g = 0; g < count && status == ATEMI_OK; ++g) {
        status = check_goal(model, &goals[g], g, error);
    }
    if (status != ATEMI_OK) {
        return status;
    }
    const atemi_inverse_kinematics_options defaults = atemi_inverse_kinematics_options_default();
    search x = {.model = model, .goals = goals, .goal_count = count, .s = scratch, .q = q};
    x.options = options ? options : &defaults;
    x.mu = first_damping;
    x.growth = 2.0;
    x.best_cost = INFINITY;
    atemi_posture_freedoms(model, x.options, scratch);
    memset(scratch->step, 0, (size_t)scratch->count * sizeof *scratch->step);
    try_step(&x);
    move_to_trial(&x, atemi_posture_errors(scratch->trial, goals, count, scratch));
    report->outcome = run(&x, report);
    if (report->outcome != ATEMI_POSTURE_REACHED) {
        recall(&x);
        measure(&x, report);
    }
    return ATEMI_OK;
}
