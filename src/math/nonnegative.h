// SPDX-License-Identifier: Apache-2.0

/// @file
/// Nonnegative least squares.

#pragma once

#include "atemi/arena.h"

#include <stdbool.h>

/// Workspace for `columns` columns of `length` elements at most.
typedef struct nonnegative {
    int     columns, length;
    double *sizes;           ///< [columns] their lengths
    bool   *used, *rejected; ///< [columns]
    int    *list;            ///< [length + 1] columns in use
    double *value, *wanted;  ///< [length + 1] of these
    double *A, *right, *residual, *tau, *work;
    int    *pivot;
} nonnegative;

nonnegative nonnegative_take(atemi_arena *arena, int columns, int length);

/// Minimizes |sum of u_j E_j - f| over u >= 0.
/// @param count  of the columns E_j, which stand one behind the other: E is [count x length]
/// @param u      [count] result
/// @return whether no column would take more off the residual, but for rounding
bool nonnegative_solve(nonnegative *work, int count, int length, const double *E, const double *f,
                       double *u);
