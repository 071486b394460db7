// SPDX-License-Identifier: Apache-2.0

#include "jobs/walk/walk_scenario.h"

#include "io/scenario/scenario_pick.h"

#include <stddef.h>

// The keys of a walk in three dimensions.

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
    STRIDE(knee, 0.1, 1.5, "rad", "bent at the start"),
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
    STRIDE(fastest, 0.2, 1.0, NULL, "step, in its usual time"),
    STRIDE(slowest, 1.0, 5.0, NULL, "step, in its usual time"),
    STRIDE(last_change, 0.0, 2.0, NULL, "before landing, after which the foothold stays"),
    STRIDE(edge, 0.0, 0.9, NULL, "fraction of a sole's half sides that the pressure keeps from"),
    STRIDE(friction, 0.01, 10.0, NULL, "that forces keep within"),
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
};

static void read_option(atemi_scenario_reader *reader, const option_key *key, const char *reason,
                        void *options)
{
    double *value = (double *)((char *)options + key->offset);
    *value = atemi_scenario_number(reader, key->name,
                                   (atemi_number_key){.unit = key->unit,
                                                      .fallback = *value,
                                                      .lower = key->lower,
                                                      .upper = key->upper,
                                                      .reason = reason,
                                                      .help = key->help});
}

static void read_stride(atemi_scenario_reader *reader, atemi_biped_options *options)
{
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
    atemi_scenario_leave(reader);
}

static void read_faults(atemi_scenario_reader *reader, atemi_biped_faults *f)
{
    if (!atemi_scenario_enter(reader, "faults", ATEMI_DEFAULTED,
                              "what is not ideal between controller and robot, base: floating")) {
        return;
    }
    const bool ideal = atemi_scenario_boolean(
        reader, "ideal",
        (atemi_boolean_key){.help = "the controller knows the state, and joints obey at once"});
    *f = ideal ? atemi_biped_faults_none() : atemi_biped_faults_real();
    for (size_t i = 0; i < sizeof faults / sizeof *faults && !ideal; ++i) {
        read_option(reader, &faults[i], "no robot is that poor", f);
    }
    if (!ideal) {
        f->seed = (uint64_t)atemi_scenario_integer(
            reader, "seed",
            (atemi_integer_key){.fallback = 1, .lower = 1, .upper = 1000000, .help = "of noise"});
    }
    atemi_scenario_leave(reader);
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
    read_stride(reader, &scenario->biped.controller);
    read_faults(reader, &scenario->biped.faults);
}

atemi_humanoid_options atemi_biped_scenario_parts(const atemi_walk_scenario *scenario)
{
    atemi_humanoid_options parts = atemi_humanoid_options_default();
    parts.sole_x = scenario->sole[0];
    parts.sole_y = scenario->sole[1];
    return parts;
}
