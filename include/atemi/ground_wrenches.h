// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the ground does to the links that stand on it, from a known motion and known torques.
///
///     G^T wrenches = M a + h - tau - J^T external
///
/// with the Jacobians of the links in G. Other than in atemi/stance.h the torques are known, and
/// with them what several feet push against each other. Links that share their load in more than
/// one way (two on one body) do it with the least sum of squares.

#pragma once

#include "atemi/inverse_dynamics.h"

ATEMI_BEGIN

/// Scratch of atemi_ground_wrenches_in().
typedef struct atemi_ground_wrenches_scratch {
    int                            max_links;
    atemi_inverse_dynamics_scratch inverse; ///< of the last call: atemi_joint_wrench_in() works
    atemi_force                   *loads;   ///< [link_count]
    double                        *rows;    ///< [6 x v_count]
    double                        *columns; ///< [v_count x 6 max_links]
    double                        *rest, *answer, *tau, *work;
    int                           *pivot;
} atemi_ground_wrenches_scratch;

/// Lays the scratch out on an arena.
ATEMI_API atemi_ground_wrenches_scratch atemi_ground_wrenches_scratch_take(atemi_arena       *arena,
                                                                           const atemi_model *model,
                                                                           int max_links);

/// Computes the wrenches.
///
/// @param q        [q_count], `v` and `a` [v_count] the motion; `a` NULL for none, `v` likewise
/// @param tau      [v_count] in the joints, friction included
/// @param external [link_count] other forces onto the links, world axes, moments about the links'
///                 origins; or NULL for none
/// @param links    [count] that stand on the ground, at most `max_links`
/// @param scratch  overwritten
/// @param wrenches [count] of the ground onto the links, world axes, moments about their origins
/// @return the largest part of the equation that no wrench explains, N or N m: a motion or torques
///         that do not belong together
///
/// O(v_count count^2). Cannot fail, does not allocate.
ATEMI_API double atemi_ground_wrenches_in(const atemi_model *model, const double *q,
                                          const double *v, const double *a, const double *tau,
                                          const atemi_force *external, const int *links, int count,
                                          atemi_ground_wrenches_scratch *scratch,
                                          atemi_force                   *wrenches);

ATEMI_END
