// SPDX-License-Identifier: Apache-2.0

/// @file
/// Inverse dynamics of a robot that stands: the joint torques and the forces of the ground behind a
/// given acceleration.
///
/// No joint accelerates the base: the ground does, at the points that the robot stands on. Of all
/// forces there that do, these push, each point as evenly as it can be (with the largest entropy),
/// and along the ground each in proportion to its push; so no foot tips over an edge as long as the
/// robot can stand. Points need not be level. Where no such forces exist, forces along the ground
/// that points at different heights exchange may help: then those with the least sum of squares.
/// Where none that push exist at all, they have the least sum of squares, and some pull.

#pragma once

#include "atemi/inverse_dynamics.h"

ATEMI_BEGIN

/// A point of the robot that it stands on.
typedef struct atemi_stance_point {
    int        link;
    atemi_vec3 point; ///< in the link's frame
} atemi_stance_point;

/// How the points carry the robot.
typedef enum atemi_stance_support {
    ATEMI_STANCE_PUSHES, ///< all points push or rest, and the base has what it needs
    ATEMI_STANCE_PULLS,  ///< the base has what it needs, but some point pulls; or there is no
                         ///< gravity
    ATEMI_STANCE_LACKS,  ///< the points cannot give the base what it needs: the rest is in `tau`
} atemi_stance_support;

/// Scratch of atemi_stance_dynamics_in().
typedef struct atemi_stance_scratch {
    atemi_inverse_dynamics_scratch inverse; ///< of the last call: atemi_joint_wrench_in() works
    atemi_force                   *loads;   ///< [link_count]
} atemi_stance_scratch;

/// Lays the scratch out on an arena.
ATEMI_API atemi_stance_scratch atemi_stance_scratch_take(atemi_arena       *arena,
                                                         const atemi_model *model);

/// Computes torques and forces.
///
/// @param q        [q_count] configuration
/// @param v        [v_count] velocities, or NULL for rest
/// @param a        [v_count] accelerations, or NULL for zero
/// @param external [link_count] other forces onto the links, world axes, moments about the links'
///                 origins; or NULL for none
/// @param points   [count] any number; none are needed where the base is fixed
/// @param scratch  overwritten
/// @param tau      [v_count] result; what the points cannot give the base remains in its entries
/// @param forces   [count] result: of the ground onto the robot, world axes
///
/// O(links + count), iterative. Cannot fail, does not allocate.
ATEMI_API atemi_stance_support atemi_stance_dynamics_in(const atemi_model *model, const double *q,
                                                        const double *v, const double *a,
                                                        const atemi_force        *external,
                                                        const atemi_stance_point *points, int count,
                                                        atemi_stance_scratch *scratch, double *tau,
                                                        atemi_vec3 *forces);

ATEMI_END
