// SPDX-License-Identifier: Apache-2.0

/// @file
/// Row-major matrices, seen as rows: what the factorizations share.

#pragma once

#include <float.h>
#include <stdbool.h>
#include <stddef.h>

/// Whether the arguments describe a matrix. Without elements it needs no memory.
static inline bool rows_valid(int m, int n, const double *A, int stride)
{
    return m >= 0 && n >= 0 && (m == 0 || n == 0 || (A && stride >= n));
}

/// Row i.
static inline double *row_of(double *A, int stride, int i)
{
    return A + (ptrdiff_t)i * stride;
}

static inline const double *row_in(const double *A, int stride, int i)
{
    return A + (ptrdiff_t)i * stride;
}

/// a.b, in four independent sums so that additions need not wait for each other.
static inline double row_dot(int n, const double *a, const double *b)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int    j = 0;
    for (; j + 4 <= n; j += 4) {
        s0 += a[j] * b[j];
        s1 += a[j + 1] * b[j + 1];
        s2 += a[j + 2] * b[j + 2];
        s3 += a[j + 3] * b[j + 3];
    }
    for (; j < n; ++j) {
        s0 += a[j] * b[j];
    }
    return (s0 + s1) + (s2 + s3);
}

/// b -= s a
static inline void row_subtract(int n, double s, const double *restrict a, double *restrict b)
{
    for (int j = 0; j < n; ++j) {
        b[j] -= s * a[j];
    }
}

/// The relative size below which a pivot of an n x n matrix passes for rounding error.
///
/// Rounding contributes about n eps, and more where the rows before are nearly dependent: no test
/// of a single pivot finds every singular matrix. A factor of eight finds nine out of ten random
/// ones that have no pivoting, and all that are well conditioned otherwise.
static inline double pivot_tolerance(int n)
{
    return 8.0 * n * DBL_EPSILON;
}
