// SPDX-License-Identifier: Apache-2.0

/// @file
/// Small dense systems of equations, solved in place on the caller's memory.
///
/// Matrices are row-major, element (i, j) at `i * stride + j`. Nothing allocates. Factorizations
/// return false when the matrix is singular to working precision, and then leave the factor
/// unusable; `*_solve` overwrite the right-hand side.

#pragma once

#include "atemi/api.h"

#include <stdbool.h>

ATEMI_BEGIN

/// A = L L^T of a symmetric positive definite matrix; reads and writes the lower triangle.
ATEMI_API bool atemi_cholesky_factor(int n, double *A, int stride);
ATEMI_API void atemi_cholesky_solve(int n, const double *L, int stride, double *b);

/// P A = L U with partial pivoting; `pivot` has n entries.
ATEMI_API bool atemi_lu_factor(int n, double *A, int stride, int *pivot);
ATEMI_API void atemi_lu_solve(int n, const double *LU, int stride, const int *pivot, double *b);

/// An estimate of the condition number |A|_1 |A^-1|_1 from a factor [Hager84], at most the true
/// value and rarely less than a third of it. `norm` is |A|_1; `work` has 2 n entries.
ATEMI_API double atemi_lu_condition(int n, const double *LU, int stride, const int *pivot,
                                    double norm, double *work);

/// A P = Q R by Householder reflections with column pivoting, m x n with any shape. R is left in
/// the upper triangle, the reflections below it and in `tau` [min(m, n)]; `pivot` has n entries
/// and `work` n. It ends with the rank: what lies beyond it in both directions is shorter than the
/// tolerance and no triangle. O(m n rank).
/// @return the numerical rank: how many diagonal elements of R exceed `tolerance` times the first
ATEMI_API int atemi_qr_factor(int m, int n, double *A, int stride, double tolerance, double *tau,
                              int *pivot, double *work);

/// The basic least-squares solution of A x = b: the m entries of b are overwritten by Q^T b, the
/// n entries of x by the solution, with zeros for the columns beyond `rank`.
ATEMI_API void atemi_qr_solve(int m, int n, const double *QR, int stride, int rank,
                              const double *tau, const int *pivot, double *b, double *x);

/// The least-squares solution of least length: as atemi_qr_solve(), but where columns are dependent
/// all of them take part. `work` has (n - rank) (n + 1) entries.
ATEMI_API void atemi_qr_solve_least_norm(int m, int n, const double *QR, int stride, int rank,
                                         const double *tau, const int *pivot, double *b, double *x,
                                         double *work);

ATEMI_END
