// SPDX-License-Identifier: Apache-2.0

/// @file
/// The motion of what strikes, for callers that have kinematics.

#pragma once

#include "atemi/blow.h"
#include "dynamics/kinematics.h"

/// Where a hand is in the world.
atemi_vec3 atemi_striking_point_place_in(const atemi_model          *model,
                                         const atemi_kinematics     *kinematics,
                                         const atemi_striking_point *point, int hand);

/// The speed of a hand along the direction, m/s; needs kinematics with `v`.
double atemi_striking_point_speed_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                     const atemi_striking_point *point, int hand);

/// The acceleration of all hands along the direction, their mean, m/s^2: n . (J a + dJ/dt v); needs
/// kinematics with `v` and `a`.
double atemi_striking_point_drift_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                     const atemi_striking_point *point);

/// Adds what a blow does to the robot, -force along the direction, to the forces on its links, in
/// world axes at their origins.
/// @param loads [link_count]
void atemi_striking_point_add_force_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                       const atemi_striking_point *point, double force,
                                       atemi_force *loads);
