// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the motion before and after a blow asks of the joints and of the floor.

#pragma once

#include "plan/problem/strike_evaluation.h"

/// Whether the cubic between two values that differ by D, with slopes d0 and d1 there, turns
/// nowhere between them: if all three coefficients of its slope, as Bernstein's polynomials have
/// it, have one sign. If not, it may turn.
static inline bool strike_is_monotone(double D, double d0, double d1)
{
    const double middle = 3.0 * D - d0 - d1;
    return (d0 > 0.0 && middle > 0.0 && d1 > 0.0) || (d0 < 0.0 && middle < 0.0 && d1 < 0.0);
}

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
