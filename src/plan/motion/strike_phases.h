// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the motion before and after a blow asks of the joints and of the floor.

#pragma once

#include "plan/problem/strike_evaluation.h"

/// The constraints of the joints' ranges and speeds before and after the blow.
void strike_constrain_motion(const strike_setup *setup, const strike_evaluation *at,
                             strike_workspace *work, strike_rows *rows);

/// The constraints of the joints' torques and of friction under the feet there.
void strike_constrain_effort(const strike_setup *setup, const strike_evaluation *at,
                             strike_workspace *work, strike_rows *rows);

/// The constraints of the distance to the target.
void strike_constrain_clearance(const strike_setup *setup, const strike_evaluation *at,
                                strike_workspace *work, strike_rows *rows);

/// What moves a joint at a velocity against its own friction; a reversal is not sudden.
double strike_joint_friction(const atemi_blow_servo *servo, int index, double velocity);

/// How this changes with the velocity.
double strike_joint_friction_slope(const atemi_blow_servo *servo, int index, double velocity);
