// SPDX-License-Identifier: Apache-2.0

#include "math/elimination.h"

#include "math/rows.h"

#include <math.h>
#include <string.h>

// Gaussian elimination with partial pivoting [GolubVanLoan13, 3.4] of [A | b]: step k takes the row
// with the largest A_ik to place k, and then, from the rows i below,
//
//   A_ij -= A_ik / U_kk U_kj,   b_i -= A_ik / U_kk b_k
//
// The factors are not needed, so every row is changed from the pack on that has its element k:
// what is left of that is never read again. As in lu.c, a pivot of n eps of the largest element of
// its column of U is rounding error.

// The pack of a row that has element k.
static int pack_with(int k)
{
    return k / ATEMI_LANES * ATEMI_LANES;
}

static int row_of_pivot(int n, const double *A, int stride, int k)
{
    int    best = k;
    double most = fabs(row_in(A, stride, k)[k]);
    for (int i = k + 1; i < n; ++i) {
        const double size = fabs(row_in(A, stride, i)[k]);
        best = size > most ? i : best;
        most = size > most ? size : most;
    }
    return best;
}

static void swap_rows(double *A, int stride, int k, int other)
{
    double *a = row_of(A, stride, k), *b = row_of(A, stride, other);
    for (int j = pack_with(k); j < stride; j += ATEMI_LANES) {
        const pack kept = pack_at(a + j);
        pack_put(a + j, pack_at(b + j));
        pack_put(b + j, kept);
    }
}

static bool is_regular(int n, const double *A, int stride, int k)
{
    const double pivot = fabs(row_in(A, stride, k)[k]);
    double       most = pivot;
    for (int j = 0; j < k; ++j) {
        const double above = fabs(row_in(A, stride, j)[k]);
        most = above > most ? above : most;
    }
    return pivot > pivot_tolerance(n) * most;
}

static void eliminate_column(int n, double *A, int stride, int k)
{
    const double *from = row_in(A, stride, k);
    const double  inverse = 1.0 / from[k];
    for (int i = k + 1; i < n; ++i) {
        double      *row = row_of(A, stride, i);
        const double part = row[k] * inverse;
        for (int j = pack_with(k); j < stride; j += ATEMI_LANES) {
            pack_put(row + j, pack_at(row + j) - part * pack_at(from + j));
        }
    }
}

// x_k is zero until it is found: what stands left of an element k does not count.
static void substitute(int n, const double *A, int stride, double *x)
{
    memset(x, 0, (size_t)stride * sizeof *x);
    for (int k = n - 1; k >= 0; --k) {
        const double *row = row_in(A, stride, k);
        pack          sums = {0.0};
        double        sum = row[n];
        for (int j = pack_with(k); j < stride; j += ATEMI_LANES) {
            sums += pack_at(row + j) * pack_at(x + j);
        }
        for (int lane = 0; lane < ATEMI_LANES; ++lane) {
            sum -= sums[lane];
        }
        x[k] = sum / row[k];
    }
}

bool atemi_eliminate(int n, double *A, double *x)
{
    const int stride = elimination_stride(n);
    for (int k = 0; k < n; ++k) {
        const int pivot = row_of_pivot(n, A, stride, k);
        if (pivot != k) {
            swap_rows(A, stride, k, pivot);
        }
        if (!is_regular(n, A, stride, k)) {
            return false;
        }
        eliminate_column(n, A, stride, k);
    }
    substitute(n, A, stride, x);
    return true;
}
