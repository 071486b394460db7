// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the motion before and after a blow asks of the joints and of the floor.

#pragma once

#include "plan/strike_problem.h"

/// The constraints of the joints' ranges and speeds on the way.
void strike_constrain_motion(strike_problem *problem);

/// The constraints of the joints' torques and of friction under the feet there.
void strike_constrain_effort(strike_problem *problem);

/// The constraints of the distance to the target.
void strike_constrain_clearance(strike_problem *problem);

/// What moves a joint at a rate against its own friction; a reversal is not sudden.
double strike_joint_friction(const atemi_blow_servo *servo, int index, double rate);
