// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/math.h"
#include "math/rows.h"

#include <math.h>

// Householder reflections with column pivoting [GolubVanLoan13, 5.4]. Step k exchanges column k
// with the longest remaining one, counted from row k, and reflects that onto the k-th axis:
//
//   H = E - tau v v^T,   v_k = 1,   H (alpha, x) = (beta, 0)
//   beta = -sign(alpha) |(alpha, x)|,   tau = (beta - alpha) / beta,   v = x / (alpha - beta)
//
// The lengths are summed up anew in every step, a third of the work of the factorization, instead
// of being downdated: there is nothing that could cancel, and every pass runs along rows.
// Squares are taken of elements scaled by a power of two, so that none overflows. Columns that are
// all shorter than the tolerance are left as they are.

// The power of two that brings the largest element of A near one.
static double scale_of(int m, int n, const double *A, int stride)
{
    double largest = 0.0;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            largest = fmax(largest, fabs(row_in(A, stride, i)[j]));
        }
    }
    int exponent = 0;
    if (isfinite(largest)) {
        frexp(largest, &exponent);
    }
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

// The squared lengths of columns k to n below row k, in `lengths`, and the column of the longest.
static int longest_column(int m, int n, const double *A, int stride, int k, double scale,
                          double *lengths)
{
    for (int j = k; j < n; ++j) {
        lengths[j] = 0.0;
    }
    for (int i = k; i < m; ++i) {
        const double *row = row_in(A, stride, i);
        for (int j = k; j < n; ++j) {
            lengths[j] += (scale * row[j]) * (scale * row[j]);
        }
    }
    int best = k;
    for (int j = k + 1; j < n; ++j) {
        best = lengths[j] > lengths[best] ? j : best;
    }
    return best;
}

static void swap_columns(int m, double *A, int stride, int *pivot, int j, int k)
{
    for (int i = 0; i < m; ++i) {
        double      *row = row_of(A, stride, i);
        const double kept = row[j];
        row[j] = row[k];
        row[k] = kept;
    }
    const int kept = pivot[j];
    pivot[j] = pivot[k];
    pivot[k] = kept;
}

// The length of column k below the diagonal.
static double length_below(int m, const double *A, int stride, int k, double scale)
{
    double square = 0.0;
    for (int i = k + 1; i < m; ++i) {
        const double x = scale * row_in(A, stride, i)[k];
        square += x * x;
    }
    return sqrt(square) / scale;
}

// Replaces column k, of that length below the diagonal, by beta and v.
// @return tau, zero where there is nothing to reflect
static double make_reflection(int m, double *A, int stride, int k, double length)
{
    if (length == 0.0) {
        return 0.0;
    }
    double      *diagonal = row_of(A, stride, k) + k;
    const double alpha = *diagonal;
    const double beta = -copysign(hypot(alpha, length), alpha);
    for (int i = k + 1; i < m; ++i) {
        row_of(A, stride, i)[k] /= alpha - beta;
    }
    *diagonal = beta;
    return (beta - alpha) / beta;
}

// Reflects the columns beyond k; `product` becomes v^T A.
static void reflect_rest(int m, int n, double *A, int stride, int k, double tau, double *product)
{
    double *row_k = row_of(A, stride, k);
    for (int j = k + 1; j < n; ++j) {
        product[j] = row_k[j];
    }
    for (int i = k + 1; i < m; ++i) {
        const double *row = row_of(A, stride, i);
        row_subtract(n - k - 1, -row[k], row + k + 1, product + k + 1);
    }
    row_subtract(n - k - 1, tau, product + k + 1, row_k + k + 1);
    for (int i = k + 1; i < m; ++i) {
        double *row = row_of(A, stride, i);
        row_subtract(n - k - 1, tau * row[k], product + k + 1, row + k + 1);
    }
}

static void reflect_vector(int m, const double *QR, int stride, int k, double tau, double *b)
{
    double product = b[k];
    for (int i = k + 1; i < m; ++i) {
        product += row_in(QR, stride, i)[k] * b[i];
    }
    b[k] -= tau * product;
    for (int i = k + 1; i < m; ++i) {
        b[i] -= tau * product * row_in(QR, stride, i)[k];
    }
}

int atemi_qr_factor(int m, int n, double *A, int stride, double tolerance, double *tau, int *pivot,
                    double *work)
{
    const int steps = m < n ? m : n;
    ATEMI_REQUIRE_OR(rows_valid(m, n, A, stride) && tolerance >= 0.0, 0);
    ATEMI_REQUIRE_OR((pivot || n == 0) && ((tau && work) || steps == 0), 0);

    for (int j = 0; j < n; ++j) {
        pivot[j] = j;
    }
    for (int k = 0; k < steps; ++k) {
        tau[k] = 0.0;
    }
    const double scale = scale_of(m, n, A, stride);
    for (int k = 0; k < steps; ++k) {
        const int longest = longest_column(m, n, A, stride, k, scale, work);
        if (longest != k) {
            swap_columns(m, A, stride, pivot, longest, k);
        }
        const double below = length_below(m, A, stride, k, scale);
        const double whole = hypot(row_in(A, stride, k)[k], below);
        if (!(whole > tolerance * (k ? fabs(A[0]) : whole))) {
            return k;
        }
        tau[k] = make_reflection(m, A, stride, k, below);
        reflect_rest(m, n, A, stride, k, tau[k], work);
    }
    return steps;
}

void atemi_qr_solve(int m, int n, const double *QR, int stride, int rank, const double *tau,
                    const int *pivot, double *b, double *x)
{
    const int steps = m < n ? m : n;
    ATEMI_REQUIRE(rows_valid(m, n, QR, stride) && rank >= 0 && rank <= steps);
    ATEMI_REQUIRE((tau || steps == 0) && (b || m == 0) && ((pivot && x) || n == 0));

    for (int k = 0; k < steps; ++k) {
        reflect_vector(m, QR, stride, k, tau[k], b);
    }
    for (int j = rank; j < n; ++j) {
        x[pivot[j]] = 0.0;
    }
    for (int i = rank - 1; i >= 0; --i) {
        const double *R = row_in(QR, stride, i);
        double        sum = b[i];
        for (int j = i + 1; j < rank; ++j) {
            sum -= R[j] * x[pivot[j]];
        }
        x[pivot[i]] = sum / R[i];
    }
}

// With R = (R1 R2), R1 regular, all solutions are  y1 = x1 - X y2  with X = R1^-1 R2, x1 the basic
// solution and y2 free. The shortest has  y2 = -z,  (E + X^T X) z = -X^T x1,  which is the same as
// y2 = X^T y1,  (E + X X^T) y1 = x1.  The smaller of the two systems is solved.

// X, stored by columns: column c of X at X + c rank.
static void dependent_columns(int n, const double *QR, int stride, int rank, double *X)
{
    for (int c = 0; c < n - rank; ++c) {
        double *column = X + (ptrdiff_t)c * rank;
        for (int i = rank - 1; i >= 0; --i) {
            const double *R = row_in(QR, stride, i);
            double        sum = R[rank + c];
            for (int j = i + 1; j < rank; ++j) {
                sum -= R[j] * column[j];
            }
            column[i] = sum / R[i];
        }
    }
}

// By z; S has free (free + 1) entries.
static void shorten_by_free(int rank, int free, const double *X, double *S, const int *pivot,
                            double *x)
{
    double *z = S + (ptrdiff_t)free * free;
    for (int c = 0; c < free; ++c) {
        const double *column = X + (ptrdiff_t)c * rank;
        z[c] = 0.0;
        for (int i = 0; i < rank; ++i) {
            z[c] -= column[i] * x[pivot[i]];
        }
        for (int d = 0; d <= c; ++d) {
            S[c * free + d] = row_dot(rank, column, X + (ptrdiff_t)d * rank) + (c == d);
        }
    }
    atemi_cholesky_factor(free, S, free);
    atemi_cholesky_solve(free, S, free, z);
    for (int c = 0; c < free; ++c) {
        x[pivot[rank + c]] = -z[c];
        for (int i = 0; i < rank; ++i) {
            x[pivot[i]] += X[(ptrdiff_t)c * rank + i] * z[c];
        }
    }
}

// By y1; S has rank (rank + 1) entries.
static void shorten_by_rank(int rank, int free, const double *X, double *S, const int *pivot,
                            double *x)
{
    double *y = S + (ptrdiff_t)rank * rank;
    for (int i = 0; i < rank; ++i) {
        y[i] = x[pivot[i]];
        for (int j = 0; j <= i; ++j) {
            S[i * rank + j] = i == j;
        }
    }
    for (int c = 0; c < free; ++c) {
        const double *column = X + (ptrdiff_t)c * rank;
        for (int i = 0; i < rank; ++i) {
            row_subtract(i + 1, -column[i], column, S + (ptrdiff_t)i * rank);
        }
    }
    atemi_cholesky_factor(rank, S, rank);
    atemi_cholesky_solve(rank, S, rank, y);
    for (int c = 0; c < free; ++c) {
        x[pivot[rank + c]] = row_dot(rank, X + (ptrdiff_t)c * rank, y);
    }
    for (int i = 0; i < rank; ++i) {
        x[pivot[i]] = y[i];
    }
}

void atemi_qr_solve_least_norm(int m, int n, const double *QR, int stride, int rank,
                               const double *tau, const int *pivot, double *b, double *x,
                               double *work)
{
    atemi_qr_solve(m, n, QR, stride, rank, tau, pivot, b, x);
    const int free = n - rank;
    if (free == 0 || rank == 0) {
        return;
    }
    ATEMI_REQUIRE(work);
    double *X = work, *S = X + (ptrdiff_t)free * rank;
    dependent_columns(n, QR, stride, rank, X);
    if (rank < free) {
        shorten_by_rank(rank, free, X, S, pivot, x);
    } else {
        shorten_by_free(rank, free, X, S, pivot, x);
    }
}
