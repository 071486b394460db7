// SPDX-License-Identifier: Apache-2.0

/// @file
/// Sums of padded rows with weights, and products with several rows at once: four registers at a
/// time, so that no addition waits for the one before.

#pragma once

#include "math/pack.h"
#include "math/rows.h"

/// y += sum of x_k row k over k in [from, to), in the columns [first, end), both multiples of
/// ATEMI_LANES.
static inline void combination_add(int from, int to, const double *A, int stride, const double *x,
                                   int first, int end, double *y)
{
    int c = first;
    for (; c + 4 * ATEMI_LANES <= end; c += 4 * ATEMI_LANES) {
        pack s0 = pack_at(y + c), s1 = pack_at(y + c + ATEMI_LANES);
        pack s2 = pack_at(y + c + 2 * ATEMI_LANES), s3 = pack_at(y + c + 3 * ATEMI_LANES);
        for (int k = from; k < to; ++k) {
            const double *a = row_in(A, stride, k) + c;
            const double  s = x[k];
            s0 += s * pack_at(a);
            s1 += s * pack_at(a + ATEMI_LANES);
            s2 += s * pack_at(a + 2 * ATEMI_LANES);
            s3 += s * pack_at(a + 3 * ATEMI_LANES);
        }
        pack_put(y + c, s0);
        pack_put(y + c + ATEMI_LANES, s1);
        pack_put(y + c + 2 * ATEMI_LANES, s2);
        pack_put(y + c + 3 * ATEMI_LANES, s3);
    }
    for (; c < end; c += ATEMI_LANES) {
        pack even = pack_at(y + c), odd = {0};
        int  k = from;
        for (; k + 2 <= to; k += 2) {
            even += x[k] * pack_at(row_in(A, stride, k) + c);
            odd += x[k + 1] * pack_at(row_in(A, stride, k + 1) + c);
        }
        if (k < to) {
            even += x[k] * pack_at(row_in(A, stride, k) + c);
        }
        pack_put(y + c, even + odd);
    }
}

/// The same of an upper triangle: row k is zero before its column k.
static inline void combination_add_upper(int from, int to, const double *U, int stride,
                                         const double *x, double *y)
{
    for (int c = from / ATEMI_LANES * ATEMI_LANES; c < stride; c += 4 * ATEMI_LANES) {
        const int end = c + 4 * ATEMI_LANES < stride ? c + 4 * ATEMI_LANES : stride;
        combination_add(from, to < end ? to : end, U, stride, x, c, end, y);
    }
}

/// y_j = (row rows[j] of A) . x for `count` padded rows, which ascend if there is a triangle: row
/// k < triangle is zero before its column k.
static inline void combination_dots(int count, const int *rows, int triangle, const double *A,
                                    int stride, const double *x, double *y)
{
    int j = 0;
    for (; j + 4 <= count; j += 4) {
        const int     first = rows[j] < triangle ? rows[j] / ATEMI_LANES * ATEMI_LANES : 0;
        const double *a = row_in(A, stride, rows[j]), *b = row_in(A, stride, rows[j + 1]);
        const double *d = row_in(A, stride, rows[j + 2]), *e = row_in(A, stride, rows[j + 3]);
        pack          s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (int k = rows[j + 3] < triangle ? first : 0; k < stride; k += ATEMI_LANES) {
            const pack v = pack_at(x + k);
            s0 += v * pack_at(a + k);
            s1 += v * pack_at(b + k);
            s2 += v * pack_at(d + k);
            s3 += v * pack_at(e + k);
        }
        y[j] = pack_sum(s0);
        y[j + 1] = pack_sum(s1);
        y[j + 2] = pack_sum(s2);
        y[j + 3] = pack_sum(s3);
    }
    for (; j < count; ++j) {
        const double *a = row_in(A, stride, rows[j]);
        pack          sum = {0};
        for (int k = 0; k < stride; k += ATEMI_LANES) {
            sum += pack_at(x + k) * pack_at(a + k);
        }
        y[j] = pack_sum(sum);
    }
}

/// y -= sum of x_k (row rows[k] of A), padded.
static inline void combination_subtract(int count, const int *rows, const double *A, int stride,
                                        const double *x, double *y)
{
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        const double *a = row_in(A, stride, rows[k]), *b = row_in(A, stride, rows[k + 1]);
        const double *d = row_in(A, stride, rows[k + 2]), *e = row_in(A, stride, rows[k + 3]);
        for (int c = 0; c < stride; c += ATEMI_LANES) {
            const pack first = x[k] * pack_at(a + c) + x[k + 1] * pack_at(b + c);
            const pack second = x[k + 2] * pack_at(d + c) + x[k + 3] * pack_at(e + c);
            pack_put(y + c, pack_at(y + c) - (first + second));
        }
    }
    for (; k < count; ++k) {
        const double *a = row_in(A, stride, rows[k]);
        for (int c = 0; c < stride; c += ATEMI_LANES) {
            pack_put(y + c, pack_at(y + c) - x[k] * pack_at(a + c));
        }
    }
}

/// a . b of padded vectors.
static inline double combination_dot(int stride, const double *a, const double *b)
{
    pack even = {0}, odd = {0};
    int  k = 0;
    for (; k + 2 * ATEMI_LANES <= stride; k += 2 * ATEMI_LANES) {
        even += pack_at(a + k) * pack_at(b + k);
        odd += pack_at(a + k + ATEMI_LANES) * pack_at(b + k + ATEMI_LANES);
    }
    if (k < stride) {
        even += pack_at(a + k) * pack_at(b + k);
    }
    return pack_sum(even + odd);
}
