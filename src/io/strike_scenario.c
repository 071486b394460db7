// SPDX-License-Identifier: Apache-2.0

#include "io/strike_scenario.h"

#include "atemi/allocator.h"
#include "atemi/configuration.h"
#include "io/scenario_failure.h"
#include "io/scenario_joint_list.h"
#include "io/scenario_pick.h"

#include <math.h>
#include <string.h>

// ---- The robot

// The key, as it was read.
static atemi_scenario_mark find_mark(const atemi_scenario_reader *reader, const char *key)
{
    int                       count;
    const atemi_scenario_row *rows = atemi_scenario_rows(reader, &count);
    int                       i = 0;
    while (i + 1 < count && !(rows[i].depth == 0 && rows[i].key && strcmp(rows[i].key, key) == 0)) {
        ++i;
    }
    return rows[i].mark;
}

static void check_base(atemi_scenario_reader *reader, const atemi_model *model)
{
    if (model && atemi_model_base(model) != ATEMI_BASE_FLOATING) {
        atemi_scenario_fail(reader, find_mark(reader, "base"),
                            "the robot's base is %s, and a strike needs a robot that stands on its "
                            "feet; give base: floating",
                            atemi_base_text(atemi_model_base(model)));
    }
}

static void read_posture(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    const atemi_model *model = scenario->robot.model;
    if (model) {
        scenario->q =
            (double *)atemi_scenario_allocate(reader, sizeof(double), atemi_model_q_count(model));
    }
    if (scenario->q) {
        atemi_configuration_neutral(model, scenario->q);
    }
    if (!atemi_scenario_enter(reader, "start", ATEMI_DEFAULTED, "joints that are not decided")) {
        return;
    }
    const char *name = atemi_scenario_string(reader, "posture",
                                             (atemi_string_key){.help = "of the robot, by name"});
    const int   index = atemi_scenario_pick(reader, atemi_scenario_postures(model), name);
    if (index >= 0 && scenario->q) {
        memcpy(scenario->q, atemi_model_posture(model, index),
               (size_t)atemi_model_q_count(model) * sizeof *scenario->q);
    }
    atemi_scenario_read_joint_positions(
        reader, "joints", (atemi_number_key){.unit = "rad", .help = "in place of the posture's"},
        false, model, scenario->q);
    atemi_scenario_leave(reader);
}

static void check_foot(atemi_scenario_reader *reader, const atemi_strike_scenario *scenario,
                       int site)
{
    const atemi_site *about = atemi_model_site(scenario->robot.model, site);
    if (!(about->size_x > 0.0 && about->size_y > 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the site '%s' has no area, so nothing can stand on it; give its size "
                            "in the URDF, or another site",
                            about->name);
    }
    for (int i = 0; i < scenario->task.foot_count; ++i) {
        if (scenario->feet[i] == site) {
            atemi_scenario_fail(reader, atemi_scenario_last(reader),
                                "the site '%s' stands there twice; give each foot once",
                                about->name);
        }
    }
}

static void read_feet(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    const atemi_model *model = scenario->robot.model;
    atemi_scenario_enter_list(reader, "feet", 1, ATEMI_STRIKE_MOST_FEET,
                              "sites that stand on the floor; the first at the world's origin");
    while (atemi_scenario_next(reader)) {
        const char *name =
            atemi_scenario_string(reader, NULL, (atemi_string_key){.required = true});
        const int site = atemi_scenario_pick(reader, atemi_scenario_sites(model), name);
        if (site >= 0) {
            check_foot(reader, scenario, site);
            scenario->feet[scenario->task.foot_count++] = site;
        }
    }
}

// ---- What is decided

// [start, lower, upper], or [value] that stays.
static void read_range(atemi_scenario_reader *reader, const char *key, const char *unit,
                       const char *help, atemi_strike_range *range)
{
    double                  values[3] = {range->start, range->lower, range->upper};
    const atemi_numbers_key list = {.each = {.unit = unit,
                                             .lower = -INFINITY,
                                             .upper = INFINITY,
                                             .infinite = true,
                                             .help = help},
                                    .least = 1,
                                    .most = 3,
                                    .fallback_count = range->lower < range->upper ? 3 : 1};
    int                     count = 1;
    if (key && atemi_scenario_look(reader, key) == ATEMI_SCENARIO_VALUE) {
        values[0] =
            atemi_scenario_number(reader, key, (atemi_number_key){.unit = unit, .help = help});
    } else {
        count = atemi_scenario_numbers(reader, key, list, values);
    }
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    *range = (atemi_strike_range){values[0], values[0], values[0]};
    if (count == 2) {
        atemi_scenario_fail(reader, mark, "has two numbers; give [start, lower, upper], or one");
    } else if (count == 3) {
        *range = (atemi_strike_range){values[0], values[1], values[2]};
    }
    if (!isfinite(range->start) || range->lower > range->upper) {
        atemi_scenario_fail(reader, mark,
                            "the range from %g to %g with the start %g is empty; give [start, "
                            "lower, upper] with lower <= upper and a finite start",
                            range->lower, range->upper, range->start);
    }
}

// Whether a joint is between the base and a foot.
static bool is_of_leg(const atemi_strike_scenario *scenario, int joint)
{
    const atemi_model *model = scenario->robot.model;
    bool               found = false;
    for (int i = 0; i < scenario->task.foot_count; ++i) {
        int above =
            atemi_model_link(model, atemi_model_site(model, scenario->feet[i])->link)->parent_joint;
        while (above != ATEMI_NONE) {
            found = found || above == joint;
            above =
                atemi_model_link(model, atemi_model_joint(model, above)->parent_link)->parent_joint;
        }
    }
    return found;
}

static void check_joint(atemi_scenario_reader *reader, const atemi_strike_scenario *scenario,
                        int joint, const char *name)
{
    if (joint < 0) {
        return; // told already
    }
    if (atemi_model_joint(scenario->robot.model, joint)->q_count != 1) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the joint '%s' has not one coordinate; leave it out", name);
    } else if (is_of_leg(scenario, joint)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the joint '%s' is part of a leg, which is moved to where its foot "
                            "stands; leave it out, and decide the place of the foot",
                            name);
    }
}

static void read_joints(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    const atemi_model *model = scenario->robot.model;
    atemi_strike_task *task = &scenario->task;
    atemi_scenario_enter_names(reader, "joints", 0, ATEMI_STRIKE_MOST_VARIABLES - 30,
                               "each [start, lower, upper], or [value]");
    while (atemi_scenario_next(reader)) {
        const char        *name = atemi_scenario_name(reader);
        atemi_strike_range range = {0.0, 0.0, 0.0};
        read_range(reader, NULL, "rad", "rad", &range);
        const int joint = atemi_scenario_pick(reader, atemi_scenario_joints(model), name);
        check_joint(reader, scenario, joint, name);
        scenario->joints[task->joint_count] = joint;
        scenario->joint_ranges[task->joint_count++] = range;
    }
}

// Where a foot stands beside the first one. Without that foot the key is not asked for, so that an
// explanation does not have it.
static void read_stance(atemi_scenario_reader *reader, const char *key, int foot,
                        const atemi_strike_task *task, atemi_strike_range *range)
{
    const bool is_given = atemi_scenario_look(reader, key) != ATEMI_SCENARIO_ABSENT;
    const bool is_there = foot < task->foot_count || atemi_scenario_is_blank(reader);
    if (is_given || is_there) {
        read_range(reader, key, "m", "beside the first", range);
    }
    if (!is_there && is_given) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "there is no such foot, feet names %d; leave it out, or add a site to "
                            "feet",
                            task->foot_count);
    }
}

static void read_feet_ranges(atemi_scenario_reader *reader, atemi_strike_task *task)
{
    read_range(reader, "foot_x", "m", "first foot in the base's frame", &task->foot_position[0]);
    read_range(reader, "foot_y", "m", "first foot in the base's frame", &task->foot_position[1]);
    read_range(reader, "foot_z", "m", "first foot in the base's frame", &task->foot_position[2]);
    read_range(reader, "foot_about_x", "rad", "its Euler angles, Rz Ry Rx", &task->foot_turn[0]);
    read_range(reader, "foot_about_y", "rad", "its Euler angles", &task->foot_turn[1]);
    read_range(reader, "foot_about_z", "rad", "its Euler angles", &task->foot_turn[2]);
    read_stance(reader, "second_foot_x", 1, task, &task->stance[0][0]);
    read_stance(reader, "second_foot_y", 1, task, &task->stance[0][1]);
    read_stance(reader, "third_foot_x", 2, task, &task->stance[1][0]);
    read_stance(reader, "third_foot_y", 2, task, &task->stance[1][1]);
    read_stance(reader, "fourth_foot_x", 3, task, &task->stance[2][0]);
    read_stance(reader, "fourth_foot_y", 3, task, &task->stance[2][1]);
}

static void read_time(atemi_scenario_reader *reader, const char *key, const char *help,
                      atemi_strike_range *range)
{
    read_range(reader, key, "s", help, range);
    if (!(range->lower > 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "a phase of %g s is too short; give times above 0 s, such as 0.7 s",
                            range->lower);
    }
}

static void read_motion_ranges(atemi_scenario_reader *reader, atemi_strike_task *task)
{
    read_range(reader, "speed", "m/s", "of the hand", &task->speed);
    read_range(reader, "momentum_z", "N s", "P_z of the robot", &task->lift);
    read_range(reader, "angular_x", "N m s", "L_x about the first foot", &task->roll);
    read_range(reader, "angular_y", "N m s", "L_y about the first foot", &task->pitch);
    read_range(reader, "com_x", "m/s", "velocity of the centre of mass", &task->com_x);
    read_range(reader, "com_y", "m/s", "velocity of the centre of mass", &task->com_y);
    read_time(reader, "hand_before", "in which the hand gathers speed", &task->hand_rise);
    read_time(reader, "hand_after", "in which it slows down", &task->hand_fall);
    read_time(reader, "body_before", "in which all else does", &task->body_rise);
    read_time(reader, "body_after", "in which all else slows down", &task->body_fall);
}

static void read_decisions(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    if (atemi_scenario_enter(reader, "decide", ATEMI_REQUIRED,
                             "what is decided, each [start, lower, upper]")) {
        scenario->mark = atemi_scenario_last(reader);
        read_feet_ranges(reader, &scenario->task);
        read_joints(reader, scenario);
        read_motion_ranges(reader, &scenario->task);
        atemi_scenario_leave(reader);
    }
}

// ---- Objective and constraints

static void read_number(atemi_scenario_reader *reader, const char *key, const char *unit,
                        const char *help, double *value)
{
    *value = atemi_scenario_number(reader, key,
                                   (atemi_number_key){.unit = unit,
                                                      .fallback = *value,
                                                      .lower = 0.0,
                                                      .upper = INFINITY,
                                                      .infinite = true,
                                                      .help = help});
}

static void read_objective(atemi_scenario_reader *reader, atemi_strike_task *task)
{
    if (!atemi_scenario_enter(reader, "objective", ATEMI_DEFAULTED, "weights, to be maximized")) {
        return;
    }
    read_number(reader, "peak_force", NULL, "1/N", &task->peak_weight);
    read_number(reader, "impulse", NULL, "1/(N s)", &task->impulse_weight);
    if (!(task->peak_weight + task->impulse_weight > 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the objective has no weight; give one to peak_force or impulse");
    }
    atemi_scenario_leave(reader);
}

static void read_axes(atemi_scenario_reader *reader, double tolerance, atemi_strike_hit *hit)
{
    static const char *const axes[3] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
        hit->place[i] = atemi_scenario_number(reader, axes[i],
                                              (atemi_number_key){.unit = "m",
                                                                 .fallback = INFINITY,
                                                                 .lower = -INFINITY,
                                                                 .upper = INFINITY,
                                                                 .infinite = true,
                                                                 .help = "inf: anywhere"});
        hit->tolerance[i] = isfinite(hit->place[i]) ? tolerance : (double)INFINITY;
    }
}

// Without a second hand the key is not asked for, so that an explanation does not have it.
static void read_other_hit(atemi_scenario_reader *reader, const atemi_scenario_hand *hand,
                           double tolerance, atemi_strike_hit *hit)
{
    const bool is_given = atemi_scenario_look(reader, "with") != ATEMI_SCENARIO_ABSENT;
    const bool is_there = hand->point.more > 0;
    if ((is_given || is_there) &&
        atemi_scenario_enter(reader, "with", ATEMI_DEFAULTED, "where the second hand hits")) {
        const atemi_scenario_mark mark = atemi_scenario_last(reader);
        read_axes(reader, tolerance, hit);
        atemi_scenario_leave(reader);
        if (!is_there) {
            atemi_scenario_fail(reader, mark,
                                "there is no second hand; leave it out, or give hand.with");
        }
    }
}

static void read_hits(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    double tolerance = 0.01;
    if (!atemi_scenario_enter(reader, "hit", ATEMI_DEFAULTED,
                              "where, in the world of the first foot")) {
        return;
    }
    read_number(reader, "tolerance", "m", "either way", &tolerance);
    read_axes(reader, tolerance, &scenario->task.hits[0]);
    read_other_hit(reader, &scenario->hand, tolerance, &scenario->task.hits[1]);
    atemi_scenario_leave(reader);
}

static void read_constraints(atemi_scenario_reader *reader, atemi_strike_task *task)
{
    if (!atemi_scenario_enter(reader, "constraints", ATEMI_DEFAULTED, "[STRIKE] eq. 14 and more")) {
        return;
    }
    read_number(reader, "aim", NULL, "least cosine of hand and direction", &task->aim);
    read_number(reader, "lead", "m", "of one of two hands before the other", &task->lead);
    read_number(reader, "side_speed", "m/s", "of the hand across", &task->side_speed);
    read_number(reader, "turn_rate", "rad/s", "of the hand", &task->turn_rate);
    read_number(reader, "foot_error", "m", "of feet out of reach", &task->foot_error);
    read_number(reader, "impact_margin", "m", "of the ZMP in the blow", &task->impact_margin);
    read_number(reader, "motion_margin", "m", "before and after it", &task->motion_margin);
    read_number(reader, "joint_margin", "rad", "of the legs' ranges", &task->joint_margin);
    read_number(reader, "travel_margin", "rad", "of all ranges on the way", &task->travel_margin);
    read_number(reader, "leg_speed", NULL, "part of the legs' limits", &task->leg_speed);
    read_number(reader, "other_speed", NULL, "part of the others' limits", &task->other_speed);
    read_number(reader, "momentum_side", "N s", "|P_x|, |P_y|", &task->momentum_side);
    read_number(reader, "spin", "N m s", "|L_z|", &task->spin);
    read_number(reader, "torque_part", NULL, "of the limits on the way; inf: no matter",
                &task->torque_part);
    read_number(reader, "travel_friction", NULL, "of the floor on the way; inf: no matter",
                &task->travel_friction);
    read_number(reader, "friction", NULL, "of the floor in the blow; inf: no matter",
                &task->friction);
    read_number(reader, "edge_margin", "m", "under each foot in the blow", &task->edge_margin);
    atemi_scenario_leave(reader);
}

static void read_doubt(atemi_scenario_reader *reader, atemi_strike_doubt *doubt)
{
    if (!atemi_scenario_enter(reader, "doubt", ATEMI_DEFAULTED,
                              "how far off things may be; the blow stands it all the same")) {
        return;
    }
    read_number(reader, "distance", "m", "of the target, nearer or farther", &doubt->distance);
    read_number(reader, "mass", NULL, "of the target, a part of it, either way", &doubt->mass);
    read_number(reader, "friction", NULL, "of the floor in the blow, less", &doubt->friction);
    atemi_scenario_leave(reader);
}

static void read_search(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    const atemi_strike_options usual = atemi_strike_options_default();
    if (!atemi_scenario_enter(reader, "search", ATEMI_DEFAULTED, "how the best is looked for")) {
        return;
    }
    scenario->starts = atemi_scenario_integer(
        reader, "starts",
        (atemi_integer_key){.fallback = usual.starts, .lower = 1, .upper = 10000, .help = "tries"});
    scenario->seed = atemi_scenario_integer(
        reader, "seed",
        (atemi_integer_key){.fallback = 1, .lower = 0, .upper = 1000000, .help = "of the others"});
    scenario->iterations = atemi_scenario_integer(
        reader, "iterations",
        (atemi_integer_key){
            .fallback = usual.iterations, .lower = 1, .upper = 100000, .help = "of one search"});
    atemi_scenario_leave(reader);
}

static void read_verification(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    scenario->friction = 0.8;
    scenario->verify = true;
    scenario->rounds = 1;
    scenario->step = 1e-3;
    if (!atemi_scenario_enter(reader, "verify", ATEMI_DEFAULTED, "the motion by full dynamics")) {
        return;
    }
    scenario->verify = atemi_scenario_boolean(
        reader, "run", (atemi_boolean_key){.fallback = true, .help = "simulate it"});
    read_number(reader, "friction", NULL, "of the floor", &scenario->friction);
    scenario->rounds = atemi_scenario_integer(
        reader, "rounds",
        (atemi_integer_key){.fallback = 5,
                            .lower = 1,
                            .upper = 100,
                            .help = "plans again with more room where feet lift or slip"});
    atemi_scenario_leave(reader);
    scenario->step =
        atemi_scenario_number(reader, "control_step",
                              (atemi_number_key){.unit = "s",
                                                 .fallback = 1e-3,
                                                 .lower = 1e-4,
                                                 .upper = 0.05,
                                                 .help = "between rows of the motion"});
}

// ---- All of it

static void refer(atemi_strike_scenario *scenario)
{
    atemi_strike_task *task = &scenario->task;
    task->model = scenario->robot.model;
    task->q = scenario->q;
    task->feet = scenario->feet;
    task->joints = scenario->joints;
    task->joint_ranges = scenario->joint_ranges;
    task->point = scenario->hand.point;
    memcpy(task->axes, scenario->hand.axes, sizeof task->axes);
    task->surface = atemi_scenario_blow_surface(&scenario->target);
    task->target = atemi_scenario_blow_target(&scenario->target);
    if (task->model) {
        task->servo = atemi_scenario_blow_servo(&scenario->servo, task->model);
    }
}

// All but the robot.
static atemi_status read_rest(atemi_scenario_reader *reader, atemi_strike_scenario *scenario,
                              atemi_error *error)
{
    check_base(reader, scenario->robot.model);
    read_posture(reader, scenario);
    read_feet(reader, scenario);
    atemi_scenario_read_hand(reader, scenario->robot.model, ATEMI_HAND_AXIS, &scenario->hand);
    read_hits(reader, scenario);
    atemi_scenario_read_target(reader, &scenario->target);
    atemi_scenario_read_servo(reader, scenario->robot.model, &scenario->servo);
    read_decisions(reader, scenario);
    read_objective(reader, &scenario->task);
    read_constraints(reader, &scenario->task);
    read_doubt(reader, &scenario->task.doubt);
    read_search(reader, scenario);
    read_verification(reader, scenario);
    const atemi_status status = atemi_scenario_finish(reader, error);
    if (!status) {
        refer(scenario);
    }
    return status;
}

static void begin(atemi_strike_scenario *scenario)
{
    memset(scenario, 0, sizeof *scenario);
    scenario->task = atemi_strike_task_default();
}

atemi_status atemi_strike_scenario_read(atemi_scenario_reader *reader, const char *file,
                                        atemi_strike_scenario *scenario, atemi_error *error)
{
    begin(scenario);
    atemi_scenario_read_robot(reader, file, &scenario->robot);
    return read_rest(reader, scenario, error);
}

atemi_status atemi_strike_scenario_read_recorded(atemi_scenario_reader *reader, const char *urdf,
                                                 size_t size, atemi_strike_scenario *scenario,
                                                 atemi_error *error)
{
    begin(scenario);
    atemi_scenario_read_recorded_robot(reader, urdf, size, &scenario->robot);
    return read_rest(reader, scenario, error);
}

void atemi_strike_scenario_destroy(atemi_strike_scenario *scenario)
{
    atemi_scenario_servo_destroy(&scenario->servo);
    atemi_scenario_robot_destroy(&scenario->robot);
    atemi_release(scenario->q);
}
