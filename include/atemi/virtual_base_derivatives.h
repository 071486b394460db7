// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer impact. How a virtual base (atemi/virtual_base.h) changes with the posture of the robot,
/// exactly, along several directions at once.
///
/// A direction is a change of the configuration as in atemi/derivatives.h: v_count numbers. Each
/// quantity has a row of derivatives, one for each direction.

#pragma once

#include "atemi/virtual_base.h"

ATEMI_BEGIN

/// The derivatives of a virtual base, and what is needed to find them.
typedef struct atemi_virtual_base_derivatives atemi_virtual_base_derivatives;

/// Lays them out on an arena.
/// @param links      grounded ones, at most
/// @param directions at most
/// @return NULL while measuring
ATEMI_API atemi_virtual_base_derivatives *
atemi_virtual_base_derivatives_take(atemi_arena *arena, const atemi_model *model, int links,
                                    int directions);

/// Finds the derivatives of C, c, the virtual mass and the point's Jacobian.
///
/// @param ground, point as in atemi_virtual_base_update(), which has found `base` with them
/// @param dq    [v_count x stride] a change of the configuration in each column
/// @param count of the directions
/// @param stride of the rows of dq, at least `count`
/// @return ATEMI_ERROR_INPUT where grounded links are heavy: only fixed ones have derivatives;
///         ATEMI_ERROR_SINGULAR where grounded links depend on each other
///
/// O(v_count^3 directions). No allocation.
ATEMI_API atemi_status atemi_virtual_base_derivatives_find(
    const atemi_model *model, const atemi_ground *ground, const atemi_striking_point *point,
    const atemi_virtual_base *base, const double *dq, int count, int stride,
    atemi_virtual_base_derivatives *derivatives, atemi_error *error);

/// How a virtual base changes: rows of `stride`, good until the next call of
/// atemi_virtual_base_derivatives_find().
typedef struct atemi_virtual_base_slopes {
    int           stride;
    const double *mass;     ///< [stride] of the virtual mass m_a, kg
    const double *response; ///< [v_count x stride] of c
    const double *jacobian; ///< [v_count x stride] of n^T J
} atemi_virtual_base_slopes;

/// The slopes that were found last.
ATEMI_API atemi_virtual_base_slopes
atemi_virtual_base_slopes_of(const atemi_virtual_base_derivatives *derivatives);

ATEMI_END
