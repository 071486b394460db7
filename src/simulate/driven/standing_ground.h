// SPDX-License-Identifier: Apache-2.0

/// @file
/// The ground that a robot stands on: under every corner of its contacts, where they are at first.

#pragma once

#include "atemi/control_loop.h"
#include "dynamics/kinematics.h"

/// What ground is like.
typedef struct standing_ground {
    double depth;    ///< m, that the weight sinks in
    double time;     ///< s, damping over stiffness
    double friction; ///< NaN: what each contact counts on
} standing_ground;

/// The corners of contacts: four of a rectangle, two of a line, one of a point.
int atemi_standing_corner_count(const atemi_standing_contact *contacts, int count);

/// Puts ground under every corner, into which the weight on all of them has sunk already.
/// @param kinematics of the posture at the beginning
/// @param grounds    [atemi_standing_corner_count()] result
void atemi_standing_ground(const atemi_model *model, const atemi_kinematics *kinematics,
                           const atemi_standing_contact *contacts, int count,
                           standing_ground ground, atemi_ground_point *grounds);
