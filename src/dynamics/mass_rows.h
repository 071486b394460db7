// SPDX-License-Identifier: Apache-2.0

/// @file
/// M over nodes, as the factor takes it.

#pragma once

#include "atemi/mass_matrix.h"
#include "dynamics/blocks.h"

/// Fills the lower triangle of M over nodes into the padded rows of the scratch. Elements right of
/// the diagonal are arbitrary.
void atemi_mass_rows(const atemi_model *model, const double *q, atemi_mass_matrix_scratch *s);

/// M of a robot with coupled joints over v, both triangles, from its rows over nodes.
void atemi_mass_reduce(const atemi_model *model, const double *rows, double *M, size_t stride);
