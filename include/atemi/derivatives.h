// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer dynamics. Exact derivatives of kinematics and dynamics with respect to q, v, and a or tau.
///
/// A change of the configuration is a vector of v_count numbers, as in
/// atemi_configuration_integrate(q, dq, 1): rates of the joints, and the twist of the base (and of
/// every floating or planar joint) in its own frame, linear part first. So every matrix has v_count
/// columns. All matrices are row-major: entry (i, j) of dq is the derivative of result i with
/// respect to dq_j at dq = 0.
///
/// External wrenches are held constant in world axes, and move along with the link's origin.
/// Analytical, in O(bodies x depth); nothing is taken by differences.

#pragma once

#include "atemi/base.h"
#include "atemi/dynamics.h"

ATEMI_BEGIN

/// The state of motion, and what one unit of each coordinate changes of it; filled by
/// atemi_derivatives_update() and by the derivatives of the dynamics.
typedef struct atemi_derivatives_scratch atemi_derivatives_scratch;

/// Lays the scratch out on an arena.
/// @return NULL while measuring
ATEMI_API atemi_derivatives_scratch *atemi_derivatives_take(atemi_arena       *arena,
                                                            const atemi_model *model);

/// Computes what the derivatives of kinematics, momentum and energy below start from.
///
/// @param v        [v_count] velocities, or NULL for rest
/// @param a        [v_count] accelerations, or NULL for zero
/// @param external [link_count] as in atemi_inverse_dynamics(), or NULL for none
///
/// O(bodies). Cannot fail, does not allocate.
ATEMI_API void atemi_derivatives_update(const atemi_model *model, const double *q, const double *v,
                                        const double *a, const atemi_force *external,
                                        atemi_derivatives_scratch *scratch);

/// The part of atemi_derivatives_update() that atemi_link_derivatives() needs, without forces.
ATEMI_API void atemi_motion_derivatives_update(const atemi_model *model, const double *q,
                                               const double *v, const double *a,
                                               atemi_derivatives_scratch *scratch);

/// Derivatives of the motion of a point of a link, in world axes: of its linear and the link's
/// angular velocity and acceleration, as atemi_link_velocity() and atemi_link_acceleration() have
/// them; after either update.
///
/// @param point           in the link's frame; zero for the origin of the link
/// @param velocity_dq     [6 x v_count] of the velocity with respect to the configuration, or NULL
/// @param acceleration_dq [6 x v_count] of the acceleration, likewise, or NULL
/// @param acceleration_dv [6 x v_count] of the acceleration with respect to v, or NULL
/// @param jacobian        [6 x v_count] of the pose with respect to the configuration, of the
///                        velocity with respect to v, and of the acceleration with respect to a; or
///                        NULL
///
/// O(v_count). Does not allocate.
ATEMI_API void atemi_link_derivatives(const atemi_model               *model,
                                      const atemi_derivatives_scratch *scratch, int link,
                                      atemi_vec3 point, double *velocity_dq,
                                      double *acceleration_dq, double *acceleration_dv,
                                      double *jacobian);

/// Derivatives of the momentum about the centre of mass, atemi_momentum(), and of its rate; after
/// atemi_derivatives_update(). External wrenches do not belong to it: update without them.
///
/// @param dq      [6 x v_count] of the momentum with respect to the configuration, or NULL
/// @param rate_dq [6 x v_count] of the rate of the momentum with respect to it, or NULL
/// @param rate_dv [6 x v_count] of the rate with respect to v, or NULL
/// @param matrix  [6 x v_count] of the momentum with respect to v, and of its rate with respect to
///                a: the momentum matrix; or NULL
///
/// The velocity of the centre of mass is the momentum's linear part over the mass of the robot, and
/// so are its derivatives. The rate of the momentum matrix is rate_dv - dq. Does not allocate.
ATEMI_API void atemi_momentum_derivatives(const atemi_model               *model,
                                          const atemi_derivatives_scratch *scratch, double *dq,
                                          double *rate_dq, double *rate_dv, double *matrix);

/// The centre of mass with respect to the configuration; after atemi_derivatives_update().
/// @param J [3 x v_count] zero for a robot without mass
ATEMI_API void atemi_center_of_mass_jacobian(const atemi_model               *model,
                                             const atemi_derivatives_scratch *scratch, double *J);

/// Gradients of atemi_kinetic_energy(); after atemi_derivatives_update().
/// @param dq [v_count] with respect to the configuration
/// @param dv [v_count] with respect to v: M v
ATEMI_API void atemi_kinetic_energy_gradient(const atemi_model               *model,
                                             const atemi_derivatives_scratch *scratch, double *dq,
                                             double *dv);

/// Gradient of atemi_potential_energy(); after atemi_derivatives_update().
/// @param dq [v_count] with respect to the configuration
ATEMI_API void atemi_potential_energy_gradient(const atemi_model               *model,
                                               const atemi_derivatives_scratch *scratch,
                                               double                          *dq);

/// Derivatives of atemi_inverse_dynamics(); includes atemi_derivatives_update().
///
/// @param tau [v_count] the torques themselves, or NULL
/// @param dq  [v_count x v_count] of tau with respect to the configuration
/// @param dv  [v_count x v_count] of tau with respect to v
/// @param da  [v_count x v_count] of tau with respect to a: M, both triangles
///
/// The results must not alias. Cannot fail, does not allocate.
ATEMI_API void atemi_inverse_dynamics_derivatives(const atemi_model *model, const double *q,
                                                  const double *v, const double *a,
                                                  const atemi_force         *external,
                                                  atemi_derivatives_scratch *scratch, double *tau,
                                                  double *dq, double *dv, double *da);

/// Derivatives of atemi_forward_dynamics(), by the factor of M; includes
/// atemi_derivatives_update() at the acceleration found.
///
/// @param tau  [v_count] torques, or NULL for none
/// @param a    [v_count] the accelerations themselves, or NULL
/// @param dq   [v_count x v_count] of a with respect to the configuration
/// @param dv   [v_count x v_count] of a with respect to v
/// @param dtau [v_count x v_count] of a with respect to tau: the inverse of M
/// @return ATEMI_ERROR_SINGULAR if a joint moves no mass, and then the results are not touched:
///         atemi_update_factor() names the joint
///
/// The results must not alias. Does not allocate.
ATEMI_API atemi_status atemi_forward_dynamics_derivatives(const atemi_model *model, const double *q,
                                                          const double *v, const double *tau,
                                                          const atemi_force         *external,
                                                          atemi_derivatives_scratch *scratch,
                                                          double *a, double *dq, double *dv,
                                                          double *dtau);

ATEMI_END
