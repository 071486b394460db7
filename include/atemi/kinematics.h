// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where every link is and how it moves, and what each joint adds to it.
///
/// All results are in world axes. Motions are taken at the link's origin unless said otherwise.

#pragma once

#include "atemi/arena.h"
#include "atemi/model.h"
#include "atemi/spatial.h"

ATEMI_BEGIN

/// The state of motion of a robot, filled by atemi_kinematics_update().
typedef struct atemi_kinematics {
    struct atemi_kinematics_block *blocks;
    struct atemi_node_pose        *poses;
    double                        *rates;  ///< [padded] v of every node
    double                        *pushes; ///< [padded] a of every node
    atemi_vec3                     origin; ///< the point that motions are stored at, in the world
} atemi_kinematics;

/// Lays the scratch out on an arena.
ATEMI_API atemi_kinematics atemi_kinematics_take(atemi_arena *arena, const atemi_model *model);

/// Computes poses and joint axes; with `v`, velocities; with `v` and `a`, accelerations as well.
///
/// @param q [q_count] configuration; quaternions need not be normalized, but not be zero
/// @param v [v_count] or NULL
/// @param a [v_count] or NULL for none; needs `v`
///
/// O(bodies). Cannot fail, does not allocate.
ATEMI_API void atemi_kinematics_update(const atemi_model *model, const double *q, const double *v,
                                       const double *a, atemi_kinematics *kinematics);

/// The pose of a link in the world.
ATEMI_API atemi_transform atemi_link_pose_in(const atemi_model      *model,
                                             const atemi_kinematics *kinematics, int link);

/// The velocity of a link; needs an update with `v`.
ATEMI_API atemi_motion atemi_link_velocity_in(const atemi_model      *model,
                                              const atemi_kinematics *kinematics, int link);

/// The acceleration of a link: of the point at its origin (as an accelerometer without gravity
/// would see it, not the spatial acceleration), and of its angle; needs an update with `v` and `a`.
ATEMI_API atemi_motion atemi_link_acceleration_in(const atemi_model      *model,
                                                  const atemi_kinematics *kinematics, int link);

/// J with  (linear, angular velocity of the link) = J v.
/// @param J [6 x v_count] row-major
ATEMI_API void atemi_link_jacobian_in(const atemi_model *model, const atemi_kinematics *kinematics,
                                      int link, double *J);

/// dJ/dt, so that  link acceleration = J a + dJ/dt v; needs an update with `v`.
/// @param rate [6 x v_count] row-major
ATEMI_API void atemi_link_jacobian_rate_in(const atemi_model      *model,
                                           const atemi_kinematics *kinematics, int link,
                                           double *rate);

/// The centre of mass of everything that moves, in the world. Zero for a robot without mass.
ATEMI_API atemi_vec3 atemi_center_of_mass_in(const atemi_model      *model,
                                             const atemi_kinematics *kinematics);

/// Momentum about the centre of mass; needs an update with `v`.
ATEMI_API atemi_force atemi_momentum_in(const atemi_model      *model,
                                        const atemi_kinematics *kinematics);

/// Kinetic energy, of rotors as well: v^T M v / 2; needs an update with `v`.
ATEMI_API double atemi_kinetic_energy_in(const atemi_model      *model,
                                         const atemi_kinematics *kinematics);

/// Potential energy in the model's gravity, zero with the centre of mass at the world's origin.
ATEMI_API double atemi_potential_energy_in(const atemi_model      *model,
                                           const atemi_kinematics *kinematics);

ATEMI_END
