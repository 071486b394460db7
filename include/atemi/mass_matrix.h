// SPDX-License-Identifier: Apache-2.0

/// @file
/// The joint-space inertia M(q): itself, its sparse factor L^T D L, and solves with it.
///
/// M by the composite-rigid-body algorithm [Featherstone08, 6.2]; the factor keeps the zeros of
/// the tree [Featherstone08, 6.5]. Rotor inertia is on the diagonal.

#pragma once

#include "atemi/error.h"
#include "atemi/kinematics.h"

ATEMI_BEGIN

/// Scratch of the mass matrix.
typedef struct atemi_mass_matrix_scratch {
    atemi_kinematics              kinematics;
    struct atemi_composite_block *composites;
    double                       *rows; ///< lower triangle of M over nodes, padded rows
    double                       *run;  ///< one padded row
} atemi_mass_matrix_scratch;

/// Lays the scratch out on an arena.
ATEMI_API atemi_mass_matrix_scratch atemi_mass_matrix_scratch_take(atemi_arena       *arena,
                                                                   const atemi_model *model);

/// Computes M.
/// @param q [q_count] configuration
/// @param M [v_count x v_count] the whole symmetric matrix
ATEMI_API void atemi_mass_matrix_in(const atemi_model *model, const double *q,
                                    atemi_mass_matrix_scratch *scratch, double *M);

/// The factor of M at one configuration.
typedef struct atemi_mass_factor {
    atemi_mass_matrix_scratch scratch;
    double                   *rows;    ///< L below its diagonal of ones, padded rows of v_count
    double                   *columns; ///< the same, transposed
    double                   *inverse; ///< [v_count] 1 / D
    double                   *work;    ///< one padded row
} atemi_mass_factor;

/// Lays the factor out on an arena.
ATEMI_API atemi_mass_factor atemi_mass_factor_take(atemi_arena *arena, const atemi_model *model);

/// Computes M = L^T D L at q.
ATEMI_API void atemi_mass_factor_update(const atemi_model *model, const double *q,
                                        atemi_mass_factor *factor);

/// Whether solves with the factor mean something: every joint must move some mass, beyond rounding.
/// Massless links at the end of a chain do not, nor does a point mass on the axis it turns about.
/// What a rotor adds counts.
/// @return ATEMI_ERROR_SINGULAR with the name of the joint. O(v_count).
ATEMI_API atemi_status atemi_mass_factor_check(const atemi_model       *model,
                                               const atemi_mass_factor *factor, atemi_error *error);

/// Solves M x = b in place: `x` holds b before and x after the call.
ATEMI_API void atemi_mass_factor_solve(const atemi_model *model, atemi_mass_factor *factor,
                                       double *x);

ATEMI_END
