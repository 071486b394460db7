// SPDX-License-Identifier: Apache-2.0

/// @file
/// Forward dynamics: the acceleration that given joint torques produce.
///
///     M(q) a + h(q, v) = tau + sum_i J_i(q)^T external_i
///
/// In O(bodies) by articulated-body inertias [Featherstone08, 7]; M is never formed. Robots with
/// coupled (mimic) joints, whose M has not the shape of a tree, go by the factor of M.

#pragma once

#include "atemi/inverse_dynamics.h"
#include "atemi/mass_matrix.h"

ATEMI_BEGIN

/// Scratch of forward dynamics.
typedef struct atemi_forward_dynamics_scratch {
    atemi_inverse_dynamics_scratch bias;
    struct atemi_composite_block  *bodies; ///< the rigid bodies in world axes
    struct atemi_articulated_node *nodes;  ///< the articulated bodies
    atemi_mass_factor              factor; ///< only of robots with coupled joints
    double                        *load;   ///< [v_count] tau - h
} atemi_forward_dynamics_scratch;

/// Lays the scratch out on an arena.
ATEMI_API atemi_forward_dynamics_scratch
atemi_forward_dynamics_scratch_take(atemi_arena *arena, const atemi_model *model);

/// Computes the acceleration in state `(q, v)` under the torques `tau`.
///
/// @param v        [v_count] or NULL for rest
/// @param tau      [v_count] or NULL for none
/// @param external [link_count] as in atemi_inverse_dynamics_in(), or NULL
/// @param a        [v_count] result; may alias `tau` or `v`
///
/// @return ATEMI_ERROR_SINGULAR if a joint moves no mass, and then `a` is not touched:
///         atemi_mass_factor_check() names the joint
///
/// Does not allocate.
ATEMI_API atemi_status atemi_forward_dynamics_in(const atemi_model *model, const double *q,
                                                 const double *v, const double *tau,
                                                 const atemi_force              *external,
                                                 atemi_forward_dynamics_scratch *scratch,
                                                 double                         *a);

ATEMI_END
