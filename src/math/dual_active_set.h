// SPDX-License-Identifier: Apache-2.0

/// @file
/// The point nearest to the origin between limits:  min |y|^2 / 2  with  lower <= M y <= upper.

#pragma once

#include "math/working_set.h"

#include <stdbool.h>

typedef enum dual_outcome { DUAL_SOLVED, DUAL_INFEASIBLE, DUAL_UNFINISHED } dual_outcome;

typedef struct dual_active_set {
    working_set  active;
    double      *value;         ///< [most] multipliers u of the active rows
    double      *change;        ///< [most] u - past, which rounding has not touched
    double      *wanted;        ///< [most] of change
    double      *halfway;       ///< [most] L^-1 of the right-hand side for that
    int          valid;         ///< how many of these still hold
    double      *direction;     ///< [most]
    double      *lower, *upper; ///< [count] of the rows of M
    double      *size;          ///< [count] lengths of the rows of M
    double       drift;         ///< length of what y is added to elsewhere, for rounding
    signed char *sides;         ///< [count] 1 at the upper limit, -1 at the lower one, 0 free
    double      *floor;         ///< [count] what a row may exceed its limit by, at least
    /// [count] multipliers that y does without: y = -M^T (u - past). Zero at first; near to the
    /// solution they make y short and exact.
    double *past;
    double *offset;  ///< [width] M^T past of the rows that are not active
    bool    shifted; ///< some of it is not zero
    int     limited; ///< rows with a finite limit
    int    *list;    ///< [limited] these
    double  length;  ///< of y and the drift
    double *product; ///< [limited] of M y
    double *y;       ///< [width]
    int     count, width;
    int     triangle; ///< rows before this one are zero before the diagonal
    bool resumes; ///< the active set is that of the last solution, and `past` has its multipliers
    const double *M;
    int           iterations, most_iterations;
    bool          implied; ///< some rows are met by the active ones, but for rounding
    int           still;   ///< iterations without progress
} dual_active_set;

dual_active_set atemi_dual_active_set_take(atemi_arena *arena, int variables, int count);

/// Finds y and its multipliers. `sides` is a guess at first; limits, sizes and M are the caller's.
dual_outcome atemi_dual_active_set_solve(dual_active_set *s);
