// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_scenario.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"
#include "jobs/walk/walk_robot.h"
#include "walk/walking_options.h"

#include <math.h>
#include <string.h>

enum { MAX_PATCHES = 1000, MAX_STEPS = 1000000 };

// ---- The floor ------------------------------------------------------------------------------

static double read_friction(atemi_scenario_reader *reader, double fallback, bool required,
                            const char *help)
{
    return atemi_scenario_number(reader, "friction",
                                 (atemi_number_key){.fallback = fallback,
                                                    .lower = 0.0,
                                                    .upper = 10.0,
                                                    .reason = "no sole has more",
                                                    .required = required,
                                                    .help = help});
}

// Both 0: as wide as the floor.
static void read_width(atemi_scenario_reader *reader, atemi_floor_patch *patch)
{
    patch->right = atemi_scenario_number(
        reader, "right",
        (atemi_number_key){.unit = "m",
                           .help = "y, base: floating; without it and left: as wide "
                                   "as the floor"});
    patch->left = atemi_scenario_number(
        reader, "left", (atemi_number_key){.unit = "m", .help = "y, base: floating"});
    if (patch->left < patch->right || (patch->left == patch->right && patch->left != 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "%g m is not left of right, %g m: y grows to the left", patch->left,
                            patch->right);
    }
}

static void read_patch(atemi_scenario_reader *reader, bool floats, atemi_floor_patch *patch)
{
    patch->from = atemi_scenario_number(
        reader, "from", (atemi_number_key){.unit = "m", .required = true, .help = "x"});
    const atemi_scenario_mark from = atemi_scenario_last(reader);
    patch->to = atemi_scenario_number(
        reader, "to", (atemi_number_key){.unit = "m", .required = true, .help = "x"});
    atemi_scenario_check_order(reader, from, patch->from, atemi_scenario_last(reader), patch->to,
                               "m", "place");
    if (floats || atemi_scenario_is_blank(reader)) {
        read_width(reader, patch);
    }
    patch->friction = read_friction(reader, 0.0, true, "static and kinetic");
}

static void read_floor(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    s->task.friction = read_friction(reader, s->task.friction, false, "of the floor");
    s->biped.friction = s->task.friction;
    const int count = atemi_scenario_enter_list(reader, "patches", 0, MAX_PATCHES,
                                                "of the floor with another friction; later ones "
                                                "lie on earlier ones");
    s->patches = (atemi_floor_patch *)atemi_scenario_allocate(reader, sizeof *s->patches, count);
    while (atemi_scenario_next(reader)) {
        read_patch(reader, s->floats, &s->patches[s->task.patch_count++]);
    }
    s->task.patches = s->biped.patches = s->patches;
    s->biped.patch_count = s->task.patch_count;
}

// ---- Forces ---------------------------------------------------------------------------------

static void check_force(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                        const atemi_timed_force *force, int index)
{
    if (force->wrench.linear.y != 0.0 || atemi_vec3_norm(force->wrench.angular) != 0.0) {
        atemi_scenario_fail(
            reader, mark,
            "force %d has a component along y, or an offset; a walk is in the plane of "
            "x and z, and forces act at the links' origins: leave both out",
            index);
    }
}

static void read_forces(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    atemi_scenario_read_forces(reader, s->robot.model, &s->forces);
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    for (int i = 0; i < s->forces.count && !s->floats; ++i) {
        check_force(reader, mark, &s->forces.forces[i], i);
    }
    s->task.forces = s->biped.forces = s->forces.forces;
    s->task.force_count = s->biped.force_count = s->forces.count;
}

// ---- The gait -------------------------------------------------------------------------------

// Steps that it strives for and may not make: one of the two is a mistake.
static void check_steps(atemi_scenario_reader *reader, const atemi_walking_options *options,
                        atemi_scenario_mark length, atemi_scenario_mark longest)
{
    if (options->step_length > options->longest_step) {
        atemi_scenario_fail(reader,
                            atemi_scenario_is_given(reader, "step_length") ? length : longest,
                            "a step_length of %s is beyond the longest_step, %s; give a "
                            "shorter step_length, or a longer longest_step",
                            atemi_scenario_written(reader, length, options->step_length, "m"),
                            atemi_scenario_written(reader, longest, options->longest_step, "m"));
    }
}

static atemi_scenario_mark read_option(atemi_scenario_reader      *reader,
                                       const atemi_walking_option *option,
                                       atemi_walking_options      *options)
{
    const double value = atemi_scenario_number(
        reader, option->name,
        (atemi_number_key){.unit = option->unit,
                           .fallback = atemi_walking_option_get(option, options),
                           .lower = option->low,
                           .upper = option->high,
                           .reason = option->reason,
                           .help = option->help});
    atemi_walking_option_set(option, value, options);
    return atemi_scenario_last(reader);
}

static atemi_scenario_mark read_gait(atemi_scenario_reader *reader, atemi_walking_options *options)
{
    int                         count;
    const atemi_walking_option *list = atemi_walking_options_list(&count);
    atemi_scenario_mark         mark = atemi_scenario_last(reader);
    atemi_scenario_mark         length = mark, longest = mark;
    if (atemi_scenario_enter(reader, "gait", ATEMI_DEFAULTED, "the controller's gains")) {
        mark = atemi_scenario_last(reader);
        for (int i = 0; i < count; ++i) {
            const atemi_scenario_mark option = read_option(reader, &list[i], options);
            length = strcmp(list[i].name, "step_length") == 0 ? option : length;
            longest = strcmp(list[i].name, "longest_step") == 0 ? option : longest;
        }
        check_steps(reader, options, length, longest);
        atemi_scenario_leave(reader);
    }
    return mark;
}

// What no single key can tell.
static void check_body(atemi_scenario_reader *reader, atemi_scenario_mark robot,
                       atemi_scenario_mark gait, const atemi_walk_scenario *s)
{
    atemi_walking_body body;
    atemi_error        error;
    if (!s->robot.model || atemi_scenario_failed(reader)) {
        return;
    }
    if (atemi_walking_body_find(s->robot.model, &body, &error)) {
        atemi_scenario_adopt(reader, robot, &error);
    } else if (atemi_walking_options_check(&s->task.controller, &body, &error)) {
        atemi_scenario_adopt(reader, gait, &error);
    }
}

// ---- How far --------------------------------------------------------------------------------

static void read_end(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    const bool by_steps = atemi_scenario_look(reader, "distance") == ATEMI_SCENARIO_ABSENT;
    s->task.steps =
        atemi_scenario_integer(reader, "steps",
                               (atemi_integer_key){.fallback = by_steps ? 100 : MAX_STEPS,
                                                   .lower = 1,
                                                   .upper = MAX_STEPS,
                                                   .help = "to walk, at most"});
    s->distance = atemi_scenario_number(reader, "distance",
                                        (atemi_number_key){.unit = "m",
                                                           .fallback = INFINITY,
                                                           .lower = 0.0,
                                                           .upper = INFINITY,
                                                           .open = true,
                                                           .infinite = true,
                                                           .help = "to walk, at most"});
    s->task.step = atemi_scenario_number(
        reader, "integration_step",
        (atemi_number_key){.unit = "s",
                           .fallback = s->floats ? s->biped.step : s->task.step,
                           .lower = 1e-6,
                           .upper = 0.02,
                           .reason = "longer ones miss contacts",
                           .help = "of the simulation"});
    s->biped.steps = s->task.steps;
    s->biped.step = s->task.step;
    s->every = 8e-3;
    if (atemi_scenario_enter(reader, "record", ATEMI_DEFAULTED, "what is written down")) {
        s->every = atemi_scenario_number(reader, "every",
                                         (atemi_number_key){.unit = "s",
                                                            .fallback = s->every,
                                                            .lower = 1e-4,
                                                            .upper = INFINITY,
                                                            .infinite = true,
                                                            .help = "one row"});
        atemi_scenario_leave(reader);
    }
}

// ---- All of it ------------------------------------------------------------------------------

atemi_status atemi_walk_scenario_read(atemi_scenario_reader *reader, const char *file,
                                      atemi_walk_scenario *scenario, atemi_error *error)
{
    atemi_scenario_mark robot;
    *scenario = (atemi_walk_scenario){.task = atemi_walk_task_default(),
                                      .biped = atemi_biped_task_default()};
    scenario->floats = atemi_walk_read_robot(reader, file, &scenario->robot, &robot);
    read_floor(reader, scenario);
    read_end(reader, scenario);
    read_forces(reader, scenario);
    if (scenario->floats || atemi_scenario_is_blank(reader)) {
        atemi_biped_scenario_read(reader, scenario);
    }
    if (!scenario->floats) {
        const atemi_scenario_mark gait = read_gait(reader, &scenario->task.controller);
        check_body(reader, robot, gait, scenario);
    }
    return atemi_scenario_finish(reader, error);
}

void atemi_walk_scenario_destroy(atemi_walk_scenario *scenario)
{
    atemi_scenario_forces_destroy(&scenario->forces);
    atemi_release(scenario->patches);
    atemi_release(scenario->orders);
    atemi_release(scenario->order_marks);
    atemi_release(scenario->footsteps);
    atemi_release(scenario->footstep_marks);
    atemi_release(scenario->efforts);
    atemi_model_destroy(scenario->believed);
    atemi_scenario_surfaces_destroy(&scenario->surfaces);
    atemi_scenario_robot_destroy(&scenario->robot);
}
