// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_scenario.h"

#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_joint_list.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// The keys of a walk in three dimensions.

enum { MAX_COMMANDS = 1000 };

typedef struct option_key {
    const char *name;
    size_t      offset; ///< in the struct
    double      lower, upper;
    const char *unit, *help;
} option_key;

#define STRIDE(name, lower, upper, unit, help)                                                     \
    {#name, offsetof(atemi_biped_options, name), lower, upper, unit, help}

static const option_key strides[] = {
    STRIDE(tick, 1e-4, 0.01, "s", "between two ticks"),
    STRIDE(knee, 0.1, 1.5, "rad", "bent at the start; less if the knee is too weak"),
    STRIDE(forwards, -0.8, 0.8, NULL, "length of a step, in legs"),
    STRIDE(sideways, -0.5, 0.5, NULL, "to the left in two steps, in legs"),
    STRIDE(turning, -0.6, 0.6, "rad", "to the left in a step"),
    STRIDE(step_time, 1.0, 10.0, NULL, "from landing to landing, in sqrt(leg / g)"),
    STRIDE(double_support, 0.05, 5.0, NULL, "of that on both feet"),
    STRIDE(starting, 0.5, 50.0, NULL, "from rest to the first step, and after the last to rest"),
    STRIDE(clearance, 0.0, 0.5, NULL, "of the swinging foot half-way, in legs"),
    STRIDE(landing_speed, 0.0, 1.0, NULL, "downwards, in sqrt(leg g)"),
    STRIDE(narrowest, 0.1, 1.0, NULL, "distance of the soles, in that at rest"),
    STRIDE(longest, 0.1, 1.5, NULL, "step at most, in legs"),
    STRIDE(highest, 0.01, 1.0, NULL, "footstep above or below the one before at most, in legs"),
    STRIDE(correction, 0.0, 0.5, NULL, "of a footstep given at most, to keep balance, in legs"),
    STRIDE(fastest, 0.2, 1.0, NULL, "step, in its usual time"),
    STRIDE(slowest, 1.0, 5.0, NULL, "step, in its usual time"),
    STRIDE(last_change, 0.0, 2.0, NULL, "before landing, after which the foothold stays"),
    STRIDE(edge, 0.0, 0.9, NULL, "fraction of a sole's half sides that the pressure keeps from"),
    STRIDE(capture_rate, 0.1, 20.0, NULL, "of the divergent component at rest, in sqrt(g / leg)"),
    STRIDE(height_rate, 0.1, 50.0, NULL, "of the centre of mass, likewise"),
    STRIDE(trunk_rate, 0.1, 50.0, NULL, "of the trunk's orientation, likewise"),
    STRIDE(foot_rate, 0.1, 50.0, NULL, "of the swinging foot, likewise"),
    STRIDE(joint_rate, 0.1, 50.0, NULL, "of the posture, likewise"),
    STRIDE(sole_rate, 0.0, 50.0, NULL, "by which a sole on the floor is slowed, likewise"),
    STRIDE(spin_rate, 0.0, 50.0, NULL, "by which angular momentum is slowed, likewise"),
};

#define FAULT(name, upper, unit, help)                                                             \
    {#name, offsetof(atemi_biped_faults, name), 0.0, upper, unit, help}

static const option_key faults[] = {
    FAULT(delay, 0.1, "s", "from a measurement to the torque that answers it"),
    FAULT(lag, 0.1, "s", "time constant of the joints' torques"),
    FAULT(encoder, 0.1, NULL, "noise of joint positions, rad or m"),
    FAULT(encoder_velocity, 10.0, NULL, "noise of joint velocities, rad/s or m/s"),
    FAULT(gyroscope, 1.0, "rad/s", "noise"),
    FAULT(accelerometer, 10.0, "m/s^2", "noise"),
    FAULT(load, 1.0, NULL, "noise of the forces on the feet, of the weight"),
    FAULT(localization, 1.0, "m",
          "noise of the base's place, ten times a second, where footsteps or the floor are known"),
    FAULT(encoder_offset, 0.1, NULL, "of each joint's position, at most, rad or m; it stays"),
    FAULT(gyroscope_bias, 1.0, "rad/s", "of each axis, at most; it stays"),
    FAULT(accelerometer_bias, 10.0, "m/s^2", "of each axis, at most; it stays"),
    FAULT(dropped, 0.9, NULL, "fraction of ticks lost: nothing new is measured or decided"),
};

static void read_number(atemi_scenario_reader *reader, const option_key *key, const char *reason,
                        double *value)
{
    *value = atemi_scenario_number(reader, key->name,
                                   (atemi_number_key){.unit = key->unit,
                                                      .fallback = *value,
                                                      .lower = key->lower,
                                                      .upper = key->upper,
                                                      .reason = reason,
                                                      .help = key->help});
}

static void read_option(atemi_scenario_reader *reader, const option_key *key, const char *reason,
                        void *options)
{
    read_number(reader, key, reason, (double *)((char *)options + key->offset));
}

// ---- The gait

// What it does not say stays as it was before.
static atemi_biped_order read_command(atemi_scenario_reader *reader, atemi_biped_order order)
{
    order.at = atemi_scenario_number(reader, "at",
                                     (atemi_number_key){.unit = "s",
                                                        .lower = 0.0,
                                                        .upper = INFINITY,
                                                        .required = true,
                                                        .help = "from when on"});
    order.walk = atemi_scenario_boolean(
        reader, "walk",
        (atemi_boolean_key){.fallback = order.walk, .help = "false: come to rest, and stand"});
    for (size_t i = 0; i < sizeof strides / sizeof *strides; ++i) {
        double *value =
            strides[i].offset == offsetof(atemi_biped_options, forwards)   ? &order.forwards
            : strides[i].offset == offsetof(atemi_biped_options, sideways) ? &order.sideways
            : strides[i].offset == offsetof(atemi_biped_options, turning)  ? &order.turning
                                                                           : NULL;
        if (value) {
            read_number(reader, &strides[i], "no gait that was tried is beyond", value);
        }
    }
    return order;
}

static void read_commands(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    const atemi_biped_options *options = &s->biped.controller;
    atemi_biped_order          last = {.walk = true,
                                       .forwards = options->forwards,
                                       .sideways = options->sideways,
                                       .turning = options->turning};
    const int count = atemi_scenario_enter_list(reader, "commands", 0, MAX_COMMANDS,
                                                "over time; what one does not say stays as before");
    s->orders = (atemi_biped_order *)atemi_scenario_allocate(reader, sizeof *s->orders, count);
    s->order_marks =
        (atemi_scenario_mark *)atemi_scenario_allocate(reader, sizeof *s->order_marks, count);
    while (atemi_scenario_next(reader)) {
        const int                 i = s->biped.order_count++;
        const atemi_scenario_mark item = atemi_scenario_last(reader);
        const atemi_biped_order   order = read_command(reader, last);
        if (i > 0 && order.at < last.at && !atemi_scenario_is_blank(reader)) {
            atemi_scenario_fail(reader, item,
                                "begins at %g s, before the command above it, at %g s; sort them "
                                "by time",
                                order.at, last.at);
        }
        s->orders[i] = last = order;
        s->order_marks[i] = item;
    }
    s->biped.orders = s->orders;
}

static void read_stride(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    atemi_biped_options *options = &s->biped.controller;
    if (!atemi_scenario_enter(reader, "stride", ATEMI_DEFAULTED,
                              "the gait in three dimensions, base: floating")) {
        return;
    }
    for (size_t i = 0; i < sizeof strides / sizeof *strides; ++i) {
        read_option(reader, &strides[i], "no gait that was tried is beyond", options);
    }
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    if (options->double_support >= options->step_time && !atemi_scenario_is_blank(reader)) {
        atemi_scenario_fail(reader, mark,
                            "a double_support of %g is not shorter than the step_time, %g; give a "
                            "shorter one",
                            options->double_support, options->step_time);
    }
    read_commands(reader, s);
    atemi_biped_footsteps_read(reader, s);
    atemi_scenario_leave(reader);
}

void atemi_biped_scenario_check(atemi_scenario_reader *reader, const atemi_walk_scenario *scenario,
                                double end)
{
    for (int i = 0; i < scenario->biped.order_count; ++i) {
        atemi_scenario_check_times(reader, scenario->order_marks[i], "the command",
                                   scenario->orders[i].at, (double)INFINITY, end);
    }
}

// ---- Faults

static void read_efforts(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    const atemi_model *model = s->robot.model;
    const int          count = model ? atemi_model_v_count(model) : 0;
    s->efforts = (double *)atemi_scenario_allocate(reader, sizeof *s->efforts, count);
    for (int i = 0; i < count && s->efforts; ++i) {
        s->efforts[i] = 1.0;
    }
    atemi_scenario_read_joint_rates(
        reader, "efforts",
        (atemi_number_key){.lower = 0.0,
                           .upper = 1.0,
                           .reason = "a drive has no more than its limit",
                           .help = "fraction of its effort limit that the drive of a joint has, "
                                   "which the controller does not know; 1: all"},
        false, model, s->efforts);
    s->biped.efforts = s->efforts;
}

static void check_delay(atemi_scenario_reader *reader, const atemi_walk_scenario *s,
                        atemi_scenario_mark mark)
{
    const double delay = s->biped.faults.delay, tick = s->biped.controller.tick;
    if (delay > 0.0 && lround(delay / tick) == 0) {
        atemi_scenario_warn(reader, mark,
                            "a delay of %g s has no effect: it is rounded to whole ticks, of %g s",
                            delay, tick);
    }
}

static void read_faults(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    atemi_biped_faults *f = &s->biped.faults;
    if (!atemi_scenario_enter(reader, "faults", ATEMI_DEFAULTED,
                              "what is not ideal between controller and robot, base: floating")) {
        return;
    }
    const bool ideal = atemi_scenario_boolean(
        reader, "ideal",
        (atemi_boolean_key){.help = "the controller knows the state, and joints obey at once"});
    atemi_scenario_mark of_localization = {0};
    *f = atemi_biped_faults_real();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        read_option(reader, &faults[i], "no robot is that poor", f);
        if (strcmp(faults[i].name, "delay") == 0 && !ideal) {
            check_delay(reader, s, atemi_scenario_last(reader));
        }
        of_localization = strcmp(faults[i].name, "localization") == 0 ? atemi_scenario_last(reader)
                                                                      : of_localization;
        if (ideal) {
            atemi_scenario_warn_if_given(reader, faults[i].name, "the world is ideal");
        }
    }
    f->seed = (uint64_t)atemi_scenario_integer(
        reader, "seed",
        (atemi_integer_key){
            .fallback = 1, .lower = 1, .upper = 1000000, .help = "of noise, offsets and biases"});
    if (ideal) {
        atemi_scenario_warn_if_given(reader, "seed", "the world is ideal");
        *f = atemi_biped_faults_none();
    }
    if (atemi_scenario_is_given(reader, "localization")) {
        s->localization = of_localization;
    }
    read_efforts(reader, s);
    atemi_scenario_leave(reader);
}

// ---- All of it

// Soles touch one surface.
static void read_surfaces(atemi_scenario_reader *reader, atemi_walk_scenario *s)
{
    atemi_scenario_read_surfaces(reader, &s->surfaces);
    for (int i = 1; i < s->surfaces.count && !atemi_scenario_is_blank(reader); ++i) {
        atemi_scenario_fail(reader, s->surfaces.marks[i],
                            "soles touch one surface, the 'floor'; describe all of it there, as "
                            "kind: terrain");
    }
    if (s->surfaces.count > 0 && s->surfaces.marks && s->surfaces.marks[0].path) {
        s->biped.floor = &s->surfaces.surfaces[0];
    }
}

// What is of use only to a controller that knows where it steps.
static void check_knowledge(atemi_scenario_reader *reader, const atemi_walk_scenario *s)
{
    const bool given = s->biped.footstep_count > 0;
    if (s->localization.path && !s->biped.map && !given && s->biped.faults.senses) {
        atemi_scenario_warn(reader, s->localization,
                            "has no effect: no footsteps are given, and believed.floor is not a "
                            "map");
    }
    if (given && !atemi_scenario_is_blank(reader)) {
        atemi_scenario_warn_if_given(reader, "steps", "footsteps are given");
    }
}

void atemi_biped_scenario_read(atemi_scenario_reader *reader, atemi_walk_scenario *scenario)
{
    const atemi_numbers_key sides = {
        .each = {.unit = "m",
                 .lower = 0.0,
                 .upper = 2.0,
                 .reason = "no foot is longer",
                 .help = "side lengths of a sole, base: floating; 0: found from the robot"},
        .least = 2,
        .most = 2,
        .fallback_count = 2};
    atemi_scenario_numbers(reader, "sole", sides, scenario->sole);
    read_surfaces(reader, scenario);
    scenario->biped.duration =
        atemi_scenario_number(reader, "duration",
                              (atemi_number_key){.unit = "s",
                                                 .lower = 0.0,
                                                 .upper = INFINITY,
                                                 .help = "after which it ends, base: floating; 0: "
                                                         "however long it takes"});
    read_stride(reader, scenario);
    read_faults(reader, scenario);
    atemi_biped_world_read(reader, scenario);
    check_knowledge(reader, scenario);
}

atemi_humanoid_options atemi_biped_scenario_parts(const atemi_walk_scenario *scenario)
{
    atemi_humanoid_options parts = atemi_humanoid_options_default();
    parts.sole_x = scenario->sole[0];
    parts.sole_y = scenario->sole[1];
    return parts;
}
