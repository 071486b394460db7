// SPDX-License-Identifier: Apache-2.0

#include "plan/problem/strike_task.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

atemi_strike_task atemi_strike_task_default(void)
{
    const double             hand = 0.7 / 4.0, body = 0.7; // s, [STRIKE] IV
    const double             degree = pi / 180.0;
    const atemi_blow_setting blow = atemi_blow_setting_default();
    const atemi_strike_hit   hit = {.tolerance = {INFINITY, INFINITY, 0.01}};
    return (atemi_strike_task){.point = {.direction = {1.0, 0.0, 0.0}},
                               .axes = {{0.0, 0.0, -1.0}, {0.0, 0.0, -1.0}},
                               .hand_rise = {hand, hand, hand},
                               .hand_fall = {hand, hand, hand},
                               .body_rise = {body, body, body},
                               .body_fall = {body, body, body},
                               .surface = blow.surface,
                               .target = blow.target,
                               .peak_weight = 1.0,
                               .hits = {hit, hit},
                               .lead = 5e-4,
                               .aim = 0.9962,
                               .side_speed = 0.3,
                               .angular_speed = 5.0 * degree,
                               .foot_error = 1e-3,
                               .impact_margin = 0.05,
                               .motion_margin = 0.05,
                               .joint_margin = 5.0 * degree,
                               .leg_speed = 0.8,
                               .other_speed = 0.98,
                               .momentum_side = 5.0,
                               .spin = 5.0,
                               .travel_margin = 2.0 * degree,
                               .effort_fraction = 0.95,
                               .travel_friction = INFINITY,
                               .friction = INFINITY,
                               .edge_margin = 0.02,
                               .reserve = 0.05,
                               .clearance = 0.01,
                               .self_clearance = 0.005,
                               .free_speed = INFINITY};
}

// ---- Ranges

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
                  {&task->foot_rotation[0], "foot_rotation x"},
                  {&task->foot_rotation[1], "foot_rotation y"},
                  {&task->foot_rotation[2], "foot_rotation z"},
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

// ---- The robot

static atemi_status check_foot(const atemi_strike_task *task, int i, atemi_error *error)
{
    const atemi_site *site = atemi_model_site(task->model, task->feet[i]);
    if (!(site->size_x > 0.0 && site->size_y > 0.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the site '%s' has no area, so nothing can stand on it: give its "
                          "size in the URDF, or another site",
                          site->name);
    }
    for (int k = 0; k < atemi_striking_point_hands(&task->point); ++k) {
        if (atemi_striking_point_hand(&task->point, k).link == site->link) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the robot stands on '%s' and strikes with the same link: give "
                              "another foot or hand",
                              site->name);
        }
    }
    for (int k = 0; k < i; ++k) {
        if (atemi_model_site(task->model, task->feet[k])->link == site->link) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the feet '%s' and '%s' are of the same link: give one of them",
                              atemi_model_site(task->model, task->feet[k])->name, site->name);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_robot(const atemi_strike_task *task, atemi_error *error)
{
    if (atemi_model_base(task->model) != ATEMI_BASE_FLOATING) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the base of the robot is %s: a strike needs a robot that stands on its "
                          "feet, with a floating base",
                          atemi_base_text(atemi_model_base(task->model)));
    }
    if (task->foot_count < 1 || task->foot_count > ATEMI_STRIKE_MAX_FEET) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%d feet are given: give 1 to %d",
                          task->foot_count, ATEMI_STRIKE_MAX_FEET);
    }
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < task->foot_count && !status; ++i) {
        status = check_foot(task, i, error);
    }
    return status;
}

// ---- The hands

static atemi_status check_hands(const atemi_strike_task *task, atemi_error *error)
{
    const atemi_striking_point *point = &task->point;
    const atemi_status          status = atemi_striking_point_check(task->model, point, error);
    if (!status && point->more > 0 && point->others[0].link == point->link) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "both hands are of the link '%s': give one of another link, or one hand",
                          atemi_model_link(task->model, point->link)->name);
    }
    return status;
}

// ---- Joints

static bool is_above(const atemi_model *model, int joint, int link)
{
    int above = atemi_model_link(model, link)->parent_joint;
    while (above != ATEMI_NONE && above != joint) {
        above = atemi_model_link(model, atemi_model_joint(model, above)->parent_link)->parent_joint;
    }
    return above == joint;
}

static atemi_status check_joint(const atemi_strike_task *task, int i, atemi_error *error)
{
    const atemi_joint *joint = atemi_model_joint(task->model, task->joints[i]);
    if (joint->q_count != 1) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the joint '%s' does not have one coordinate: leave it out", joint->name);
    }
    for (int k = 0; k < i; ++k) {
        if (task->joints[k] == task->joints[i]) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the joint '%s' is decided twice: give it one range", joint->name);
        }
    }
    for (int k = 0; k < task->foot_count; ++k) {
        const atemi_site *foot = atemi_model_site(task->model, task->feet[k]);
        if (is_above(task->model, task->joints[i], foot->link)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the joint '%s' is decided, but it belongs to the leg of '%s': where "
                              "the feet stand decides it; leave it out",
                              joint->name, foot->name);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_joints(const atemi_strike_task *task, atemi_error *error)
{
    const int    variables = 16 + 2 * ATEMI_STRIKE_MAX_FEET + task->joint_count;
    atemi_status status = ATEMI_OK;
    if (variables > ATEMI_STRIKE_MAX_VARIABLES) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT, "%d joints are too many to decide",
                          task->joint_count);
    }
    for (int i = 0; i < task->joint_count && !status; ++i) {
        status = check_joint(task, i, error);
    }
    return status;
}

// ---- Times

static atemi_status check_times(const atemi_strike_range *hand, const atemi_strike_range *body,
                                const char *phase, atemi_error *error)
{
    if (!(hand->lower > 0.0 && body->lower > 0.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "hand_%s and body_%s begin at %g and %g s: they must be positive", phase,
                          phase, hand->lower, body->lower);
    }
    if (hand->lower > body->upper) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "body_%s ends at %g s, before hand_%s begins at %g s: the body must not "
                          "take less time than the hand",
                          phase, body->upper, phase, hand->lower);
    }
    return ATEMI_OK;
}

// ---- Numbers

static atemi_status check_numbers(const atemi_strike_task *task, atemi_error *error)
{
    const struct {
        double      value;
        const char *name;
        bool        may_vanish;
    } numbers[] = {{task->target.mass, "mass of the target", false},
                   {task->effort_fraction, "effort_fraction", false},
                   {task->travel_friction, "travel_friction", false},
                   {task->friction, "friction", false},
                   {task->leg_speed, "leg_speed", false},
                   {task->lead, "lead", true},
                   {task->other_speed, "other_speed", false},
                   {task->free_speed, "free_speed", false},
                   {task->reserve, "reserve of friction", true},
                   {task->doubt.distance, "distance in doubt", true},
                   {task->doubt.mass, "mass in doubt", true},
                   {task->doubt.friction, "friction in doubt", true},
                   {task->doubt.timing, "timing in doubt", true},
                   {task->doubt.gains, "gains in doubt", true}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        const double value = numbers[i].value;
        if (!(value > 0.0 || (numbers[i].may_vanish && value == 0.0))) {
            return atemi_fail(error, ATEMI_ERROR_INPUT, "the %s is %g: it must %s", numbers[i].name,
                              value, numbers[i].may_vanish ? "not be negative" : "be positive");
        }
    }
    return ATEMI_OK;
}

// Whether something is left of what is given.
static bool leaves_something(const atemi_strike_deviation *d)
{
    return isfinite(d->distance) && isfinite(d->timing) && fabs(d->mass) < 1.0 &&
           fabs(d->friction) < 1.0 && fabs(d->gains) < 1.0;
}

static atemi_status check_doubt(const atemi_strike_task *task, atemi_error *error)
{
    const atemi_strike_deviation *d = &task->doubt;
    if (!leaves_something(d)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "in doubt are %g of the target's mass, %g of the friction, %g m of the "
                          "distance, %g s of the timing, %g of the gains: nothing would be left; "
                          "give fractions below 1 and finite numbers",
                          d->mass, d->friction, d->distance, d->timing, d->gains);
    }
    if (task->case_count < 0 || task->case_count > ATEMI_STRIKE_MAX_CASES) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%d cases are given: give 0 to %d",
                          task->case_count, ATEMI_STRIKE_MAX_CASES);
    }
    for (int i = 0; i < task->case_count; ++i) {
        if (!leaves_something(&task->cases[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "case %d is off by the whole mass, friction or gains, or by no "
                              "finite number: give fractions between -1 and 1",
                              i);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_pairs(const atemi_strike_task *task, atemi_error *error)
{
    const int links = atemi_model_link_count(task->model);
    if (task->pair_count < 0 || task->pair_count > ATEMI_STRIKE_MAX_PAIRS) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%d pairs of links are given: give 0 to %d",
                          task->pair_count, ATEMI_STRIKE_MAX_PAIRS);
    }
    for (int i = 0; i < task->pair_count; ++i) {
        const int *pair = task->pairs[i];
        if (!(pair[0] >= 0 && pair[0] < pair[1] && pair[1] < links)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "pair %d is of the links %d and %d: give two of 0 to %d, the lower "
                              "first",
                              i, pair[0], pair[1], links - 1);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_objective(const atemi_strike_task *task, atemi_error *error)
{
    if (!(task->peak_weight >= 0.0 && task->impulse_weight >= 0.0 &&
          task->peak_weight + task->impulse_weight > 0.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the objective has no weight: give one to the peak force or the impulse");
    }
    return ATEMI_OK;
}

// ---- All of it

atemi_status strike_task_check(const atemi_strike_task *task, atemi_error *error)
{
    atemi_status status = check_hands(task, error);
    status = status ? status : check_robot(task, error);
    status = status ? status : check_joints(task, error);
    status = status ? status : check_ranges(task, error);
    status = status ? status : check_times(&task->hand_rise, &task->body_rise, "rise", error);
    status = status ? status : check_times(&task->hand_fall, &task->body_fall, "fall", error);
    status = status ? status : check_objective(task, error);
    status = status ? status : check_numbers(task, error);
    status = status ? status : check_pairs(task, error);
    return status ? status : check_doubt(task, error);
}
