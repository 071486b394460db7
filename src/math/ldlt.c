// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"
#include "atemi/dense.h"
#include "math/rows.h"

#include <math.h>

// Row by row, with y_j = L_ij D_j standing in row i until D_i is known [GolubVanLoan13, 4.1]:
//
//   y_j  = A_ij - sum_k<j y_k L_jk
//   L_ij = y_j / D_j
//   D_i  = A_ii - sum_j<i L_ij y_j
//
// A quasi-definite matrix may have A_ii = 0 and terms of both signs, so D_i is compared with the
// sum of their magnitudes: that, times eps, is how far rounding may have moved it.

// Turns row i from y into L and D.
// @return whether D_i is more than rounding error
static bool finish_row(int n, double *A, int stride, int i)
{
    double *row = row_of(A, stride, i);
    double  magnitude = fabs(row[i]);
    for (int j = 0; j < i; ++j) {
        const double y = row[j];
        row[j] /= *(row_of(A, stride, j) + j);
        row[i] -= row[j] * y;
        magnitude += fabs(row[j] * y);
    }
    return fabs(row[i]) > pivot_tolerance(n) * magnitude;
}

bool atemi_ldlt_factor(int n, double *A, int stride)
{
    ATEMI_REQUIRE_OR(rows_valid(n, n, A, stride), false);

    for (int i = 0; i < n; ++i) {
        double *row = row_of(A, stride, i);
        for (int j = 0; j < i; ++j) {
            row[j] -= row_dot(j, row, row_of(A, stride, j));
        }
        if (!finish_row(n, A, stride, i)) {
            return false;
        }
    }
    return true;
}

void atemi_ldlt_solve(int n, const double *LD, int stride, double *b)
{
    ATEMI_REQUIRE(rows_valid(n, n, LD, stride) && (b || n == 0));

    for (int i = 0; i < n; ++i) {
        b[i] -= row_dot(i, row_in(LD, stride, i), b);
    }
    for (int i = n - 1; i >= 0; --i) {
        b[i] /= *(row_in(LD, stride, i) + i);
    }
    for (int i = n - 1; i >= 0; --i) {
        row_subtract(i, b[i], row_in(LD, stride, i), b);
    }
}
