// SPDX-License-Identifier: Apache-2.0

/// @file
/// Inverse dynamics for callers that have the memory themselves. See atemi/dynamics.h.

#pragma once

#include "dynamics/kinematics.h"

/// The state of motion and the forces of the last call.
typedef struct atemi_inverse_dynamics_scratch {
    atemi_kinematics          kinematics; ///< accelerations are relative to free fall
    struct atemi_force_block *forces;
    double                   *torques; ///< of every node
} atemi_inverse_dynamics_scratch;

/// Lays the scratch out on an arena.
atemi_inverse_dynamics_scratch atemi_inverse_dynamics_scratch_take(atemi_arena       *arena,
                                                                   const atemi_model *model);

/// Computes the joint torques that produce acceleration `a` in state `(q, v)`.
///
/// @param q        [q_count] configuration
/// @param v        [v_count] velocities, or NULL for rest
/// @param a        [v_count] accelerations, or NULL for zero
/// @param external [link_count] force of the surroundings onto each link, in world axes, moment
///                 about the link's origin; or NULL for none
/// @param scratch  overwritten
/// @param tau      [v_count] result, N m or N; may alias any input
///
/// With `a` NULL the result is the bias force h; with `v` NULL as well, the gravity load.
/// Rotor inertia is included, joint friction is not (see atemi_joint_friction()).
/// Cannot fail, does not allocate, touches no global state.
void atemi_inverse_dynamics_in(const atemi_model *model, const double *q, const double *v,
                               const double *a, const atemi_force *external,
                               atemi_inverse_dynamics_scratch *scratch, double *tau);

/// What a six-axis load cell in a joint measured in the last call: the force of the parent link
/// onto the child link, in the child link's axes, moment about the child link's origin.
///
/// @param joint any joint that moves, mimic joints included. The wrench of a fixed joint is not
///              computed: the links it joins are one body.
atemi_force atemi_joint_wrench_in(const atemi_model                    *model,
                                  const atemi_inverse_dynamics_scratch *scratch, int joint);
