// SPDX-License-Identifier: Apache-2.0

#include "motion/least_norm.h"

#include "atemi/base.h"
#include "atemi/math.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// With F the columns that cost nothing and P the others, scaled: y = W^1/2 v_P,
//
//   Q^T F = (R, 0),   Q^T P W^-1/2 = (., C)      the rows below the rank of F are left to P
//   y     = the shortest that has C y nearest to b_C, the lower part of Q^T b
//   v_F   = the shortest that has F v_F nearest to b - P v_P, which F can meet above
//
// If the rows of C are independent, C^T = Q R with another Q gives
//
//   y = C^T (R^T R)^-1 b_C
//
// of which a second pass, for what the first leaves, takes the rounding error away. Otherwise C
// itself is factored.

// Relative to the largest element of the rows, less than this is rounding error.
static const double rank_tolerance = 1e-10;

static void sort_columns(int columns, const double *weights, atemi_least_norm *l)
{
    l->free_count = l->paid_count = 0;
    for (int j = 0; j < columns; ++j) {
        const double weight = weights ? weights[j] : 1.0;
        if (weight == 0.0) {
            l->free_columns[l->free_count++] = j;
        } else if (isfinite(weight)) {
            l->scale[l->paid_count] = 1.0 / sqrt(weight);
            l->paid_columns[l->paid_count++] = j;
        }
    }
}

static void copy_column(const atemi_least_norm *l, int j, double *column)
{
    for (int i = 0; i < l->rows; ++i) {
        column[i] = row_in(l->A, l->columns, i)[j];
    }
}

static int rank_of(int steps, const double *R, int stride, double least)
{
    int rank = 0;
    while (rank < steps && fabs(row_in(R, stride, rank)[rank]) > least) {
        ++rank;
    }
    return rank;
}

static void factor_free(atemi_least_norm *l)
{
    const int n = l->free_count;
    for (int i = 0; i < l->rows; ++i) {
        for (int k = 0; k < n; ++k) {
            row_of(l->free_factor, n, i)[k] = row_in(l->A, l->columns, i)[l->free_columns[k]];
        }
    }
    l->free_rank = atemi_qr_factor(l->rows, n, l->free_factor, n, rank_tolerance, l->free_tau,
                                   l->free_pivot, l->work);
}

// b becomes Q^T b.
static void rotate(const atemi_least_norm *l, double *b)
{
    atemi_qr_solve(l->rows, l->free_count, l->free_factor, l->free_count, l->free_rank, l->free_tau,
                   l->free_pivot, b, l->shorter);
}

// C, in `paid_rows`.
// @return the largest element of P W^-1/2
static double find_paid_rows(atemi_least_norm *l)
{
    const int n = l->paid_count, rows = l->rows - l->free_rank;
    double    largest = 0.0;
    for (int k = 0; k < n; ++k) {
        copy_column(l, l->paid_columns[k], l->right);
        for (int i = 0; i < l->rows; ++i) {
            largest = fmax(largest, l->scale[k] * fabs(l->right[i]));
        }
        rotate(l, l->right);
        for (int i = 0; i < rows; ++i) {
            row_of(l->paid_rows, n, i)[k] = l->scale[k] * l->right[l->free_rank + i];
        }
    }
    return largest;
}

// The factor of C^T, of as many columns as C has rows.
static int factor_transposed(atemi_least_norm *l, double least)
{
    const int n = l->paid_count, rows = l->rows - l->free_rank;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < rows; ++k) {
            row_of(l->paid_factor, rows, i)[k] = row_in(l->paid_rows, n, k)[i];
        }
    }
    atemi_qr_factor(n, rows, l->paid_factor, rows, 0.0, l->paid_tau, l->paid_pivot, l->work);
    return rank_of(rows < n ? rows : n, l->paid_factor, rows, least);
}

static int factor_direct(atemi_least_norm *l, double least)
{
    const int n = l->paid_count, rows = l->rows - l->free_rank;
    memcpy(l->paid_factor, l->paid_rows, (size_t)rows * (size_t)n * sizeof *l->paid_rows);
    atemi_qr_factor(rows, n, l->paid_factor, n, 0.0, l->paid_tau, l->paid_pivot, l->work);
    return rank_of(rows < n ? rows : n, l->paid_factor, n, least);
}

static void factor_paid(atemi_least_norm *l)
{
    const double least = rank_tolerance * find_paid_rows(l);
    l->paid_rank = factor_transposed(l, least);
    l->independent = l->paid_rank == l->rows - l->free_rank;
    if (!l->independent) {
        l->paid_rank = factor_direct(l, least);
    }
}

// z becomes (R^T R)^-1 z, in the order of the pivots.
static void solve_normal(int n, const double *R, double *z)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            z[i] -= row_in(R, n, k)[i] * z[k];
        }
        z[i] /= row_in(R, n, i)[i];
    }
    for (int i = n - 1; i >= 0; --i) {
        z[i] = (z[i] - row_dot(n - i - 1, row_in(R, n, i) + i + 1, z + i + 1)) / row_in(R, n, i)[i];
    }
}

// y += C^T (R^T R)^-1 (b - C y)
static void meet_rows(const atemi_least_norm *l, const double *b, double *y)
{
    const int n = l->paid_count, rows = l->rows - l->free_rank;
    double   *z = l->work;
    for (int i = 0; i < rows; ++i) {
        const int r = l->paid_pivot[i];
        z[i] = b[r] - row_dot(n, row_in(l->paid_rows, n, r), y);
    }
    solve_normal(rows, l->paid_factor, z);
    for (int i = 0; i < rows; ++i) {
        row_subtract(n, -z[i], row_in(l->paid_rows, n, l->paid_pivot[i]), y);
    }
}

// The shortest y; b is overwritten.
static void find_shortest(const atemi_least_norm *l, double *b, double *y)
{
    const int n = l->paid_count, rows = l->rows - l->free_rank;
    if (l->independent) {
        memset(y, 0, (size_t)n * sizeof *y);
        meet_rows(l, b, y);
        meet_rows(l, b, y);
    } else {
        atemi_qr_solve_least_norm(rows, n, l->paid_factor, n, l->paid_rank, l->paid_tau,
                                  l->paid_pivot, b, y, l->work);
    }
}

static void solve_paid(atemi_least_norm *l, const double *b, double *v)
{
    for (int i = 0; i < l->rows; ++i) {
        l->right[i] = b[i];
    }
    rotate(l, l->right);
    find_shortest(l, l->right + l->free_rank, l->shorter);
    memset(v, 0, (size_t)l->columns * sizeof *v);
    for (int k = 0; k < l->paid_count; ++k) {
        v[l->paid_columns[k]] = l->scale[k] * l->shorter[k];
    }
}

// b - A v, in `right`.
static double find_residual(atemi_least_norm *l, const double *b, const double *v)
{
    double largest = 0.0;
    for (int i = 0; i < l->rows; ++i) {
        l->right[i] = b[i] - row_dot(l->columns, row_in(l->A, l->columns, i), v);
        largest = fmax(largest, fabs(l->right[i]));
    }
    return largest;
}

static void solve_free(atemi_least_norm *l, double *v)
{
    atemi_qr_solve_least_norm(l->rows, l->free_count, l->free_factor, l->free_count, l->free_rank,
                              l->free_tau, l->free_pivot, l->right, l->shorter, l->work);
    for (int k = 0; k < l->free_count; ++k) {
        v[l->free_columns[k]] = l->shorter[k];
    }
}

atemi_least_norm *atemi_least_norm_take(atemi_arena *arena, int max_rows, int max_columns)
{
    const size_t m = (size_t)max_rows, n = (size_t)max_columns;

    atemi_least_norm l = {.max_rows = max_rows, .max_columns = max_columns};
    l.free_columns = atemi_arena_array(arena, int, n);
    l.paid_columns = atemi_arena_array(arena, int, n);
    l.scale = atemi_arena_array(arena, double, n);
    l.free_factor = atemi_arena_array(arena, double, m *n);
    l.paid_rows = atemi_arena_array(arena, double, m *n);
    l.paid_factor = atemi_arena_array(arena, double, m *n);
    l.free_tau = atemi_arena_array(arena, double, n);
    l.paid_tau = atemi_arena_array(arena, double, n);
    l.free_pivot = atemi_arena_array(arena, int, n);
    l.paid_pivot = atemi_arena_array(arena, int, m + n);
    l.right = atemi_arena_array(arena, double, m);
    l.shorter = atemi_arena_array(arena, double, n);
    l.work = atemi_arena_array(arena, double, m + n * (n + 1));
    atemi_least_norm *result = atemi_arena_array(arena, atemi_least_norm, 1);
    if (result) {
        *result = l;
    }
    return result;
}

int atemi_least_norm_factor(int rows, int columns, const double *A, const double *weights,
                            atemi_least_norm *least)
{
    ATEMI_REQUIRE_OR(least && rows >= 0 && columns >= 0, 0);
    ATEMI_REQUIRE_OR(rows <= least->max_rows && columns <= least->max_columns, 0);
    ATEMI_REQUIRE_OR(A || rows == 0 || columns == 0, 0);
    for (int j = 0; weights && j < columns; ++j) {
        ATEMI_REQUIRE_OR(weights[j] >= 0.0, 0);
    }
    least->rows = rows;
    least->columns = columns;
    least->A = A;
    sort_columns(columns, weights, least);
    factor_free(least);
    factor_paid(least);
    least->rank = least->free_rank + least->paid_rank;
    return least->rank;
}

double atemi_least_norm_solve(atemi_least_norm *least, const double *b, double *v)
{
    ATEMI_REQUIRE_OR(least && (b || least->rows == 0) && (v || least->columns == 0), 0.0);
    solve_paid(least, b, v);
    find_residual(least, b, v);
    solve_free(least, v);
    return find_residual(least, b, v);
}
