// SPDX-License-Identifier: Apache-2.0

/// @file
/// The ground that a robot stands on: under every corner of its contacts, where they are at first.

#pragma once

#include "atemi/control_loop.h"
#include "dynamics/kinematics.h"

/// The corners of contacts: four of a rectangle, two of a line, one of a point.
int atemi_standing_corner_count(const atemi_standing_contact *contacts, int count);

/// Puts ground under every corner, into which the weight on all of them has sunk already.
/// @param kinematics of the posture at the beginning
/// @param depth      m, that the weight sinks in
/// @param time       s, damping over stiffness
/// @param grounds    [atemi_standing_corner_count()] result
void atemi_standing_ground(const atemi_model *model, const atemi_kinematics *kinematics,
                           const atemi_standing_contact *contacts, int count, double depth,
                           double time, atemi_ground_point *grounds);
