// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer dynamics. Where every link is and how it moves, and what each joint adds to that: poses,
/// velocities, accelerations, Jacobians, centre of mass, momentum, energy.
///
/// atemi_update_kinematics() computes the state of motion once; all other functions read it. All
/// results are in world axes. Motions are those of the link's origin unless said otherwise.
/// Jacobians have linear rows first.
///
/// Nothing here allocates. Asking before the first update is a broken contract.

#pragma once

#include "atemi/math.h"
#include "atemi/model.h"

ATEMI_BEGIN

typedef struct atemi_data atemi_data; ///< see atemi/data.h

/// Takes the data to a state: poses and joint axes; with `v`, velocities; with `a`, accelerations.
///
/// @param q [q_count] configuration; quaternions need not be normalized, but not be zero
/// @param v [v_count] or NULL for rest
/// @param a [v_count] or NULL: accelerations are not computed
///
/// O(bodies). Cannot fail.
ATEMI_API void atemi_update_kinematics(atemi_data *data, const double *q, const double *v,
                                       const double *a);

/// The pose of a link in the world.
ATEMI_API atemi_transform atemi_link_pose(const atemi_data *data, int link);

/// The velocity of a link.
ATEMI_API atemi_motion atemi_link_velocity(const atemi_data *data, int link);

/// The acceleration of a link: of the point at its origin (as an accelerometer without gravity
/// would measure it, not the spatial acceleration), and the angular one. Needs an update with `a`,
/// or inverse dynamics.
ATEMI_API atemi_motion atemi_link_acceleration(const atemi_data *data, int link);

/// The pose of a site (a sole, a fist) in the world.
ATEMI_API atemi_transform atemi_site_pose(const atemi_data *data, int site);

/// J with  (linear, angular velocity of the link) = J v.
/// @param J [6 x v_count] row-major
ATEMI_API void atemi_link_jacobian(const atemi_data *data, int link, double *J);

/// dJ/dt, so that  link acceleration = J a + dJ/dt v.
/// @param rate [6 x v_count] row-major
ATEMI_API void atemi_link_jacobian_rate(const atemi_data *data, int link, double *rate);

/// J with  velocity of the point = J v, for a point that is fixed on a link.
/// @param point in the link's frame
/// @param J     [3 x v_count] row-major
ATEMI_API void atemi_point_jacobian(const atemi_data *data, int link, atemi_vec3 point, double *J);

/// dJ/dt of a point, so that  its acceleration = J a + dJ/dt v.
/// @param rate [3 x v_count] row-major
ATEMI_API void atemi_point_jacobian_rate(const atemi_data *data, int link, atemi_vec3 point,
                                         double *rate);

/// J with  (velocity of the frame's origin, angular velocity) = J v, for a frame that is fixed on a
/// link. World axes: the frame's own axes do not matter.
/// @param origin of the frame, in the link's frame
/// @param J      [6 x v_count] row-major
ATEMI_API void atemi_frame_jacobian(const atemi_data *data, int link, atemi_vec3 origin, double *J);

/// dJ/dt of a frame.
/// @param rate [6 x v_count] row-major
ATEMI_API void atemi_frame_jacobian_rate(const atemi_data *data, int link, atemi_vec3 origin,
                                         double *rate);

/// The Jacobian of a site's frame, and its rate.
/// @param J [6 x v_count] row-major
ATEMI_API void atemi_site_jacobian(const atemi_data *data, int site, double *J);
ATEMI_API void atemi_site_jacobian_rate(const atemi_data *data, int site, double *rate);

/// The centre of mass of everything that moves, in the world. Zero for a robot without mass.
ATEMI_API atemi_vec3 atemi_center_of_mass(const atemi_data *data);

/// Momentum about the centre of mass.
ATEMI_API atemi_force atemi_momentum(const atemi_data *data);

/// Kinetic energy, of rotors as well: v^T M v / 2.
ATEMI_API double atemi_kinetic_energy(const atemi_data *data);

/// Potential energy in the model's gravity, zero with the centre of mass at the world's origin.
ATEMI_API double atemi_potential_energy(const atemi_data *data);

ATEMI_END
