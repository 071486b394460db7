// SPDX-License-Identifier: Apache-2.0

#include "contact/semidefinite.h"

#include "atemi/math.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// With the largest pivot first, until nothing is left, and the rows in that order,
//
//   A = (L1 L2)^T D (L1 L2),   L1 upper triangular with ones, [rank x rank]
//
// all solutions are  x1 = y - X x2,  L1 y = D^-1 L1^-T b1,  L1 X = L2,  with x2 free. The shortest
// has  x2 = -z,  (E + X^T X) z = -X^T y,  which is the same as  x2 = X^T x1,  (E + X X^T) x1 = y;
// the smaller of the two systems is solved. What is left of b2 after elimination is what the
// dependent rows ask beyond the others.

static int largest_pivot(int n, const double *A, int k)
{
    int best = k;
    for (int i = k + 1; i < n; ++i) {
        best = A[i * (n + 1)] > A[best * (n + 1)] ? i : best;
    }
    return best;
}

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

static void exchange(int n, double *A, int *pivot, double *b, int i, int k)
{
    const int kept = pivot[i];
    pivot[i] = pivot[k];
    pivot[k] = kept;
    swap(&b[i], &b[k]);
    for (int j = 0; j < n; ++j) {
        swap(&A[i * n + j], &A[k * n + j]);
    }
    for (int j = 0; j < n; ++j) {
        swap(&A[j * n + i], &A[j * n + k]);
    }
}

// Takes row k out of those below, and scales it to a row of L.
static void eliminate(int n, double *A, int k, double *b)
{
    double      *row = A + (ptrdiff_t)k * n;
    const double inverse = 1.0 / row[k];
    for (int i = k + 1; i < n; ++i) {
        const double part = inverse * row[i];
        row_subtract(n - k - 1, part, row + k + 1, A + (ptrdiff_t)i * n + k + 1);
        b[i] -= part * b[k];
    }
    b[k] *= inverse;
    for (int j = k + 1; j < n; ++j) {
        row[j] *= inverse;
    }
}

static int factor(int n, double *A, double tolerance, int *pivot, double *b)
{
    double first = 0.0;
    for (int i = 0; i < n; ++i) {
        pivot[i] = i;
    }
    for (int k = 0; k < n; ++k) {
        const int best = largest_pivot(n, A, k);
        first = k ? first : A[best * (n + 1)];
        if (!(A[best * (n + 1)] > tolerance * first)) {
            return k;
        }
        if (best != k) {
            exchange(n, A, pivot, b, best, k);
        }
        eliminate(n, A, k, b);
    }
    return n;
}

// x with L1 x = column, whose elements lie `stride` apart.
static void substitute(int n, int rank, const double *A, double *column, int stride)
{
    for (int i = rank - 1; i >= 0; --i) {
        for (int j = i + 1; j < rank; ++j) {
            column[i * stride] -= A[i * n + j] * column[j * stride];
        }
    }
}

// z, into x2.
static void find_free_part(int n, int rank, const double *A, double *scratch, double *x)
{
    const int free = n - rank;
    double   *S = scratch, *z = x + rank;
    for (int c = 0; c < free; ++c) {
        z[c] = 0.0;
        for (int d = 0; d <= c; ++d) {
            S[c * free + d] = c == d;
        }
        for (int i = 0; i < rank; ++i) {
            const double *X = A + (ptrdiff_t)i * n + rank;
            z[c] -= X[c] * x[i];
            for (int d = 0; d <= c; ++d) {
                S[c * free + d] += X[c] * X[d];
            }
        }
    }
    atemi_cholesky_factor(free, S, free);
    atemi_cholesky_solve(free, S, free, z);
}

static void shorten_by_free(int n, int rank, const double *A, double *scratch, double *x)
{
    find_free_part(n, rank, A, scratch, x);
    for (int i = 0; i < rank; ++i) {
        for (int c = rank; c < n; ++c) {
            x[i] += A[i * n + c] * x[c];
        }
    }
    for (int c = rank; c < n; ++c) {
        x[c] = -x[c];
    }
}

static void shorten_by_rank(int n, int rank, const double *A, double *S, double *x)
{
    const int free = n - rank;
    for (int i = 0; i < rank; ++i) {
        const double *X = A + (ptrdiff_t)i * n + rank;
        for (int j = 0; j <= i; ++j) {
            S[i * rank + j] = (i == j) + row_dot(free, X, A + (ptrdiff_t)j * n + rank);
        }
    }
    atemi_cholesky_factor(rank, S, rank);
    atemi_cholesky_solve(rank, S, rank, x);
    memset(x + rank, 0, (size_t)free * sizeof *x);
    for (int i = 0; i < rank; ++i) {
        row_subtract(free, -x[i], A + (ptrdiff_t)i * n + rank, x + rank);
    }
}

// y becomes the shortest x; X replaces L2.
static void shorten(int n, int rank, double *A, double *scratch, double *x)
{
    for (int c = rank; c < n; ++c) {
        substitute(n, rank, A, A + c, n);
    }
    if (rank < n - rank) {
        shorten_by_rank(n, rank, A, scratch, x);
    } else {
        shorten_by_free(n, rank, A, scratch, x);
    }
}

// The ratio of the largest pivot to the smallest.
static double condition_of(int n, const double *A, int rank)
{
    return rank ? A[0] / A[(rank - 1) * (n + 1)] : (double)INFINITY;
}

atemi_semidefinite_report atemi_semidefinite_solve(int n, double *A, double tolerance, int *pivot,
                                                   double *scratch, double *b)
{
    atemi_semidefinite_report report = {.rank = factor(n, A, tolerance, pivot, b)};
    report.condition = condition_of(n, A, report.rank);
    for (int i = report.rank; i < n; ++i) {
        report.left = fmax(report.left, fabs(b[i]));
    }
    substitute(n, report.rank, A, b, 1);
    if (report.rank < n) {
        shorten(n, report.rank, A, scratch, b);
    }
    memcpy(scratch, b, (size_t)n * sizeof *b);
    for (int i = 0; i < n; ++i) {
        b[pivot[i]] = scratch[i];
    }
    return report;
}
