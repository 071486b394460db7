// SPDX-License-Identifier: Apache-2.0

/// @file
/// The joint-space inertia M(q) for callers that have the memory themselves: itself, its sparse
/// factor L^T D L, and solves with it. See atemi/dynamics.h.

#pragma once

#include "atemi/base.h"
#include "dynamics/kinematics.h"

/// Scratch of the mass matrix.
typedef struct atemi_mass_matrix_scratch {
    atemi_kinematics              kinematics;
    struct atemi_composite_block *composites;
    double                       *rows; ///< lower triangle of M over nodes, padded rows
    double                       *run;  ///< one padded row
} atemi_mass_matrix_scratch;

/// Lays the scratch out on an arena.
atemi_mass_matrix_scratch atemi_mass_matrix_scratch_take(atemi_arena       *arena,
                                                         const atemi_model *model);

/// Lays one out that has no kinematics of its own, for atemi_mass_matrix_fill().
atemi_mass_matrix_scratch atemi_mass_matrix_scratch_take_at(atemi_arena       *arena,
                                                            const atemi_model *model);

/// Computes M.
/// @param q [q_count] configuration
/// @param M [v_count x v_count] the whole symmetric matrix
void atemi_mass_matrix_in(const atemi_model *model, const double *q,
                          atemi_mass_matrix_scratch *scratch, double *M);

/// The factor of M at one configuration.
typedef struct atemi_mass_factor {
    atemi_mass_matrix_scratch scratch;
    double                   *rows;    ///< L below its diagonal of ones, padded rows of v_count
    double                   *columns; ///< the same, transposed
    double                   *inverse; ///< [v_count] 1 / D
    double                   *work;    ///< one padded row
} atemi_mass_factor;

/// Lays a factor out that has no kinematics of its own, for callers that have them: only
/// atemi_mass_factor_update() is not for it.
atemi_mass_factor atemi_mass_factor_take_at(atemi_arena *arena, const atemi_model *model);

/// Lays the factor out on an arena.
atemi_mass_factor atemi_mass_factor_take(atemi_arena *arena, const atemi_model *model);

/// Computes M = L^T D L at q.
void atemi_mass_factor_update(const atemi_model *model, const double *q, atemi_mass_factor *factor);

/// Whether solves with the factor mean something: every joint must move some mass, beyond rounding.
/// Massless links at the end of a chain do not, nor does a point mass on the axis it turns about.
/// What a rotor adds counts.
/// @return ATEMI_ERROR_SINGULAR with the name of the joint. O(v_count).
atemi_status atemi_mass_factor_check(const atemi_model *model, const atemi_mass_factor *factor,
                                     atemi_error *error);

/// Solves M x = b in place: `x` holds b before and x after the call.
void atemi_mass_factor_solve(const atemi_model *model, atemi_mass_factor *factor, double *x);
