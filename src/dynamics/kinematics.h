// SPDX-License-Identifier: Apache-2.0

/// @file
/// Kinematics for callers that have the memory themselves: what atemi/kinematics.h does in an
/// atemi_data, in an atemi_kinematics.

#pragma once

#include "atemi/base.h"
#include "atemi/math.h"
#include "atemi/model.h"

/// The state of motion of a robot, filled by atemi_kinematics_update().
typedef struct atemi_kinematics {
    struct atemi_kinematics_block *blocks;
    struct atemi_node_pose        *poses;
    double                        *rates;         ///< [padded] v of every node
    double                        *accelerations; ///< [padded] a of every node
    atemi_vec3                     origin; ///< the point that motions are stored at, in the world
} atemi_kinematics;

/// Lays the scratch out on an arena.
atemi_kinematics atemi_kinematics_take(atemi_arena *arena, const atemi_model *model);

/// Computes poses and joint axes; with `v`, velocities; with `v` and `a`, accelerations as well.
///
/// @param q [q_count] configuration; quaternions need not be normalized, but not be zero
/// @param v [v_count] or NULL
/// @param a [v_count] or NULL for none; needs `v`
///
/// O(bodies). Cannot fail, does not allocate.
void atemi_kinematics_update(const atemi_model *model, const double *q, const double *v,
                             const double *a, atemi_kinematics *kinematics);

/// The pose of a link in the world.
atemi_transform atemi_link_pose_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                   int link);

/// The velocity of a link; needs an update with `v`.
atemi_motion atemi_link_velocity_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                    int link);

/// The acceleration of a link: of the point at its origin (as an accelerometer without gravity
/// would see it, not the spatial acceleration), and of its angle; needs an update with `v` and `a`.
atemi_motion atemi_link_acceleration_in(const atemi_model      *model,
                                        const atemi_kinematics *kinematics, int link);

/// The acceleration of a link of a robot at rest; needs accelerations, no velocities.
atemi_motion atemi_link_start_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                 int link);

/// J with  (linear, angular velocity of the link) = J v.
/// @param J [6 x v_count] row-major
void atemi_link_jacobian_in(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                            double *J);

/// The centre of mass of everything that moves, in the world. Zero for a robot without mass.
atemi_vec3 atemi_center_of_mass_in(const atemi_model *model, const atemi_kinematics *kinematics);

/// Momentum about the centre of mass; needs an update with `v`.
atemi_force atemi_momentum_in(const atemi_model *model, const atemi_kinematics *kinematics);

/// Kinetic energy, of rotors as well: v^T M v / 2; needs an update with `v`.
double atemi_kinetic_energy_in(const atemi_model *model, const atemi_kinematics *kinematics);

/// Potential energy in the model's gravity, zero with the centre of mass at the world's origin.
double atemi_potential_energy_in(const atemi_model *model, const atemi_kinematics *kinematics);
