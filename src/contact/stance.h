// SPDX-License-Identifier: Apache-2.0

/// @file
/// A stance for callers that have the memory themselves. See atemi_stance_dynamics().

#pragma once

#include "atemi/contact.h"
#include "dynamics/inverse_dynamics.h"

/// Scratch of atemi_stance_dynamics_in().
typedef struct atemi_stance_scratch {
    atemi_inverse_dynamics_scratch inverse; ///< of the last call: atemi_joint_wrench_in() works
    atemi_force                   *loads;   ///< [link_count]
} atemi_stance_scratch;

/// Lays the scratch out on an arena.
atemi_stance_scratch atemi_stance_scratch_take(atemi_arena *arena, const atemi_model *model);

/// As atemi_stance_dynamics(), in the scratch.
atemi_stance_support atemi_stance_dynamics_in(const atemi_model *model, const double *q,
                                              const double *v, const double *a,
                                              const atemi_force         *external,
                                              const atemi_contact_point *points, int count,
                                              atemi_stance_scratch *scratch, double *tau,
                                              atemi_vec3 *forces);
