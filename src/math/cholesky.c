// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"
#include "atemi/dense.h"
#include "math/rows.h"

#include <math.h>

// Row by row [GolubVanLoan13, 4.2]:
//
//   L_ij = (A_ij - sum_k<j L_ik L_jk) / L_jj
//   L_ii = sqrt(A_ii - sum_k<i L_ik^2)
//
// The terms of the last sum are positive and add up to at most A_ii, so rounding perturbs the
// radicand by up to about i eps A_ii: one that is smaller tells nothing about its sign.

bool atemi_cholesky_factor(int n, double *A, int stride)
{
    ATEMI_REQUIRE_OR(rows_valid(n, n, A, stride), false);

    for (int i = 0; i < n; ++i) {
        double *Li = row_of(A, stride, i);
        for (int j = 0; j < i; ++j) {
            const double *Lj = row_of(A, stride, j);
            Li[j] = (Li[j] - row_dot(j, Li, Lj)) / Lj[j];
        }
        const double radicand = Li[i] - row_dot(i, Li, Li);
        if (!(radicand > pivot_tolerance(n) * fabs(Li[i]))) {
            return false;
        }
        Li[i] = sqrt(radicand);
    }
    return true;
}

void atemi_cholesky_solve(int n, const double *L, int stride, double *b)
{
    ATEMI_REQUIRE(rows_valid(n, n, L, stride) && (b || n == 0));

    for (int i = 0; i < n; ++i) {
        const double *Li = row_in(L, stride, i);
        b[i] = (b[i] - row_dot(i, Li, b)) / Li[i];
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *Li = row_in(L, stride, i);
        b[i] /= Li[i];
        row_subtract(i, b[i], Li, b);
    }
}
