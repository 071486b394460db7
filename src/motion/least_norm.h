// SPDX-License-Identifier: Apache-2.0

/// @file
/// The weighted pseudoinverse: of all v with A v = b the one with the least sum of weight v^2,
///
///     v = W^-1 A^T (A W^-1 A^T)^-1 b                                        ([STRIKE] eq. 10)
///
/// and where none meets all rows, of those that come nearest. By QR factors that reveal the rank;
/// A W^-1 A^T is never formed.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>

/// The factors of one A, of at most `max_rows` x `max_columns`.
typedef struct atemi_least_norm {
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
    double *right, *shorter, *work;
} atemi_least_norm;

/// Lays the factors out on an arena. NULL from one that only measures.
atemi_least_norm *atemi_least_norm_take(atemi_arena *arena, int max_rows, int max_columns);

/// Factors A, which must stay as it is until the last solve.
///
/// @param A       [rows x columns] row-major
/// @param weights [columns] not negative. 0: the velocity costs nothing; INFINITY: it stays 0.
///                NULL for 1 everywhere
/// @return the rank of A without those columns
int atemi_least_norm_factor(int rows, int columns, const double *A, const double *weights,
                            atemi_least_norm *least);

/// Solves for one right-hand side.
/// @param b [rows]
/// @param v [columns] result
/// @return the largest |A v - b| of a row
double atemi_least_norm_solve(atemi_least_norm *least, const double *b, double *v);
