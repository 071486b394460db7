// SPDX-License-Identifier: Apache-2.0

/// @file
/// Matrices are built from factors that are known, products are taken in long double, and every
/// matrix has a stride larger than its width, with a mark in the gap that must survive.

#pragma once

#include "atemi/math.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 13, STRIDE = 17, SEEDS = 200 };

static const double mark = 1234.5;

typedef struct matrix {
    double at[LARGEST][STRIDE];
} matrix;

/// Different in every place, so that exchanging two marks does not go unnoticed.
static inline double mark_at(int i, int j)
{
    return mark + i * STRIDE + j;
}

static inline void blank(matrix *A)
{
    for (int i = 0; i < LARGEST; ++i) {
        for (int j = 0; j < STRIDE; ++j) {
            A->at[i][j] = mark_at(i, j);
        }
    }
}

static inline void fill(matrix *A, int m, int n, random_stream *stream)
{
    blank(A);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            A->at[i][j] = random_uniform(stream, -1.0, 1.0);
        }
    }
}

static inline void scale_all(matrix *A, int m, int n, double s)
{
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            A->at[i][j] *= s;
        }
    }
}

/// A = B C of shapes m x k and k x n.
static inline void multiply(const matrix *B, const matrix *C, int m, int k, int n, matrix *A)
{
    blank(A);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            long double sum = 0.0L;
            for (int l = 0; l < k; ++l) {
                sum += (long double)B->at[i][l] * (long double)C->at[l][j];
            }
            A->at[i][j] = (double)sum;
        }
    }
}

static inline void transpose(const matrix *A, int m, int n, matrix *T)
{
    blank(T);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            T->at[j][i] = A->at[i][j];
        }
    }
}

/// b = A x
static inline void apply(const matrix *A, int m, int n, const double *x, double *b)
{
    for (int i = 0; i < m; ++i) {
        long double sum = 0.0L;
        for (int j = 0; j < n; ++j) {
            sum += (long double)A->at[i][j] * (long double)x[j];
        }
        b[i] = (double)sum;
    }
}

static inline void random_vector(random_stream *stream, int n, double *x)
{
    for (int i = 0; i < n; ++i) {
        x[i] = random_uniform(stream, -1.0, 1.0);
    }
}

static inline void check_near_vector(int n, const double *actual, const double *expected,
                                     double tolerance)
{
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(actual[i], expected[i], tolerance);
    }
}

static inline void check_near_matrix(int m, int n, const matrix *actual, const matrix *expected,
                                     double tolerance)
{
    for (int i = 0; i < m; ++i) {
        check_near_vector(n, actual->at[i], expected->at[i], tolerance);
    }
}

static inline void check_marks(const matrix *A, int m, int n)
{
    for (int i = 0; i < LARGEST; ++i) {
        for (int j = i < m ? n : 0; j < STRIDE; ++j) {
            CHECK(A->at[i][j] == mark_at(i, j));
        }
    }
}

/// Only the lower triangle is given, and only it may change.
static inline void hide_upper(matrix *A, int n)
{
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            A->at[i][j] = mark_at(i, j);
        }
    }
}

static inline void check_upper_hidden(const matrix *A, int n)
{
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            CHECK(A->at[i][j] == mark_at(i, j));
        }
    }
    check_marks(A, n, n);
}

/// A lower triangle with diagonal in [1, 2), so that it is well conditioned enough.
static inline void random_lower(matrix *L, int n, random_stream *stream)
{
    fill(L, n, n, stream);
    for (int i = 0; i < n; ++i) {
        L->at[i][i] = random_uniform(stream, 1.0, 2.0);
        for (int j = i + 1; j < n; ++j) {
            L->at[i][j] = 0.0;
        }
    }
}

/// An orthogonal matrix as a product of plane rotations, in long double until the end.
static inline void random_orthogonal(matrix *Q, int n, random_stream *stream)
{
    long double q[LARGEST][LARGEST] = {{0.0L}};
    for (int i = 0; i < n; ++i) {
        q[i][i] = 1.0L;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            const long double angle = (long double)random_uniform(stream, 0.0, 6.0);
            const long double c = cosl(angle), s = sinl(angle);
            for (int k = 0; k < n; ++k) {
                const long double a = q[i][k], b = q[j][k];
                q[i][k] = c * a - s * b;
                q[j][k] = s * a + c * b;
            }
        }
    }
    blank(Q);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            Q->at[i][j] = (double)q[i][j];
        }
    }
}

/// n columns of which one is a combination of the others, which are orthogonal: nothing else about
/// the matrix is delicate.
static inline void random_dependent(matrix *A, int n, random_stream *stream)
{
    const int dependent = random_index(stream, n);
    random_orthogonal(A, n, stream);
    for (int i = 0; i < n; ++i) {
        A->at[i][dependent] = 0.0;
    }
    for (int j = 0; j < n; ++j) {
        const double share = random_uniform(stream, 0.5, 1.0);
        for (int i = 0; i < n && j != dependent; ++i) {
            A->at[i][dependent] += share * A->at[i][j];
        }
    }
}

/// A symmetric positive matrix of rank n - 1.
static inline void random_singular_gram(matrix *A, int n, random_stream *stream)
{
    matrix B, Bt;
    random_dependent(&B, n, stream);
    transpose(&B, n, n, &Bt);
    multiply(&Bt, &B, n, n, n, A);
}

static inline double norm1(const matrix *A, int n)
{
    double largest = 0.0;
    for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) {
            sum += fabs(A->at[i][j]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/// By Gauss and Jordan, in long double.
static inline void invert(const matrix *A, int n, matrix *inverse)
{
    long double w[LARGEST][2 * LARGEST];
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            w[i][j] = (long double)A->at[i][j];
            w[i][n + j] = i == j ? 1.0L : 0.0L;
        }
    }
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k; i < n; ++i) {
            best = fabsl(w[i][k]) > fabsl(w[best][k]) ? i : best;
        }
        for (int j = 0; j < 2 * n; ++j) {
            const long double kept = w[best][j];
            w[best][j] = w[k][j];
            w[k][j] = kept;
        }
        for (int i = 0; i < n; ++i) {
            const long double s = i == k ? 1.0L - 1.0L / w[k][k] : w[i][k] / w[k][k];
            for (int j = 2 * n - 1; j >= k; --j) {
                w[i][j] -= s * w[k][j];
            }
        }
    }
    blank(inverse);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            inverse->at[i][j] = (double)w[i][n + j];
        }
    }
}

static inline void check_is_permutation(int n, const int *pivot)
{
    bool seen[LARGEST] = {false};
    for (int j = 0; j < n; ++j) {
        CHECK(pivot[j] >= 0 && pivot[j] < n && !seen[pivot[j]]);
        seen[pivot[j]] = true;
    }
}
