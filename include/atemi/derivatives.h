// SPDX-License-Identifier: Apache-2.0

/// @file
/// Exact derivatives of kinematics and dynamics with respect to q, v, and a or tau.
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

#include "atemi/error.h"
#include "atemi/inverse_dynamics.h"
#include "atemi/mass_matrix.h"

ATEMI_BEGIN

/// The state of motion, and what one unit of each coordinate changes of it; filled by
/// atemi_derivatives_update() and by the derivatives of the dynamics.
typedef struct atemi_derivatives_scratch {
    atemi_inverse_dynamics_scratch inverse;    ///< accelerations are relative to free fall
    struct atemi_composite_block  *composites; ///< everything that a node carries, as one body
    struct atemi_turning_block    *coriolis;   ///< force of a composite by an angular velocity
    struct atemi_turning_block    *pull;       ///< external force by a rotation
    struct atemi_variation_block  *variations;
    atemi_mass_factor              factor; ///< of M, for forward dynamics
    int                           *lasts;  ///< [node_count] last node of the joint
    double                        *still;  ///< [v_count] zeros
    double                        *tau;    ///< [v_count]
    double                        *a;      ///< [v_count] result of forward dynamics
    double                        *rows;   ///< of robots with coupled joints, over nodes
    double                        *sides;  ///< right sides for the factor of M
    bool                           pulled; ///< some link has an external wrench
} atemi_derivatives_scratch;

/// Lays the scratch out on an arena.
ATEMI_API atemi_derivatives_scratch atemi_derivatives_scratch_take(atemi_arena       *arena,
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
///         atemi_mass_factor_check() of the scratch's factor names the joint
///
/// The results must not alias. Does not allocate.
ATEMI_API atemi_status atemi_forward_dynamics_derivatives(const atemi_model *model, const double *q,
                                                          const double *v, const double *tau,
                                                          const atemi_force         *external,
                                                          atemi_derivatives_scratch *scratch,
                                                          double *a, double *dq, double *dv,
                                                          double *dtau);

ATEMI_END
