// SPDX-License-Identifier: Apache-2.0

/// @file
/// The loops of a joint, from the outermost that a command enters to the voltage.

#pragma once

#include "atemi/joint_control.h"

/// The motor's acceleration by the model, rad/s^2, at the tracked speed and the sensed torque.
double atemi_joint_motor_acceleration(const atemi_joint_control *control, double current);

/// Predicts the motor for the moment when the voltage of this tick begins to act. To be called when
/// all is sensed.
void atemi_joint_loops_look_ahead(atemi_joint_control *control);

/// Runs the command through the loops.
/// @param output gets demands and voltage
void atemi_joint_loops_run(atemi_joint_control *control, atemi_joint_output *output);

/// Brakes by the motor's own voltage; adds no energy.
void atemi_joint_loops_brake(atemi_joint_control *control, atemi_joint_output *output);
