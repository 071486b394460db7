// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/math.h"
#include "math/rows.h"

#include <math.h>

// Column by column [GolubVanLoan13, 4.2]:
//
//   L_jj = sqrt(A_jj - sum_k<j L_jk^2)
//   L_ij = (A_ij - sum_k<j L_ik L_jk) / L_jj
//
// The elements of a column do not wait for each other. The terms of the first sum are positive and
// add up to at most A_jj, so rounding perturbs the radicand by up to about j eps A_jj: one that is
// smaller tells nothing about its sign.

bool atemi_cholesky_factor(int n, double *A, int stride)
{
    ATEMI_REQUIRE_OR(rows_valid(n, n, A, stride), false);

    for (int j = 0; j < n; ++j) {
        double      *Lj = row_of(A, stride, j);
        const double radicand = Lj[j] - row_dot(j, Lj, Lj);
        if (!(radicand > pivot_tolerance(n) * fabs(Lj[j]))) {
            return false;
        }
        Lj[j] = sqrt(radicand);
        const double scale = 1.0 / Lj[j];
        for (int i = j + 1; i < n; ++i) {
            double *Li = row_of(A, stride, i);
            Li[j] = scale * (Li[j] - row_dot(j, Li, Lj));
        }
    }
    return true;
}

void atemi_cholesky_solve(int n, const double *L, int stride, double *b)
{
    ATEMI_REQUIRE(rows_valid(n, n, L, stride) && (b || n == 0));

    for (int i = 0; i < n; ++i) {
        const double *Li = row_in(L, stride, i);
        const double  scale = 1.0 / Li[i];
        b[i] = scale * (b[i] - row_dot(i, Li, b));
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *Li = row_in(L, stride, i);
        const double  scale = 1.0 / Li[i];
        b[i] *= scale;
        row_subtract(i, b[i], Li, b);
    }
}
