// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the floor does to the feet, and what they have left before they slip or tip.

#pragma once

#include "dynamics/mass_matrix.h"
#include "plan/problem/strike_setup.h"

/// What is needed to find it; see strike_feet.c.
typedef struct strike_feet {
    double                   *rows, *columns, *tau, *work, *M;
    int                      *pivot;
    int                       rank;
    double                   *torques; ///< [v_count] of the motion looked at last
    atemi_mass_matrix_scratch mass;
    atemi_stance_scratch      stance;
} strike_feet;

strike_feet strike_feet_take(atemi_arena *arena, const strike_setup *setup);

/// Makes ready for blows in a posture.
void strike_feet_prepare(const strike_setup *setup, const double *q, strike_feet *feet);

/// What a blow adds to what the floor does to the feet, at an instant of it.
/// @param jacobian [v_count] of the hand along the blow
/// @param wrenches [foot_count] onto the feet's links, world axes, about the links' origins
void strike_feet_in_blow(const strike_setup *setup, const double *jacobian,
                         const atemi_blow_sample *sample, strike_feet *feet, atemi_force *wrenches);

/// What the floor does to the feet by a motion; `v` and `a` NULL for rest. Its torques are in
/// `feet->torques`.
void strike_feet_of_motion(const strike_setup *setup, const double *q, const double *v,
                           const double *a, strike_feet *feet, atemi_force *wrenches);

/// The wrench of a foot, from the forces at its corners.
atemi_force strike_foot_wrench(const strike_setup *setup, const atemi_kinematics *kinematics,
                               int foot, const atemi_contact_point *points,
                               const atemi_vec3 *forces, int count);

/// The ZMP of such wrenches.
/// @return false if the floor does not press
bool strike_feet_zmp(const strike_setup *setup, const atemi_kinematics *kinematics,
                     const atemi_force *wrenches, atemi_vec3 *zmp);

/// The margin of friction under a foot, N, for a rotation to either side: the less counts.
void strike_foot_grip(const strike_setup *setup, int foot, atemi_force wrench, double friction,
                      double margins[2]);

/// What its pressure lacks before it tips over each of its edges, N m.
void strike_foot_edges(const strike_setup *setup, const atemi_kinematics *kinematics, int foot,
                       atemi_force wrench, double margins[4]);
