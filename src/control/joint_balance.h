// SPDX-License-Identifier: Apache-2.0

/// @file
/// The balance of torques at the motor of a joint with a spring: whether the spring's torque, which
/// two encoders show, and the motor's, which its current shows, explain how the motor moves.

#pragma once

#include "atemi/joint_control.h"

/// Nothing is known but the motor's speed.
void atemi_joint_balance_start(atemi_joint_control *control);

/// To be called when the motor's tracker is up to date and the spring's torque is not yet.
/// @param current A, mean since the last tick
void atemi_joint_balance_update(atemi_joint_control *control, double current);

/// What friction and an uncertain model may leave unexplained, N m at the motor.
double atemi_joint_balance_allowance(const atemi_joint_control *control);
