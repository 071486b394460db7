// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_symmetric.h"

#include <string.h>

// A number's parts side by side, so that two products do for one of complex numbers:
//
//   (b.re, b.im) (c.re, c.im) = (rr, ii),   (b.re, b.im) (c.im, c.re) = (ri, ir)
//   b c = (rr - ii) + i (ri + ir)
typedef double both __attribute__((vector_size(64)));

typedef struct sums {
    both straight, crossed;
} sums;

static inline both parts_of(const atemi_blow_lane *a)
{
    both value;
    memcpy(&value, a, sizeof value);
    return value;
}

static inline both swapped(both a)
{
    return __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3);
}

static inline atemi_blow_lane subtract_sums(atemi_blow_lane a, const sums *s)
{
    atemi_blow_lane straight, crossed;
    memcpy(&straight, &s->straight, sizeof straight);
    memcpy(&crossed, &s->crossed, sizeof crossed);
    return (atemi_blow_lane){a.re - (straight.re - straight.im), a.im - (crossed.re + crossed.im)};
}

// a - sum_k b_k c_k
static inline atemi_blow_lane subtract_products(int n, atemi_blow_lane a, const atemi_blow_lane *b,
                                                const atemi_blow_lane *c)
{
    sums even = {0}, odd = {0};
    int  k = 0;
    for (; k + 2 <= n; k += 2) {
        const both x = parts_of(b + k), y = parts_of(c + k);
        const both z = parts_of(b + k + 1), w = parts_of(c + k + 1);
        even.straight += x * y;
        even.crossed += x * swapped(y);
        odd.straight += z * w;
        odd.crossed += z * swapped(w);
    }
    if (k < n) {
        even.straight += parts_of(b + k) * parts_of(c + k);
        even.crossed += parts_of(b + k) * swapped(parts_of(c + k));
    }
    const sums all = {even.straight + odd.straight, even.crossed + odd.crossed};
    return subtract_sums(a, &all);
}

// The same for two rows b at once, which share what is loaded of c; `turned` is c swapped.
static inline void subtract_from_pair(int n, atemi_blow_lane *b0, atemi_blow_lane *b1,
                                      const atemi_blow_lane *c, const atemi_blow_lane *turned)
{
    sums s0 = {0}, s1 = {0};
    for (int k = 0; k < n; ++k) {
        const both y = parts_of(c + k), z = parts_of(turned + k);
        const both x0 = parts_of(b0 + k), x1 = parts_of(b1 + k);
        s0.straight += x0 * y;
        s0.crossed += x0 * z;
        s1.straight += x1 * y;
        s1.crossed += x1 * z;
    }
    b0[n] = subtract_sums(b0[n], &s0);
    b1[n] = subtract_sums(b1[n], &s1);
}

// Column j below the diagonal, for the finished row j.
static void fill_column(int n, int j, atemi_blow_lane *A, atemi_blow_lane *work)
{
    const atemi_blow_lane *row = symmetric_row(A, j);
    int                    i = j + 1;
    for (int k = 0; k < j; ++k) {
        work[k] = (atemi_blow_lane){row[k].im, row[k].re};
    }
    for (; i + 2 <= n; i += 2) {
        subtract_from_pair(j, symmetric_row(A, i), symmetric_row(A, i + 1), row, work);
    }
    if (i < n) {
        atemi_blow_lane *below = symmetric_row(A, i);
        below[j] = subtract_products(j, below[j], below, row);
    }
}

// Row j times D stands in `work` meanwhile.
void atemi_blow_symmetric_factor(int n, atemi_blow_lane *A, atemi_blow_lane *work)
{
    for (int j = 0; j < n; ++j) {
        atemi_blow_lane *row = symmetric_row(A, j);
        for (int k = 0; k < j; ++k) {
            work[k] = row[k];
            row[k] = lane_multiply(row[k], symmetric_row(A, k)[k]);
        }
        row[j] = lane_invert(subtract_products(j, row[j], row, work));
        fill_column(n, j, A, work);
    }
}

// Takes rows i and i - 1 of L^T out of the first n of x, after row i out of x_(i - 1).
static inline void subtract_rows(int n, atemi_blow_lane *factor, int i, atemi_blow_lane *x)
{
    const atemi_blow_lane *row = symmetric_row(factor, i), *above = symmetric_row(factor, i - 1);
    x[i - 1] = lane_subtract_product(x[i - 1], row[i - 1], x[i]);
    const atemi_blow_lane a = x[i], b = x[i - 1];
    for (int k = 0; k < n; ++k) {
        x[k] = lane_subtract_product(lane_subtract_product(x[k], row[k], a), above[k], b);
    }
}

void atemi_blow_symmetric_solve(int n, atemi_blow_lane *factor, atemi_blow_lane *x)
{
    for (int i = 0; i < n; ++i) {
        x[i] = subtract_products(i, x[i], symmetric_row(factor, i), x);
    }
    for (int i = 0; i < n; ++i) {
        x[i] = lane_multiply(x[i], symmetric_row(factor, i)[i]);
    }
    int i = n - 1;
    for (; i > 1; i -= 2) {
        subtract_rows(i - 1, factor, i, x);
    }
    if (i == 1) {
        x[0] = lane_subtract_product(x[0], symmetric_row(factor, 1)[0], x[1]);
    }
}
