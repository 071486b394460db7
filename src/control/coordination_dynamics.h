// SPDX-License-Identifier: Apache-2.0

/// @file
/// The dynamic components: torques to feed forward, and the impedance of every joint.

#pragma once

#include "control/coordination_parts.h"

/// Finds inertia and gravity torques and effective inertias, from the base or from both while it is
/// being switched.
void atemi_coordination_find_torques(atemi_coordination *c);

/// Brings stiffness, damping, torque limits and gravity scales a step nearer to what is wanted.
void atemi_coordination_blend(atemi_coordination *c);

/// The torque limit that a joint shall have.
double atemi_coordination_torque_goal(const moved_joint *joint);
