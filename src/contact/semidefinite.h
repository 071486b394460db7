// SPDX-License-Identifier: Apache-2.0

/// @file
/// Symmetric, positive semidefinite systems, whose rows may depend on each other.

#pragma once

/// How a system was solved.
typedef struct atemi_semidefinite_report {
    int    rank;
    double condition; ///< at least this is that of the regular part
    double left;      ///< the largest of what dependent rows ask beyond the others
} atemi_semidefinite_report;

/// Solves A x = b, with the least sum of squares where rows depend on each other.
///
/// @param A         [n x n] all of it; used up
/// @param tolerance relative to the largest, smaller pivots are rounding errors of A
/// @param pivot     [n] scratch
/// @param scratch      [n (n + 1)]
/// @param b         [n] becomes x
atemi_semidefinite_report atemi_semidefinite_solve(int n, double *A, double tolerance, int *pivot,
                                                   double *scratch, double *b);
