// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_scenario.h"

#include "atemi/recording.h"
#include "io/scenario/scenario_warning.h"
#include "jobs/simulate/simulate_columns.h"

#include <math.h>

static void read_method(atemi_scenario_reader *reader, atemi_simulation_options *options)
{
    static const char *const methods[] = {"events", "steps", NULL};
    options->method = (atemi_simulation_method)atemi_scenario_choice(
        reader, "method",
        (atemi_choice_key){.words = methods,
                           .help = "events located in time, exact; or fixed steps, fast"});
}

static void read_joints(atemi_scenario_reader *reader, atemi_simulation_options *options)
{
    options->joint_friction = atemi_scenario_boolean(
        reader, "joint_friction",
        (atemi_boolean_key){.fallback = true, .help = "the robot's own friction and damping act"});
    options->joint_stops = atemi_scenario_boolean(
        reader, "joint_stops",
        (atemi_boolean_key){.fallback = true, .help = "joints stop at their limits"});
    options->stop_restitution = atemi_scenario_number(
        reader, "stop_restitution",
        (atemi_number_key){.lower = 0.0,
                           .upper = 1.0,
                           .reason = "more makes energy",
                           .help = "velocity after a joint's stop, of that before"});
}

static void read_integrator(atemi_scenario_reader *reader, atemi_simulation_options *options)
{
    static const char *const methods[] = {"rk4", "adaptive", NULL};
    if (!atemi_scenario_enter(reader, "integrator", ATEMI_DEFAULTED, "time integration")) {
        return;
    }
    options->integrator = (atemi_integrator)atemi_scenario_choice(
        reader, "method",
        (atemi_choice_key){.words = methods, .help = "a fixed step, or one by error control"});
    options->step = atemi_scenario_number(reader, "step",
                                          (atemi_number_key){.unit = "s",
                                                             .fallback = options->step,
                                                             .lower = 1e-7,
                                                             .upper = 1.0,
                                                             .reason = "shorter ones round, longer "
                                                                       "ones miss contacts",
                                                             .help = "of rk4 and of the method "
                                                                     "steps; the longest one of "
                                                                     "adaptive"});
    options->tolerance = atemi_scenario_number(
        reader, "tolerance",
        (atemi_number_key){.fallback = options->tolerance,
                           .lower = 1e-14,
                           .upper = 1e-1,
                           .reason = "rounding, and errors that show",
                           .help = "of adaptive: relative, and in m, rad, m/s"});
    if (options->method == ATEMI_METHOD_STEPS) {
        atemi_scenario_warn_if_given(reader, "method", "it is of the method events only");
    }
    if (options->integrator != ATEMI_INTEGRATOR_ADAPTIVE) {
        atemi_scenario_warn_if_given(reader, "tolerance", "it is of the method adaptive only");
    }
    options->slowest_bounce = atemi_scenario_number(
        reader, "slowest_bounce",
        (atemi_number_key){.unit = "m/s",
                           .fallback = options->slowest_bounce,
                           .lower = 0.0,
                           .upper = INFINITY,
                           .help = "slower than this, points do not bounce but stay"});
    atemi_scenario_leave(reader);
}

// A recording has an end, which is better told before a long simulation.
static void check_size(atemi_scenario_reader *reader, const atemi_simulate_scenario *scenario,
                       atemi_scenario_mark mark)
{
    if (!scenario->robot.model || atemi_scenario_failed(reader)) {
        return;
    }
    const int columns = atemi_simulate_columns_count(scenario), most = ATEMI_RECORDING_MAX_VALUES;
    const double rows = scenario->duration / scenario->every + 1.0;
    if (columns > ATEMI_RECORDING_MAX_CHANNELS) {
        atemi_scenario_fail(reader, mark,
                            "there would be %d columns, and a recording has at most %d; give "
                            "record.wrenches: false, or fewer contacts",
                            columns, ATEMI_RECORDING_MAX_CHANNELS);
    } else if (rows * columns > most) {
        atemi_scenario_fail(reader, mark,
                            "%.3g rows of %d numbers are more than a recording holds, %d; "
                            "record less often",
                            rows, columns, most);
    }
}

static void read_record(atemi_scenario_reader *reader, atemi_simulate_scenario *scenario)
{
    if (!atemi_scenario_enter(reader, "record", ATEMI_DEFAULTED, "what is written down")) {
        return;
    }
    scenario->wrenches = atemi_scenario_boolean(
        reader, "wrenches",
        (atemi_boolean_key){.fallback = true, .help = "what six-axis load cells in joints show"});
    const bool is_given = atemi_scenario_look(reader, "every") != ATEMI_SCENARIO_ABSENT;
    scenario->every = atemi_scenario_number(
        reader, "every",
        (atemi_number_key){.unit = "s",
                           .fallback = 0.01,
                           .lower = 1e-7,
                           .upper = INFINITY,
                           .help = "one row; and one at the end of a step with a collision"});
    check_size(reader, scenario, is_given ? atemi_scenario_last(reader) : scenario->duration_mark);
    atemi_scenario_leave(reader);
}

static void read_run(atemi_scenario_reader *reader, atemi_simulate_scenario *scenario)
{
    scenario->options = atemi_simulation_options_default();
    scenario->options.effort_limits = scenario->torques.limited;
    scenario->options.loops = scenario->loops.loops;
    scenario->options.loop_count = scenario->loops.count;
    read_joints(reader, &scenario->options);
    read_method(reader, &scenario->options);
    if (scenario->shapes.touch) {
        scenario->options.shapes = &scenario->shapes.shapes;
        atemi_simulate_shapes_check(reader, scenario->robot.model, &scenario->options,
                                    &scenario->shapes);
    }
    read_integrator(reader, &scenario->options);
    scenario->duration = atemi_scenario_number(reader, "duration",
                                               (atemi_number_key){.unit = "s",
                                                                  .fallback = 1.0,
                                                                  .lower = 0.0,
                                                                  .upper = 1e6,
                                                                  .open = true,
                                                                  .help = "how long to simulate"});
    scenario->duration_mark = atemi_scenario_last(reader);
    atemi_scenario_check_forces(reader, &scenario->forces, scenario->duration);
    atemi_stops_read(reader, scenario->robot.model, &scenario->contacts, &scenario->stops);
    read_record(reader, scenario);
}

static void place(atemi_scenario_reader *reader, atemi_simulate_scenario *scenario)
{
    const atemi_model             *model = scenario->robot.model;
    const atemi_simulation_shapes *shapes = &scenario->shapes.shapes;
    if (scenario->shapes.touch) {
        atemi_scenario_place_shapes(reader, model, &scenario->surfaces, shapes->shapes,
                                    shapes->count, &scenario->start);
    } else {
        atemi_scenario_place_start(reader, model, &scenario->surfaces, &scenario->contacts,
                                   &scenario->start);
    }
}

atemi_status atemi_simulate_scenario_read(atemi_scenario_reader *reader, const char *file,
                                          atemi_simulate_scenario *scenario, atemi_error *error)
{
    *scenario = (atemi_simulate_scenario){0};
    atemi_scenario_read_looped_robot(reader, file, &scenario->robot);
    atemi_scenario_read_surfaces(reader, &scenario->surfaces);
    atemi_scenario_read_start(reader, scenario->robot.model, &scenario->surfaces, &scenario->start);
    atemi_scenario_read_bodies(reader, file, &scenario->robot, &scenario->start, &scenario->bodies);
    const atemi_model *model = scenario->robot.model;
    atemi_simulate_loops_read(reader, model, &scenario->start, &scenario->loops);
    if (!atemi_simulate_shapes_wanted(reader, &scenario->shapes)) {
        atemi_scenario_read_contacts(reader, model, &scenario->surfaces, &scenario->contacts);
        atemi_scenario_check_surfaces(reader, &scenario->surfaces, &scenario->contacts);
    }
    atemi_simulate_shapes_read(reader, model, &scenario->bodies, &scenario->shapes);
    atemi_scenario_read_torques(reader, model, scenario->start.q, &scenario->torques);
    atemi_scenario_read_forces(reader, model, &scenario->forces);
    read_run(reader, scenario);
    if (!atemi_scenario_finish(reader, error)) {
        place(reader, scenario);
    }
    return atemi_scenario_finish(reader, error);
}

void atemi_simulate_scenario_destroy(atemi_simulate_scenario *scenario)
{
    atemi_stops_destroy(&scenario->stops);
    atemi_scenario_forces_destroy(&scenario->forces);
    atemi_scenario_torques_destroy(&scenario->torques);
    atemi_scenario_start_destroy(&scenario->start);
    atemi_simulate_shapes_destroy(&scenario->shapes);
    atemi_simulate_loops_destroy(&scenario->loops);
    atemi_scenario_bodies_destroy(&scenario->bodies);
    atemi_scenario_contacts_destroy(&scenario->contacts);
    atemi_scenario_surfaces_destroy(&scenario->surfaces);
    atemi_scenario_robot_destroy(&scenario->robot);
}
