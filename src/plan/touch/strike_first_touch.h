// SPDX-License-Identifier: Apache-2.0

/// @file
/// Feet, joints and momentum at first touch, and the times of hand and body: [STRIKE] eq. 14 parts
/// 2, 5 and 6.

#pragma once

#include "plan/problem/strike_constraints.h"
#include "plan/problem/strike_setup.h"
#include "plan/problem/strike_variables.h"

/// @param errors     [foot_count] of the posture
/// @param kinematics with velocities
void strike_constrain_feet(const strike_setup *setup, const atemi_motion *errors,
                           const atemi_kinematics *kinematics, strike_rows *rows);

void strike_constrain_joints(const strike_setup *setup, const double *q, const double *v,
                             strike_rows *rows);

/// @param momentum about the world's origin
void strike_constrain_momentum(const atemi_strike_task *task, const atemi_force *momentum,
                               strike_rows *rows);

/// The hand rests no later than the body, where the ranges of their times leave it open.
void strike_constrain_times(const atemi_strike_task *task, const strike_values *x,
                            strike_rows *rows);
