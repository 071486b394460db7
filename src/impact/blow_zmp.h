// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where the ground presses while the robot hits.

#pragma once

#include "atemi/blow.h"
#include "dynamics/kinematics.h"

/// The zero-moment point while the robot hits, from the accelerations of its links and what the
/// ground and the hand's force must then be.
///
/// @param q          [q_count] the posture
/// @param v          [v_count] the rates of a sample
/// @param a          [v_count] the accelerations of a sample
/// @param force      of the blow, N
/// @param plane      NULL for the floor
/// @param kinematics overwritten
/// @param zmp        the result; untouched when there is none
/// @return false when the ground does not press on the robot
bool atemi_blow_zmp_in(const atemi_model *model, const double *q, const double *v, const double *a,
                       const atemi_striking_point *point, double force,
                       const atemi_support_plane *plane, atemi_kinematics *kinematics,
                       atemi_vec3 *zmp);
