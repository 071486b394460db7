// SPDX-License-Identifier: Apache-2.0

/// @file
/// The centroidal momentum matrix A(q): momentum about the centre of mass = A v.

#pragma once

#include "atemi/kinematics.h"

ATEMI_BEGIN

/// Scratch of the momentum matrix.
typedef struct atemi_momentum_matrix_scratch {
    atemi_kinematics              kinematics;
    struct atemi_composite_block *composites;
} atemi_momentum_matrix_scratch;

/// Lays the scratch out on an arena.
ATEMI_API atemi_momentum_matrix_scratch
atemi_momentum_matrix_scratch_take(atemi_arena *arena, const atemi_model *model);

/// Computes A in world axes, linear rows first.
/// @param q [q_count] configuration
/// @param A [6 x v_count] row-major
ATEMI_API void atemi_momentum_matrix_in(const atemi_model *model, const double *q,
                                        atemi_momentum_matrix_scratch *scratch, double *A);

ATEMI_END
