// SPDX-License-Identifier: Apache-2.0

/// @file
/// One step of a search for a posture, from its linearization, within joint limits.

#pragma once

#include "motion/posture_goal.h"

/// Holds what a limit stops the descent from moving, and frees everything else. The step is zero.
void atemi_posture_hold(const double *q, atemi_inverse_kinematics_scratch *s);

/// Finds the scratch's `step` from q. Velocities that would go beyond a limit stop there, and the
/// rest is solved again.
/// @param lambda damping
/// @param bent   with the bending of the goals
/// @return false where the matrix is not positive definite
bool atemi_posture_step(const double *q, double lambda, bool bent,
                        atemi_inverse_kinematics_scratch *s);

/// What the step gains by the model of the cost.
double atemi_posture_gain(const atemi_inverse_kinematics_scratch *s, bool bent);

/// Whether the Hessian of the free velocities, with the bending and a little damping, is positive
/// definite.
bool atemi_posture_convex(const double *q, double lambda, atemi_inverse_kinematics_scratch *s);
