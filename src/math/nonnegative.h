// SPDX-License-Identifier: Apache-2.0

/// @file
/// Nonnegative least squares, and the quadratic programs that follow from it: least distance.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>

/// Workspace for `columns` columns of `length` elements at most; for least distance of length + 1.
typedef struct nonnegative {
    int     columns, length;
    double *sizes;           ///< [columns] their lengths
    bool   *used, *rejected; ///< [columns]
    int    *list;            ///< [length + 1] columns in use
    double *value, *wanted;  ///< [length + 1] of these
    double *Q, *R;           ///< [length + 1] rows: their orthonormal basis, and shares of it
    double *along;           ///< [length + 1] along the basis
    double *residual, *rest, *unit; ///< [length + 1, padded]
} nonnegative;

nonnegative nonnegative_take(atemi_arena *arena, int columns, int length);

/// Minimizes |sum of u_j E_j - f| over u >= 0.
/// @param count  of the columns E_j, which stand one behind the other: E is [count x length]
/// @param u      [count] result; at first, a guess: columns above 0 are in use first
/// @return whether no column would take more off the residual, but for rounding
bool nonnegative_solve(nonnegative *work, int count, int length, const double *E, const double *f,
                       double *u);

/// Finds the shortest z with G z >= h. The rows (G_i, h_i) stand one behind the other.
/// @param count    of the rows, of length + 1 elements each
/// @param z        [length] result
/// @param u        [count] at first a guess, as above; result: z = sum of u_i G_i, and u_i = 0
/// where a row is not active
/// @return false where no z meets all rows
bool least_distance_solve(nonnegative *work, int count, int length, const double *rows, double *z,
                          double *u);
