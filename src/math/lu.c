// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/math.h"
#include "math/rows.h"

#include <math.h>

// Gaussian elimination with partial pivoting [GolubVanLoan13, 3.4]. Step k exchanges rows k and
// pivot[k], and then, for the rows i below,
//
//   L_ik = A_ik / U_kk,   A_ij -= L_ik U_kj
//
// Since |L| <= 1, U_kk came about by subtracting terms no larger than the U_jk above it. Relative
// to the largest of these (which is at least a k-th of the largest element of A's column), a pivot
// of n eps is rounding error.
//
// The condition estimate climbs |A^-1 x|_1, a convex function of x, over the corners of the ball
// |x|_1 <= 1, with the subgradient A^-T sign(A^-1 x) [Hager84], and finally tries one vector that
// defeats cancellation [Higham88, algorithm 4.1]. Every value met is a lower bound.

enum { LARGEST_CLIMB = 5 }; // corners; two are the usual number

static void swap_rows(int n, double *A, int stride, int i, int j)
{
    double *a = row_of(A, stride, i), *b = row_of(A, stride, j);
    for (int k = 0; k < n; ++k) {
        const double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

static void swap(double *b, int i, int j)
{
    const double kept = b[i];
    b[i] = b[j];
    b[j] = kept;
}

static int row_of_pivot(int n, const double *A, int stride, int k)
{
    int best = k;
    for (int i = k + 1; i < n; ++i) {
        if (fabs(row_in(A, stride, i)[k]) > fabs(row_in(A, stride, best)[k])) {
            best = i;
        }
    }
    return best;
}

// The largest element of column k of U, diagonal included.
static double largest_in_column(const double *U, int stride, int k)
{
    double largest = 0.0;
    for (int j = 0; j <= k; ++j) {
        largest = fmax(largest, fabs(row_in(U, stride, j)[k]));
    }
    return largest;
}

static void eliminate_column(int n, double *A, int stride, int k)
{
    const double *Uk = row_of(A, stride, k);
    for (int i = k + 1; i < n; ++i) {
        double *row = row_of(A, stride, i);
        row[k] /= Uk[k];
        row_subtract(n - k - 1, row[k], Uk + k + 1, row + k + 1);
    }
}

// A^T x = b is U^T L^T P x = b.
static void solve_transposed(int n, const double *LU, int stride, const int *pivot, double *b)
{
    for (int i = 0; i < n; ++i) {
        const double *Ui = row_in(LU, stride, i);
        b[i] /= Ui[i];
        row_subtract(n - i - 1, b[i], Ui + i + 1, b + i + 1);
    }
    for (int i = n - 1; i >= 0; --i) {
        row_subtract(i, b[i], row_in(LU, stride, i), b);
    }
    for (int k = n - 1; k >= 0; --k) {
        swap(b, k, pivot[k]);
    }
}

static double sum_of_magnitudes(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += fabs(x[i]);
    }
    return sum;
}

static int index_of_largest(int n, const double *x)
{
    int best = 0;
    for (int i = 1; i < n; ++i) {
        best = fabs(x[i]) > fabs(x[best]) ? i : best;
    }
    return best;
}

static void set_corner(int n, int j, double *x)
{
    for (int i = 0; i < n; ++i) {
        x[i] = i == j ? 1.0 : 0.0;
    }
}

// @return whether any sign differs from before
static bool update_signs(int n, const double *x, double *signs)
{
    bool changed = false;
    for (int i = 0; i < n; ++i) {
        const double now = copysign(1.0, x[i]);
        changed = changed || now != signs[i];
        signs[i] = now;
    }
    return changed;
}

// The next corner to try, at which the subgradient is largest, or -1 when it is where we are.
static int next_corner(int n, const double *LU, int stride, const int *pivot, int corner,
                       const double *signs, double *x)
{
    for (int i = 0; i < n; ++i) {
        x[i] = signs[i];
    }
    solve_transposed(n, LU, stride, pivot, x);
    const int next = index_of_largest(n, x);
    return corner >= 0 && fabs(x[next]) <= fabs(x[corner]) ? -1 : next;
}

static double climb(int n, const double *LU, int stride, const int *pivot, double *x, double *signs)
{
    for (int i = 0; i < n; ++i) {
        x[i] = 1.0 / n;
        signs[i] = 0.0;
    }
    atemi_lu_solve(n, LU, stride, pivot, x);

    double best = sum_of_magnitudes(n, x);
    int    corner = -1;
    for (int step = 0; step < LARGEST_CLIMB && update_signs(n, x, signs); ++step) {
        corner = next_corner(n, LU, stride, pivot, corner, signs, x);
        if (corner < 0) {
            break;
        }
        set_corner(n, corner, x);
        atemi_lu_solve(n, LU, stride, pivot, x);
        const double reached = sum_of_magnitudes(n, x);
        if (!(reached > best)) {
            break;
        }
        best = reached;
    }
    return best;
}

// |A^-1 x| / |x| for x_i = 1, -(1 + 1/(n-1)), 1 + 2/(n-1), ..., +-2, of length 3 n / 2.
static double try_alternating(int n, const double *LU, int stride, const int *pivot, double *x)
{
    for (int i = 0; i < n; ++i) {
        const double magnitude = 1.0 + (double)i / (double)(n - 1);
        x[i] = i % 2 == 0 ? magnitude : -magnitude;
    }
    atemi_lu_solve(n, LU, stride, pivot, x);
    return sum_of_magnitudes(n, x) / (1.5 * n);
}

bool atemi_lu_factor(int n, double *A, int stride, int *pivot)
{
    ATEMI_REQUIRE_OR(rows_valid(n, n, A, stride) && (pivot || n == 0), false);

    for (int k = 0; k < n; ++k) {
        pivot[k] = row_of_pivot(n, A, stride, k);
        if (pivot[k] != k) {
            swap_rows(n, A, stride, k, pivot[k]);
        }
        const double tolerance = pivot_tolerance(n) * largest_in_column(A, stride, k);
        if (!(fabs(row_of(A, stride, k)[k]) > tolerance)) {
            return false;
        }
        eliminate_column(n, A, stride, k);
    }
    return true;
}

void atemi_lu_solve(int n, const double *LU, int stride, const int *pivot, double *b)
{
    ATEMI_REQUIRE(rows_valid(n, n, LU, stride) && ((pivot && b) || n == 0));

    for (int k = 0; k < n; ++k) {
        swap(b, k, pivot[k]);
    }
    for (int i = 0; i < n; ++i) {
        b[i] -= row_dot(i, row_in(LU, stride, i), b);
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *Ui = row_in(LU, stride, i);
        b[i] = (b[i] - row_dot(n - i - 1, Ui + i + 1, b + i + 1)) / Ui[i];
    }
}

double atemi_lu_condition(int n, const double *LU, int stride, const int *pivot, double norm,
                          double *work)
{
    ATEMI_REQUIRE_OR(rows_valid(n, n, LU, stride) && ((pivot && work) || n == 0), HUGE_VAL);

    if (n == 0) {
        return 1.0;
    }
    const double climbed = climb(n, LU, stride, pivot, work, work + n);
    if (n == 1) {
        return norm * climbed;
    }
    return norm * fmax(climbed, try_alternating(n, LU, stride, pivot, work));
}
