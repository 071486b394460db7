// SPDX-License-Identifier: Apache-2.0

/// @file
/// The weighted pseudoinverse: of all v with A v = b the one with the least sum of weight v^2,
///
///     v = W^-1 A^T (A W^-1 A^T)^-1 b                                        ([STRIKE] eq. 10)
///
/// and where none meets all rows, of those that come nearest. By QR factors that reveal the rank;
/// A W^-1 A^T is never formed.

#pragma once

#include "atemi/arena.h"

#include <stdbool.h>

ATEMI_BEGIN

/// The factors of one A, of at most `max_rows` x `max_columns`.
typedef struct atemi_least_rates {
    int           max_rows, max_columns;
    int           rows, columns, rank;
    const double *A; ///< the caller's

    // Columns that cost nothing are eliminated first; the rest is scaled by 1 / sqrt(weight).
    int     free_count, paid_count, free_rank, paid_rank;
    bool    independent;                 ///< the rows that are left to those that cost
    int    *free_columns, *paid_columns; ///< which of A
    double *scale;                       ///< [paid_count]
    double *free_factor;                 ///< [rows x free_count]
    double *paid_rows;                   ///< [(rows - free_rank) x paid_count]
    double *paid_factor; ///< of their transpose if they are independent, otherwise of themselves
    double *free_tau, *paid_tau;
    int    *free_pivot, *paid_pivot;
    double *right, *part, *work;
} atemi_least_rates;

/// Lays the factors out on an arena.
ATEMI_API atemi_least_rates atemi_least_rates_take(atemi_arena *arena, int max_rows,
                                                   int max_columns);

/// Factors A, which must stay as it is until the last solve.
///
/// @param A       [rows x columns] row-major
/// @param weights [columns] not negative. 0: the rate costs nothing; INFINITY: it takes no part.
///                NULL for 1 everywhere
/// @return the rank of A without the columns that take no part
ATEMI_API int atemi_least_rates_factor(int rows, int columns, const double *A,
                                       const double *weights, atemi_least_rates *least);

/// Solves for one right-hand side.
/// @param b [rows]
/// @param v [columns] result
/// @return the largest |A v - b| of a row
ATEMI_API double atemi_least_rates_solve(atemi_least_rates *least, const double *b, double *v);

ATEMI_END
