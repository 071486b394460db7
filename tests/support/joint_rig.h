// SPDX-License-Identifier: Apache-2.0

/// @file
/// A joint with its controller on a test bench: the link free, loaded, or held.

#pragma once

#include "atemi/control_loop.h"
#include "check.h"

#include <math.h>
#include <stddef.h>

typedef struct joint_rig {
    atemi_joint_plant       plant;
    atemi_joint_control     control;
    atemi_joint_measurement measurement;
    atemi_joint_output      output;
    bool                    is_held; ///< the link moves as it is led, whatever the drive does
    double                  speed;   ///< at which it is, rad/s
    double                  load;    ///< on the link, N m
} joint_rig;

/// Sensors without noise and steps.
static inline atemi_joint_plant_options quiet(atemi_joint_plant_options options)
{
    options.motor_step = options.joint_step = options.current_step = 0.0;
    options.motor_deviation = options.joint_deviation = options.current_deviation = 0.0;
    return options;
}

static inline joint_rig rig_create(const atemi_joint_plant_options   *plant,
                                   const atemi_joint_control_options *control)
{
    joint_rig rig = {0};
    CHECK_STATUS(atemi_joint_plant_start(plant, &rig.plant, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_joint_control_start(control, &rig.control, NULL), ATEMI_OK);
    return rig;
}

/// A leg joint without noise whose model is right.
static inline joint_rig rig_quiet(void)
{
    const atemi_joint_plant_options   plant = quiet(atemi_joint_plant_options_default());
    const atemi_joint_control_options control = atemi_joint_control_options_default();
    return rig_create(&plant, &control);
}

/// A wrist joint with noise whose model is right.
static inline joint_rig rig_rigid(void)
{
    const atemi_joint_plant_options   plant = atemi_joint_plant_options_rigid();
    const atemi_joint_control_options control = atemi_joint_control_options_rigid();
    return rig_create(&plant, &control);
}

/// The joint's half of a tick; the measurement stands, and may have been spoiled.
static inline void rig_answer(joint_rig *rig, const atemi_joint_command *command)
{
    const double period = rig->control.options.period;
    atemi_joint_control_step(&rig->control, &rig->measurement, command, &rig->output);
    atemi_joint_plant_apply(&rig->plant, rig->output.voltage);
    if (rig->is_held) {
        atemi_joint_plant_follow(&rig->plant, period, rig->plant.joint_position, rig->speed);
    } else {
        atemi_joint_plant_advance(&rig->plant, period, rig->load);
    }
}

static inline void rig_tick(joint_rig *rig, const atemi_joint_command *command)
{
    atemi_joint_plant_measure(&rig->plant, &rig->measurement);
    rig_answer(rig, command);
}

/// Ticks with the same command, for a time.
static inline void rig_run(joint_rig *rig, const atemi_joint_command *command, double time)
{
    const int ticks = (int)lround(time / rig->control.options.period);
    for (int k = 0; k < ticks; ++k) {
        rig_tick(rig, command);
    }
}

static inline atemi_joint_command command_at(atemi_joint_level level)
{
    atemi_joint_command command = atemi_joint_command_default();
    command.level = level;
    return command;
}

/// An impedance command by natural frequency and damping ratio for an inertia, [R2] eq. 1-2.
static inline atemi_joint_command command_impedance(double inertia, double frequency, double ratio)
{
    atemi_joint_command command = command_at(ATEMI_JOINT_IMPEDANCE);
    command.stiffness = inertia * frequency * frequency;
    command.damping = 2.0 * ratio * sqrt(command.stiffness * inertia);
    return command;
}

/// The unit step of w^2 / (s^2 + 2 z w s + w^2).
static inline double second_order(double w, double z, double t)
{
    if (t <= 0.0) {
        return 0.0;
    }
    if (z == 1.0) {
        return 1.0 - (1.0 + w * t) * exp(-w * t);
    }
    if (z > 1.0) {
        const double s = w * sqrt(z * z - 1.0), slow = z * w - s, fast = z * w + s;
        return 1.0 - (fast * exp(-slow * t) - slow * exp(-fast * t)) / (fast - slow);
    }
    const double d = w * sqrt(1.0 - z * z);
    return 1.0 - exp(-z * w * t) * (cos(d * t) + z * w / d * sin(d * t));
}
