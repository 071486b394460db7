// SPDX-License-Identifier: Apache-2.0

/// @file
/// Inverse dynamics of a robot that stands: the joint torques and the forces of the ground behind a
/// given acceleration.
///
/// What accelerates the base, no joint gives: the ground does, at the points that the robot stands
/// on. Of all forces there that do, these push, each point as evenly as it can be (with the largest
/// entropy); so no foot tips over an edge as long as the robot can stand. Where it cannot, they
/// have the least sum of squares, and some pull. Points that push are taken to be level: where they
/// are not, the moment of their forces along the ground is not accounted for, and remains with the
/// base.

#pragma once

#include "atemi/inverse_dynamics.h"

ATEMI_BEGIN

/// A point of the robot that it stands on.
typedef struct atemi_stance_point {
    int        link;
    atemi_vec3 point; ///< in the link's frame
} atemi_stance_point;

enum { ATEMI_STANCE_MOST_POINTS = 64 };

/// Scratch of atemi_stance_dynamics().
typedef struct atemi_stance_scratch {
    atemi_vec3                     places[ATEMI_STANCE_MOST_POINTS];
    atemi_inverse_dynamics_scratch inverse; ///< of the last call: atemi_joint_wrench() works
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
/// @param points   [count], at most ATEMI_STANCE_MOST_POINTS; none are needed where the base is
///                 fixed
/// @param scratch  overwritten
/// @param tau      [v_count] result; what the points cannot give the base remains in its entries
/// @param forces   [count] result: of the ground onto the robot, world axes
///
/// O(links + count). Cannot fail, does not allocate.
ATEMI_API void atemi_stance_dynamics(const atemi_model *model, const double *q, const double *v,
                                     const double *a, const atemi_force *external,
                                     const atemi_stance_point *points, int count,
                                     atemi_stance_scratch *scratch, double *tau,
                                     atemi_vec3 *forces);

ATEMI_END
