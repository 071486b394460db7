// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer dynamics. Rigid-body dynamics of a kinematic tree:
///
///     M(q) a + h(q, v) = tau + sum_i J_i(q)^T external_i
///
/// Inverse dynamics in O(bodies) by the recursive Newton-Euler algorithm [Featherstone08, 5.3];
/// forward dynamics in O(bodies) by articulated-body inertias [Featherstone08, 7], by the factor of
/// M for robots with coupled (mimic) joints; M by the composite-rigid-body algorithm
/// [Featherstone08, 6.2], its factor L^T D L with the zeros of the tree [Featherstone08, 6.5].
/// Rotor inertia is included, joint friction is not (see atemi_joint_friction()).
///
/// Functions that end in _at compute at the state of the last atemi_update_kinematics(); those with
/// q go there first. Nothing here allocates. Forces on links are in world axes, their moments about
/// the links' origins.

#pragma once

#include "atemi/base.h"
#include "atemi/kinematics.h"

ATEMI_BEGIN

/// The joint torques behind the acceleration `a` in state `(q, v)` (RNEA).
///
/// @param v        [v_count] or NULL for rest
/// @param a        [v_count] or NULL for zero: then the result is the bias force h; with `v` NULL
/// as
///                 well, the gravity load
/// @param external [link_count] force of the surroundings onto each link, or NULL for none
/// @param tau      [v_count] result, N m or N; may alias any input
ATEMI_API void atemi_inverse_dynamics(atemi_data *data, const double *q, const double *v,
                                      const double *a, const atemi_force *external, double *tau);
ATEMI_API void atemi_inverse_dynamics_at(atemi_data *data, const double *a,
                                         const atemi_force *external, double *tau);

/// What a six-axis load cell in a joint measures: the force of the parent link onto the child link,
/// in the child link's axes, moment about the child link's origin. Needs inverse dynamics at the
/// state.
///
/// @param joint any joint that moves, mimic joints included. The wrench of a fixed joint is not
///              computed: the links it joins are one body.
ATEMI_API atemi_force atemi_joint_wrench(const atemi_data *data, int joint);

/// The acceleration in state `(q, v)` under the torques `tau` (ABA).
///
/// @param v        [v_count] or NULL for rest
/// @param tau      [v_count] or NULL for none
/// @param external [link_count] as above, or NULL
/// @param a        [v_count] result; may alias `tau` or `v`
/// @return ATEMI_ERROR_SINGULAR if a joint moves no mass, and then `a` is not touched:
///         atemi_update_factor() names the joint
ATEMI_API atemi_status atemi_forward_dynamics(atemi_data *data, const double *q, const double *v,
                                              const double *tau, const atemi_force *external,
                                              double *a);
ATEMI_API atemi_status atemi_forward_dynamics_at(atemi_data *data, const double *tau,
                                                 const atemi_force *external, double *a);

/// The joint-space inertia M (CRBA).
/// @param M [v_count x v_count] the whole symmetric matrix
ATEMI_API void atemi_mass_matrix(atemi_data *data, const double *q, double *M);
ATEMI_API void atemi_mass_matrix_at(atemi_data *data, double *M);

/// Factors M at the state of the last update, for atemi_mass_solve().
/// @return ATEMI_ERROR_SINGULAR with the name of the joint if one moves no mass, beyond rounding:
///         massless links at the end of a chain, or a point mass on the axis it turns about. What a
///         rotor adds counts.
ATEMI_API atemi_status atemi_update_factor(atemi_data *data, atemi_error *error);

/// Solves M x = b in place: `x` holds b before and x after the call. Needs atemi_update_factor() at
/// the state, which must have succeeded. O(v_count depth).
ATEMI_API void atemi_mass_solve(atemi_data *data, double *x);

/// The centroidal momentum matrix A(q), in world axes: momentum about the centre of mass = A v.
/// @param A [6 x v_count] row-major, linear rows first
ATEMI_API void atemi_momentum_matrix(atemi_data *data, const double *q, double *A);
ATEMI_API void atemi_momentum_matrix_at(atemi_data *data, double *A);

/// The joint's passive torque against motion, tau = -damping v - friction sign(v), zero for the
/// base. The rigid-body algorithms leave it out; simulations add it. `tau` must not alias `v`.
ATEMI_API void atemi_joint_friction(const atemi_model *model, const double *v, double *tau);

ATEMI_END
