// SPDX-License-Identifier: Apache-2.0

/// @file
/// M over nodes, as the factor takes it.

#pragma once

#include "dynamics/blocks.h"
#include "dynamics/mass_matrix.h"

/// Fills the lower triangle of M over nodes into the padded rows of the scratch, at the poses of
/// `k`. Elements right of the diagonal are arbitrary.
void atemi_mass_rows(const atemi_model *model, const atemi_kinematics *k,
                     atemi_mass_matrix_scratch *s);

/// Computes M at the poses of `k`, which need not be those of the scratch.
void atemi_mass_matrix_fill(const atemi_model *model, const atemi_kinematics *k,
                            atemi_mass_matrix_scratch *s, double *M);

/// The factor of M at poses that are known already.
void atemi_mass_factor_at(const atemi_model *model, const atemi_kinematics *k,
                          atemi_mass_factor *factor);

/// The same in two stages, for callers that add to the diagonal of M in between: `M_kk` is
/// atemi_mass_factor_diagonal() after the first.
void    atemi_mass_factor_fill(const atemi_model *model, const atemi_kinematics *k,
                               atemi_mass_factor *factor);
double *atemi_mass_factor_diagonal(const atemi_model *model, atemi_mass_factor *factor, int k);
void    atemi_mass_factor_eliminate(const atemi_model *model, atemi_mass_factor *factor);

/// Whether M was positive definite, so that solves with its factor mean something.
bool atemi_mass_factor_regular(const atemi_model *model, const atemi_mass_factor *factor);

/// The length of a padded row of the factor.
size_t atemi_mass_factor_stride(const atemi_model *model);

/// L^T y = b in place.
/// @param y [atemi_mass_factor_stride()]
void atemi_mass_factor_inward(const atemi_model *model, const atemi_mass_factor *factor, double *y);

/// L x = y in place, for y in the factor's own `work`.
void atemi_mass_factor_outward(const atemi_model *model, atemi_mass_factor *factor);

/// M of a robot with coupled joints over v, both triangles, from its rows over nodes.
void atemi_mass_reduce(const atemi_model *model, const double *rows, double *M, size_t stride);
