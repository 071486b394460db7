// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_problem.h"

#include "atemi/configuration.h"
#include "atemi/dynamics.h"
#include "base/message.h"
#include "dynamics/data_parts.h"
#include "impact/servo_rotors.h"
#include "plan/strike_balance.h"
#include "plan/strike_blow.h"
#include "plan/strike_hands.h"
#include "plan/strike_phases.h"
#include "plan/strike_touch.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void strike_text(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_format(text, size, format, arguments);
    va_end(arguments);
}

// ---- Variables ------------------------------------------------------------------------------

// A range of the task, where its value is kept, and its name.
typedef struct named_range {
    const atemi_strike_range *range;
    size_t                    field;
    const char               *name, *unit;
    double                    scale; ///< where the range is infinite
} named_range;

#define FIELD(member) offsetof(strike_values, member)

static void add_variable(strike_problem *p, named_range about)
{
    const atemi_strike_range *range = about.range;
    *(double *)((char *)&p->values + about.field) = range->start;
    if (range->lower < range->upper) {
        strike_variable *variable = &p->variables[p->variable_count++];
        const double     width = range->upper - range->lower;
        *variable = (strike_variable){
            .field = about.field, .scale = isfinite(width) ? fmax(0.5 * width, 1e-6) : about.scale};
        variable->about.range = *range;
        variable->is_motion = about.field >= FIELD(speed) && about.field <= FIELD(com_y);
        strike_text(variable->about.name, sizeof variable->about.name, "%s", about.name);
        strike_text(variable->about.unit, sizeof variable->about.unit, "%s", about.unit);
    }
}

static void add_stance(strike_problem *p)
{
    static const char *const names[2][3] = {{"second foot x", "third foot x", "fourth foot x"},
                                            {"second foot y", "third foot y", "fourth foot y"}};
    for (int i = 0; i + 1 < p->task.foot_count; ++i) {
        for (int k = 0; k < 2; ++k) {
            add_variable(p, (named_range){&p->task.stance[i][k],
                                          FIELD(stance) + (size_t)(2 * i + k) * sizeof(double),
                                          names[k][i], "m", 0.1});
        }
    }
}

static void add_joints(strike_problem *p)
{
    for (int i = 0; i < p->task.joint_count; ++i) {
        const atemi_joint *joint = atemi_model_joint(p->model, p->task.joints[i]);
        const bool         slides = joint->type == ATEMI_JOINT_PRISMATIC;
        add_variable(p, (named_range){&p->task.joint_ranges[i],
                                      FIELD(joints) + (size_t)i * sizeof(double), joint->name,
                                      slides ? "m" : "rad", 0.3});
    }
}

static void add_variables(strike_problem *p)
{
    const atemi_strike_task *task = &p->task;
    const named_range        feet[] = {
        {&task->foot_position[0], FIELD(foot_position[0]), "foot x", "m", 0.1},
        {&task->foot_position[1], FIELD(foot_position[1]), "foot y", "m", 0.1},
        {&task->foot_position[2], FIELD(foot_position[2]), "foot z", "m", 0.1},
        {&task->foot_turn[0], FIELD(foot_turn[0]), "foot about x", "rad", 0.1},
        {&task->foot_turn[1], FIELD(foot_turn[1]), "foot about y", "rad", 0.1},
        {&task->foot_turn[2], FIELD(foot_turn[2]), "foot about z", "rad", 0.1}};
    const named_range motion[] = {
        {&task->speed, FIELD(speed), "speed of the hand", "m/s", 1.0},
        {&task->lift, FIELD(lift), "P_z", "N s", 3.0},
        {&task->roll, FIELD(roll), "L_x", "N m s", 3.0},
        {&task->pitch, FIELD(pitch), "L_y", "N m s", 3.0},
        {&task->com_x, FIELD(com_x), "centre of mass x", "m/s", 0.1},
        {&task->com_y, FIELD(com_y), "centre of mass y", "m/s", 0.1},
        {&task->hand_rise, FIELD(hand_rise), "time of the hand before", "s", 0.1},
        {&task->hand_fall, FIELD(hand_fall), "time of the hand after", "s", 0.1},
        {&task->body_rise, FIELD(body_rise), "time of the body before", "s", 0.3},
        {&task->body_fall, FIELD(body_fall), "time of the body after", "s", 0.3}};
    for (size_t i = 0; i < sizeof feet / sizeof feet[0]; ++i) {
        add_variable(p, feet[i]);
    }
    add_stance(p);
    add_joints(p);
    for (size_t i = 0; i < sizeof motion / sizeof motion[0]; ++i) {
        add_variable(p, motion[i]);
    }
}

static void set_values(strike_problem *p, const double *x)
{
    const strike_values before = p->values;
    for (int i = 0; i < p->variable_count; ++i) {
        *(double *)((char *)&p->values + p->variables[i].field) = x[i];
    }
    p->same_posture = p->evaluations > 0 && memcmp(&before, &p->values, FIELD(speed)) == 0;
    p->same_hand = before.speed == p->values.speed && before.hand_rise == p->values.hand_rise &&
                   before.hand_fall == p->values.hand_fall;
}

// ---- Constraints ----------------------------------------------------------------------------

static void declare(strike_problem *p, int part_count, strike_bounds bounds, const char *format,
                    va_list arguments)
{
    strike_constraint *constraint = &p->constraints[p->next];
    *constraint = (strike_constraint){
        .scale = bounds.scale, .first_part = p->next_part, .part_count = part_count};
    constraint->about.lower = bounds.lower;
    constraint->about.upper = bounds.upper;
    strike_text(constraint->about.unit, sizeof constraint->about.unit, "%s", bounds.unit);
    message_format(constraint->about.name, sizeof constraint->about.name, format, arguments);
}

// What cannot be computed violates its bound by far.
static double finite(double value, strike_bounds bounds)
{
    const double bad = isfinite(bounds.lower) ? bounds.lower - 1e3 * bounds.scale
                                              : bounds.upper + 1e3 * bounds.scale;
    return isfinite(value) ? value : bad;
}

void strike_constrain(strike_problem *p, double value, strike_bounds bounds, const char *format,
                      ...)
{
    if (p->declares) {
        va_list arguments;
        va_start(arguments, format);
        declare(p, 0, bounds, format, arguments);
        va_end(arguments);
    }
    if (p->constraints) {
        p->found[p->next] = finite(value, bounds);
    }
    ++p->next;
}

void strike_constrain_extreme(strike_problem *p, const double *values, int count,
                              strike_bounds bounds, const char *format, ...)
{
    if (p->declares) {
        va_list arguments;
        va_start(arguments, format);
        declare(p, count, bounds, format, arguments);
        va_end(arguments);
    }
    const bool has_upper = isfinite(bounds.upper);
    double     extreme = has_upper ? (double)-INFINITY : (double)INFINITY;
    for (int k = 0; k < count && p->constraints; ++k) {
        const double value = finite(values[k], bounds);
        p->parts[p->next_part + k] = value;
        extreme = has_upper ? fmax(extreme, value) : fmin(extreme, value);
    }
    if (p->constraints) {
        p->found[p->next] = extreme;
    }
    ++p->next;
    p->next_part += count;
}

double strike_last_value(const strike_problem *p)
{
    return p->constraints ? p->found[p->next - 1] : 0.0;
}

double strike_problem_violation(const strike_problem *p)
{
    double most = 0.0;
    for (int i = 0; i < p->constraint_count; ++i) {
        const strike_constraint *c = &p->constraints[i];
        most = fmax(most, (c->about.lower - p->found[i]) / c->scale);
        most = fmax(most, (p->found[i] - c->about.upper) / c->scale);
    }
    return most;
}

strike_bounds strike_within(double size, double scale, const char *unit)
{
    return (strike_bounds){-size, size, scale, unit};
}

// ---- Part 2: the feet

static void constrain_feet(strike_problem *p)
{
    for (int i = 0; i < p->task.foot_count; ++i) {
        const char        *name = atemi_model_site(p->model, p->task.feet[i])->name;
        const atemi_motion error = p->ik.errors[i];
        const atemi_motion moved = atemi_link_velocity_in(
            p->model, &p->kinematics, atemi_model_site(p->model, p->task.feet[i])->link);
        strike_constrain(p, atemi_vec3_norm(error.linear),
                         (strike_bounds){-INFINITY, p->task.foot_error, 0.01, "m"},
                         "place of %.60s", name);
        strike_constrain(p, atemi_vec3_norm(error.angular),
                         (strike_bounds){-INFINITY, p->task.foot_error, 0.01, "rad"},
                         "turn of %.60s", name);
        strike_constrain(p, atemi_vec3_norm(moved.linear),
                         (strike_bounds){-INFINITY, 0.01, 0.01, "m/s"}, "speed of %.60s", name);
    }
}

// ---- Part 5: the joints

static void constrain_legs(strike_problem *p)
{
    for (int i = 0; i < p->leg_joint_count; ++i) {
        const atemi_joint *joint = atemi_model_joint(p->model, p->leg_joints[i]);
        if (isfinite(joint->limits.lower) || isfinite(joint->limits.upper)) {
            strike_constrain(p, p->q[joint->first_q],
                             (strike_bounds){joint->limits.lower + p->task.joint_margin,
                                             joint->limits.upper - p->task.joint_margin, 0.1,
                                             joint->type == ATEMI_JOINT_PRISMATIC ? "m" : "rad"},
                             "range of %.60s", joint->name);
        }
    }
}

bool strike_is_locked(const strike_problem *p, const atemi_joint *joint)
{
    return p->locked[joint->first_v];
}

double strike_speed_limit(const strike_problem *p, const atemi_joint *joint)
{
    if (joint->v_count != 1) {
        return INFINITY;
    }
    return joint->limits.velocity *
           (p->moving[joint->first_v] ? p->task.leg_speed : p->task.other_speed);
}

static void constrain_speeds(strike_problem *p)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        const double       limit = strike_speed_limit(p, joint);
        if (isfinite(limit) && !strike_is_locked(p, joint)) {
            strike_constrain(p, p->v[joint->first_v], strike_within(limit, 0.5, "rad/s"),
                             "speed of %.60s", joint->name);
        }
    }
}

// ---- Part 6: friction with the floor

static void constrain_momentum(strike_problem *p)
{
    strike_constrain(p, p->momentum.linear.x, strike_within(p->task.momentum_side, 1.0, "N s"),
                     "P_x");
    strike_constrain(p, p->momentum.linear.y, strike_within(p->task.momentum_side, 1.0, "N s"),
                     "P_y");
    strike_constrain(p, p->momentum.angular.z, strike_within(p->task.spin, 1.0, "N m s"), "L_z");
}

// ---- Evaluation -----------------------------------------------------------------------------

static void find_whole_body(strike_problem *p)
{
    atemi_kinematics_update(p->model, p->q, p->v, NULL, &p->kinematics);
    p->com = atemi_center_of_mass_in(p->model, &p->kinematics);
    p->momentum = atemi_momentum_in(p->model, &p->kinematics);
    p->momentum.angular =
        atemi_vec3_add(p->momentum.angular, atemi_vec3_cross(p->com, p->momentum.linear));
}

int strike_stance_points(const strike_problem *p, atemi_contact_point *points)
{
    return atemi_site_points(p->model, p->task.feet, p->task.foot_count, points);
}

// What happens before and after the blow, as far as it matters.
static void look_at_ways(strike_problem *p)
{
    const bool travels = isfinite(p->task.travel_margin);
    const bool works = isfinite(p->task.torque_part) || isfinite(p->task.travel_friction);
    const bool avoids = p->obstacle.count > 0;
    if (travels || works || avoids || isfinite(p->task.friction) || p->task.doubt.distance > 0.0) {
        strike_follow_ways(p);
    }
    if (travels) {
        strike_constrain_motion(p);
    }
    if (works) {
        strike_constrain_effort(p);
    }
    if (avoids) {
        strike_constrain_clearance(p);
    }
}

// The hand rests no later than the body, where the ranges of their times leave it open.
static void constrain_times(strike_problem *p)
{
    const strike_values     *x = &p->values;
    const atemi_strike_task *task = &p->task;
    const strike_bounds      bounds = {0.0, INFINITY, 0.1, "s"};
    if (task->hand_rise.upper > task->body_rise.lower) {
        strike_constrain(p, x->body_rise - x->hand_rise, bounds,
                         "time of the body less that of the hand before");
    }
    if (task->hand_fall.upper > task->body_fall.lower) {
        strike_constrain(p, x->body_fall - x->hand_fall, bounds,
                         "time of the body less that of the hand after");
    }
}

static double now(const strike_problem *p)
{
    return p->clock ? p->clock() : 0.0;
}

void strike_problem_evaluate(strike_problem *p, const double *x)
{
    const double begin = now(p);
    set_values(p, x);
    p->next = p->next_part = 0;
    ++p->evaluations;
    if (!p->same_posture) {
        strike_find_posture(p);
    }
    const double posture = now(p);
    strike_find_rates(p);
    find_whole_body(p);
    const double rates = now(p);
    strike_constrain_hands(p);
    constrain_feet(p);
    constrain_legs(p);
    constrain_speeds(p);
    constrain_momentum(p);
    constrain_times(p);
    strike_find_support(p);
    strike_constrain_phases(p);
    const double phases = now(p);
    look_at_ways(p);
    const double motion = now(p);
    strike_constrain_blow(p);
    p->objective = p->task.peak_weight * p->outcome.blow.peak_force +
                   p->task.impulse_weight * p->outcome.blow.impulse;
    p->times.posture += posture - begin;
    p->times.rates += rates - posture;
    p->times.zmp += phases - rates;
    p->times.motion += motion - phases;
    p->times.blow += now(p) - motion;
}

// ---- Creation -------------------------------------------------------------------------------

// The joints between the base and a foot.
static void find_legs(strike_problem *p)
{
    for (int i = 0; i < p->task.foot_count; ++i) {
        int link = atemi_model_site(p->model, p->task.feet[i])->link;
        while (atemi_model_link(p->model, link)->parent_joint != ATEMI_NONE) {
            const int          j = atemi_model_link(p->model, link)->parent_joint;
            const atemi_joint *joint = atemi_model_joint(p->model, j);
            if (joint->v_count == 1 && !p->moving[joint->first_v]) {
                p->moving[joint->first_v] = true;
                p->leg_joints[p->leg_joint_count++] = j;
            }
            link = joint->parent_link;
        }
    }
}

// The joints that are given at a limit, and that nothing decides on.
static void find_locked(strike_problem *p)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        if (joint->v_count == 1 && joint->q_count == 1) {
            const double given = p->task.q[joint->first_q];
            const bool   inside = joint->limits.lower < given && given < joint->limits.upper;
            p->locked[joint->first_v] = !inside && !p->moving[joint->first_v];
        }
    }
    for (int i = 0; i < p->task.joint_count; ++i) {
        p->locked[atemi_model_joint(p->model, p->task.joints[i])->first_v] = false;
    }
}

static void find_goals(strike_problem *p)
{
    for (int i = 0; i < p->task.foot_count; ++i) {
        const atemi_site *site = atemi_model_site(p->model, p->task.feet[i]);
        p->goals[i] = atemi_posture_goal_default();
        p->goals[i].link = site->link;
        p->goals[i].frame = site->pose;
    }
    p->ik_options = atemi_inverse_kinematics_options_default();
    p->ik_options.moving = p->moving;
    p->ik_options.tolerance = 1e-12;
    p->ik_options.retries = 0;
}

// At the given posture, so that they are the same in all others.
static void find_rotors(strike_problem *p)
{
    const double steps = strike_blow_is_linear(p) ? 0.0 : 0.5 * p->blow_step;
    atemi_update_kinematics(p->base.data, p->task.q, NULL, NULL);
    atemi_update_factor(p->base.data, NULL);
    atemi_servo_rotors(p->model, &p->task.servo, fmax(usual_shortest_lag, steps),
                       &p->base.data->factor, p->tau, p->rotors);
}

static void take(strike_problem *p, atemi_arena *arena)
{
    const int n = atemi_model_v_count(p->model), hands = atemi_striking_point_hands(&p->task.point),
              rows = STRIKE_BODY_GOALS + 6 * (hands + p->task.foot_count);
    p->q = atemi_arena_array(arena, double, atemi_model_q_count(p->model));
    p->v = atemi_arena_array(arena, double, n);
    p->shares = strike_shares_take(arena, p->model);
    for (int i = 0; i < 2; ++i) {
        p->ways[i] = strike_way_take(arena, p->model, p->grid, p->q, p->v, p->shares);
    }
    p->knot_q = atemi_arena_array(arena, double, atemi_model_q_count(p->model));
    p->knot_v = atemi_arena_array(arena, double, n);
    p->knot_a = atemi_arena_array(arena, double, n);
    p->mean_v = atemi_arena_array(arena, double, n);
    p->node_v = atemi_arena_array(arena, double, n);
    p->speeds = atemi_arena_array(arena, strike_extremes, p->grid->knots * n);
    p->reduction = strike_reduction_take(arena, p->model, rows);
    p->leg_joints = atemi_arena_array(arena, int, atemi_model_joint_count(p->model));
    p->moving = atemi_arena_array(arena, bool, n);
    p->locked = atemi_arena_array(arena, bool, n);
    p->weights = atemi_arena_array(arena, double, n);
    p->rotors = atemi_arena_array(arena, double, n);
    p->doubt_q = atemi_arena_array(arena, double, atemi_model_q_count(p->model));
    p->doubt_v = atemi_arena_array(arena, double, n);
    p->tau = atemi_arena_array(arena, double, n);
    p->ik = atemi_inverse_kinematics_scratch_take(arena, p->model, ATEMI_STRIKE_MOST_FEET);
    p->rates = atemi_rate_goals_take(arena, p->model, rows);
    p->kinematics = atemi_kinematics_take(arena, p->model);
    p->base = atemi_virtual_base_take(arena, p->model);
    p->scratch = atemi_blow_scratch_take(arena, p->model);
    p->feet = strike_feet_take(arena, p->model, p->task.foot_count);
    p->stance = atemi_stance_scratch_take(arena, p->model);
    p->obstacle = strike_obstacle_take(arena, p->model, strike_obstacle_balls(&p->task));
    p->distances = atemi_arena_array(arena, double, p->obstacle.count * p->grid->knots);
}

static void take_constraints(strike_problem *p, atemi_arena *arena, int count, int parts)
{
    p->constraints = atemi_arena_array(arena, strike_constraint, count);
    p->found = atemi_arena_array(arena, double, count);
    p->parts = atemi_arena_array(arena, double, parts);
}

// Constraints are counted in a first evaluation at the start, and declared in a second one.
static atemi_status declare_constraints(strike_problem *p, atemi_error *error)
{
    double      start[ATEMI_STRIKE_MOST_VARIABLES] = {0};
    atemi_arena arena = atemi_arena_measuring();
    for (int i = 0; i < p->variable_count; ++i) {
        start[i] = p->variables[i].about.range.start;
    }
    strike_problem_evaluate(p, start);
    const int count = p->next, parts = p->next_part;
    take_constraints(p, &arena, count, parts);
    const atemi_status status = atemi_arena_create(&p->constraint_arena, arena.used, error);
    if (status) {
        return status;
    }
    take_constraints(p, &p->constraint_arena, count, parts);
    p->declares = true;
    strike_problem_evaluate(p, start);
    p->declares = false;
    p->constraint_count = count;
    p->part_count = parts;
    return ATEMI_OK;
}

atemi_status strike_problem_create(const atemi_strike_task *task, const strike_grid *grid,
                                   strike_problem *p, atemi_error *error)
{
    *p = (strike_problem){.task = *task, .model = task->model, .grid = grid};
    atemi_arena arena = atemi_arena_measuring();
    take(p, &arena);
    const atemi_status status = atemi_arena_create(&p->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(p, &p->arena);
    add_variables(p);
    find_legs(p);
    find_locked(p);
    find_goals(p);
    strike_find_blow_times(p);
    find_rotors(p);
    strike_obstacle_begin(&p->obstacle, &p->task);
    return declare_constraints(p, error);
}

void strike_problem_destroy(strike_problem *p)
{
    atemi_arena_destroy(&p->constraint_arena);
    atemi_arena_destroy(&p->arena);
}
