// SPDX-License-Identifier: Apache-2.0

#include "jobs/strike/strike_scenario.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "atemi/strike_doubt.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_joint_list.h"
#include "io/scenario/scenario_pick.h"
#include "jobs/strike/strike_scenario_parts.h"

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
    atemi_scenario_read_joint_positions(
        reader, "slides", (atemi_number_key){.unit = "m", .help = "of joints that slide"}, true,
        model, scenario->q);
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
                                "the site '%s' is listed twice; give each foot once", about->name);
        }
    }
}

static void read_feet(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    const atemi_model *model = scenario->robot.model;
    atemi_scenario_enter_list(reader, "feet", 1, ATEMI_STRIKE_MAX_FEET,
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

// ---- Search and verification

static void read_search(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    const atemi_strike_options usual = atemi_strike_options_default();
    if (!atemi_scenario_enter(reader, "search", ATEMI_DEFAULTED, "how the best is looked for")) {
        return;
    }
    scenario->starts = atemi_scenario_integer(
        reader, "starts",
        (atemi_integer_key){.fallback = usual.starts,
                            .lower = 1,
                            .upper = ATEMI_STRIKE_MAX_STARTS,
                            .help = "decide's own, then others spread over the ranges"});
    scenario->patience = atemi_scenario_integer(
        reader, "patience",
        (atemi_integer_key){.fallback = usual.patience,
                            .lower = 0,
                            .upper = ATEMI_STRIKE_MAX_STARTS,
                            .help = "random hops from the best in a row that find nothing better "
                                    "before the search ends"});
    scenario->seed =
        atemi_scenario_integer(reader, "seed",
                               (atemi_integer_key){.fallback = 1,
                                                   .lower = 0,
                                                   .upper = 1000000,
                                                   .help = "of the other starts and of the hops"});
    scenario->searches =
        atemi_scenario_integer(reader, "searches",
                               (atemi_integer_key){.fallback = usual.searches,
                                                   .lower = 0,
                                                   .upper = 1000000,
                                                   .help = "at most, of one plan; 0: any number"});
    scenario->iterations = atemi_scenario_integer(
        reader, "iterations",
        (atemi_integer_key){
            .fallback = usual.iterations, .lower = 1, .upper = 100000, .help = "of one search"});
    scenario->threads = atemi_scenario_integer(
        reader, "threads",
        (atemi_integer_key){.fallback = usual.threads,
                            .lower = 0,
                            .upper = 1000,
                            .help = "that search at the same time, at most 4; 0: the processors; "
                                    "any number finds the same"});
    scenario->budget = atemi_scenario_number(
        reader, "budget",
        (atemi_number_key){.unit = "s",
                           .fallback = usual.budget,
                           .lower = 0.0,
                           .upper = INFINITY,
                           .open = true,
                           .infinite = true,
                           .help = "after which the search ends with what there is; what that is "
                                   "depends on the machine"});
    atemi_scenario_leave(reader);
}

static void read_draws(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    const atemi_strike_draw_options usual = atemi_strike_draw_options_default();
    scenario->draws = atemi_scenario_integer(
        reader, "draws",
        (atemi_integer_key){.fallback = usual.draws,
                            .lower = 0,
                            .upper = 10000000,
                            .help =
                                "random cases of what is in doubt, by the estimate of the blow; "
                                "search.seed draws them"});
    scenario->full_draws = atemi_scenario_integer(
        reader, "full_draws",
        (atemi_integer_key){.fallback = usual.full,
                            .lower = 0,
                            .upper = 10000000,
                            .help = "the first of them, by full dynamics as well"});
}

static void read_verification(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    scenario->friction = 0.8;
    scenario->verify = true;
    scenario->attempts = 1;
    scenario->step = 1e-3;
    if (!atemi_scenario_enter(reader, "verify", ATEMI_DEFAULTED, "the motion by full dynamics")) {
        return;
    }
    scenario->verify = atemi_scenario_boolean(
        reader, "run", (atemi_boolean_key){.fallback = true, .help = "simulate it"});
    scenario->friction = atemi_scenario_number(reader, "friction",
                                               (atemi_number_key){.fallback = scenario->friction,
                                                                  .lower = 0.0,
                                                                  .upper = INFINITY,
                                                                  .infinite = true,
                                                                  .help = "of the floor"});
    atemi_scenario_alias(reader, "attempts", "rounds");
    scenario->attempts = atemi_scenario_integer(
        reader, "attempts",
        (atemi_integer_key){.fallback = 5,
                            .lower = 1,
                            .upper = 100,
                            .help = "plans again with more margin if feet lift or slip"});
    read_draws(reader, scenario);
    atemi_scenario_leave(reader);
    scenario->step =
        atemi_scenario_number(reader, "control_step",
                              (atemi_number_key){.unit = "s",
                                                 .fallback = 1e-3,
                                                 .lower = 1e-4,
                                                 .upper = 0.05,
                                                 .reason = "no robot is commanded otherwise",
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
    task->target_width = atemi_scenario_target_width(task->target.mass);
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
    atemi_strike_read_hits(reader, scenario);
    atemi_scenario_read_target(reader, &scenario->target);
    atemi_scenario_read_servo(reader, scenario->robot.model, &scenario->servo);
    atemi_strike_read_decisions(reader, scenario);
    atemi_strike_read_demands(reader, &scenario->task);
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
