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

/// The rows of a product that are found at a time.
enum { MATRIX_ROWS = 4 };

/// C += A B for a few rows of A and C at once: their sums do not wait for each other, and share
/// what is loaded of B. `apart` are the rows of A, and `next` the elements of one.
static inline __attribute__((always_inline)) void matrix_add_rows(const int rows, int n,
                                                                  const double *A, ptrdiff_t apart,
                                                                  ptrdiff_t next, const double *B,
                                                                  int width, double *C)
{
    for (int c = 0; c < width; c += ATEMI_LANES) {
        pack sums[MATRIX_ROWS];
        for (int r = 0; r < rows; ++r) {
            sums[r] = pack_at(row_in(C, width, r) + c);
        }
        for (int k = 0; k < n; ++k) {
            const pack row = pack_at(row_in(B, width, k) + c);
            for (int r = 0; r < rows; ++r) {
                sums[r] += A[r * apart + k * next] * row;
            }
        }
        for (int r = 0; r < rows; ++r) {
            pack_put(row_of(C, width, r) + c, sums[r]);
        }
    }
}

/// All m of them.
static inline void matrix_add_all_rows(int m, int n, const double *A, ptrdiff_t apart,
                                       ptrdiff_t next, const double *B, int width, double *C)
{
    int i = 0;
    for (; i + MATRIX_ROWS <= m; i += MATRIX_ROWS) {
        matrix_add_rows(MATRIX_ROWS, n, A + i * apart, apart, next, B, width, row_of(C, width, i));
    }
    for (; i + 2 <= m; i += 2) {
        matrix_add_rows(2, n, A + i * apart, apart, next, B, width, row_of(C, width, i));
    }
    if (i < m) {
        matrix_add_rows(1, n, A + i * apart, apart, next, B, width, row_of(C, width, i));
    }
}

/// C += A B, A [m x n], B and C with padded rows of `width`.
static inline void matrix_add_multiply(int m, int n, const double *A, int stride, const double *B,
                                       int width, double *C)
{
    matrix_add_all_rows(m, n, A, stride, 1, B, width, C);
}

/// C += A^T B, A [m x n], B and C with padded rows of `width`.
static inline void matrix_add_transposed(int m, int n, const double *A, int stride, const double *B,
                                         int width, double *C)
{
    matrix_add_all_rows(n, m, A, 1, stride, B, width, C);
}

/// Three padded rows from column c on, as many of their columns as a pack has lanes.
static inline pack3 matrix_columns3(const double *rows, int stride, int c)
{
    return (pack3){pack_at(rows + c), pack_at(row_in(rows, stride, 1) + c),
                   pack_at(row_in(rows, stride, 2) + c)};
}

static inline void matrix_put_columns3(double *rows, int stride, int c, pack3 value)
{
    pack_put(rows + c, value.x);
    pack_put(row_of(rows, stride, 1) + c, value.y);
    pack_put(row_of(rows, stride, 2) + c, value.z);
}

/// to = s from, for padded rows one behind the other.
static inline void matrix_scale(int size, double s, const double *from, double *to)
{
    for (int i = 0; i < size; i += ATEMI_LANES) {
        pack_put(to + i, s * pack_at(from + i));
    }
}

enum { MATRIX_TERMS = 8 };

/// y = sum of w_k x_k, of MATRIX_TERMS vectors at most that are as long as y and elsewhere. Those
/// without weight are not looked at.
static inline void matrix_combine(int terms, const double *w, const double *const *x, int count,
                                  double *y)
{
    double        weights[MATRIX_TERMS];
    const double *vectors[MATRIX_TERMS];
    int           n = 0, i = 0;
    for (int k = 0; k < terms; ++k) {
        if (w[k] != 0.0) {
            weights[n] = w[k];
            vectors[n++] = x[k];
        }
    }
    for (; i + ATEMI_LANES <= count; i += ATEMI_LANES) {
        pack sum = {0};
        for (int k = 0; k < n; ++k) {
            sum += weights[k] * pack_at(vectors[k] + i);
        }
        pack_put(y + i, sum);
    }
    for (; i < count; ++i) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) {
            sum += weights[k] * vectors[k][i];
        }
        y[i] = sum;
    }
}
