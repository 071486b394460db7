// SPDX-License-Identifier: Apache-2.0

/// @file
/// Products with small matrices of padded rows.

#pragma once

#include "math/pack.h"
#include "math/rows.h"

/// The length of a padded row.
static inline int matrix_stride(int n)
{
    return (n + ATEMI_LANES - 1) / ATEMI_LANES * ATEMI_LANES;
}

/// a.b, a pack at a time; rows need no padding.
static inline double matrix_dot(int n, const double *a, const double *b)
{
    pack   sum = {0};
    double rest = 0.0;
    int    i = 0;
    for (; i + ATEMI_LANES <= n; i += ATEMI_LANES) {
        sum += pack_at(a + i) * pack_at(b + i);
    }
    for (; i < n; ++i) {
        rest += a[i] * b[i];
    }
    return pack_sum(sum) + rest;
}

/// y += A^T x for n padded rows of A; y is as long as they are.
static inline void matrix_add_product(int n, const double *A, int stride, const double *x,
                                      double *y)
{
    for (int k = 0; k < stride; k += ATEMI_LANES) {
        pack even = pack_at(y + k), odd = {0};
        int  i = 0;
        for (; i + 2 <= n; i += 2) {
            even += x[i] * pack_at(row_in(A, stride, i) + k);
            odd += x[i + 1] * pack_at(row_in(A, stride, i + 1) + k);
        }
        if (i < n) {
            even += x[i] * pack_at(row_in(A, stride, i) + k);
        }
        pack_put(y + k, even + odd);
    }
}

/// y_i = row i of A times x, for padded rows and x.
static inline void matrix_dot_rows(int n, const double *A, int stride, const double *x, double *y)
{
    for (int i = 0; i < n; ++i) {
        const double *row = row_in(A, stride, i);
        pack          sum = pack_at(row) * pack_at(x);
        for (int k = ATEMI_LANES; k < stride; k += ATEMI_LANES) {
            sum += pack_at(row + k) * pack_at(x + k);
        }
        y[i] = pack_sum(sum);
    }
}

/// C += A B, A [m x n], B and C with padded rows of `width`. Two rows at a time, which share what
/// is loaded of B.
static inline void matrix_add_multiply(int m, int n, const double *A, int stride, const double *B,
                                       int width, double *C)
{
    for (int i = 0; i < m; i += 2) {
        const int     pair = i + 1 < m;
        const double *a = row_in(A, stride, i), *b = row_in(A, stride, i + pair);
        for (int c = 0; c < width; c += ATEMI_LANES) {
            pack first = pack_at(row_in(C, width, i) + c);
            pack second = pack_at(row_in(C, width, i + pair) + c);
            for (int k = 0; k < n; ++k) {
                const pack row = pack_at(row_in(B, width, k) + c);
                first += a[k] * row;
                second += b[k] * row;
            }
            pack_put(row_of(C, width, i + pair) + c, second);
            pack_put(row_of(C, width, i) + c, first);
        }
    }
}

/// C += A^T B, A [m x n], B and C with padded rows of `width`. Two rows of C at a time.
static inline void matrix_add_transposed(int m, int n, const double *A, int stride, const double *B,
                                         int width, double *C)
{
    for (int i = 0; i < n; i += 2) {
        const int pair = i + 1 < n;
        for (int c = 0; c < width; c += ATEMI_LANES) {
            pack first = pack_at(row_in(C, width, i) + c);
            pack second = pack_at(row_in(C, width, i + pair) + c);
            for (int k = 0; k < m; ++k) {
                const double *a = row_in(A, stride, k) + i;
                const pack    row = pack_at(row_in(B, width, k) + c);
                first += a[0] * row;
                second += a[pair] * row;
            }
            pack_put(row_of(C, width, i + pair) + c, second);
            pack_put(row_of(C, width, i) + c, first);
        }
    }
}

/// to = s from, for padded rows one behind the other.
static inline void matrix_scale(int size, double s, const double *from, double *to)
{
    for (int i = 0; i < size; i += ATEMI_LANES) {
        pack_put(to + i, s * pack_at(from + i));
    }
}
