// SPDX-License-Identifier: Apache-2.0

/// @file
/// The posture of first touch: [STRIKE] III-A.

#pragma once

#include "plan/problem/strike_setup.h"
#include "plan/problem/strike_variables.h"

/// Where a foot stands in the world: the first one at its origin.
atemi_transform strike_foot_target(const strike_values *x, int foot);

/// What inverse kinematics finds the legs for.
/// @param goals [foot_count] result
void strike_posture_goals(const strike_setup *setup, const strike_values *x,
                          atemi_posture_goal *goals);

/// Finds the posture.
/// @param q      [q_count] result
/// @param errors [foot_count] result: how far each foot is off its target
void strike_posture_find(const strike_setup *setup, const strike_values *x,
                         atemi_inverse_kinematics_scratch *ik, double *q, atemi_motion *errors);

/// Whether these errors are rounding.
bool strike_feet_stand(const strike_setup *setup, const atemi_motion *errors);
