// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_joint_range.h"
#include "io/scenario/scenario_pick.h"
#include "jobs/strike/strike_scenario_parts.h"

#include <math.h>

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
    atemi_scenario_check_search(reader, mark, unit, range->start, range->lower, range->upper);
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
                        int joint, const char *name, const atemi_strike_range *range)
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
    } else {
        atemi_scenario_check_joint_search(reader, atemi_scenario_last(reader),
                                          atemi_model_joint(scenario->robot.model, joint),
                                          range->lower, range->upper);
    }
}

static void read_joints(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    const atemi_model *model = scenario->robot.model;
    atemi_strike_task *task = &scenario->task;
    atemi_scenario_enter_names(reader, "joints", 0, ATEMI_STRIKE_MAX_VARIABLES - 30,
                               "each [start, lower, upper], or [value]");
    while (atemi_scenario_next(reader)) {
        const char        *name = atemi_scenario_name(reader);
        atemi_strike_range range = {0.0, 0.0, 0.0};
        read_range(reader, NULL, "rad", "rad", &range);
        const int joint = atemi_scenario_pick(reader, atemi_scenario_joints(model), name);
        check_joint(reader, scenario, joint, name, &range);
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
    read_range(reader, "foot_about_x", "rad", "its Euler angles, Rz Ry Rx",
               &task->foot_rotation[0]);
    read_range(reader, "foot_about_y", "rad", "its Euler angles", &task->foot_rotation[1]);
    read_range(reader, "foot_about_z", "rad", "its Euler angles", &task->foot_rotation[2]);
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

void atemi_strike_read_decisions(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
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
