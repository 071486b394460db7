// SPDX-License-Identifier: Apache-2.0

#include "motion/task_priority.h"

#include "atemi/base.h"
#include "math/rows.h"
#include "motion/least_norm.h"

#include <math.h>
#include <string.h>

// With U the orthonormal rows that levels so far use, v their rates, and A v = b the next level:
//
//   F = A - A U^T U                rows that are left to it
//   B = orthonormal rows of F      by Gram-Schmidt, longest row first, twice
//   v <- v + B^T z                 z nearest to  F B^T z = b - A v
//   U <- (U, B)
//
// B is orthogonal to U, so no level above sees z.

// Rows of F shorter than this part of those of A are rounding error.
static const double least_part = 1e-9;

static void remove_used(int n, const double *used, int count, double *row)
{
    for (int k = 0; k < count; ++k) {
        const double *u = row_in(used, n, k);
        row_subtract(n, row_dot(n, u, row), u, row);
    }
}

static double longest_row(int rows, int n, const double *A, int *which)
{
    double longest = 0.0;
    for (int i = 0; i < rows; ++i) {
        const double square = row_dot(n, row_in(A, n, i), row_in(A, n, i));
        *which = square > longest ? i : *which;
        longest = square > longest ? square : longest;
    }
    return sqrt(longest);
}

static void leave_free(int rows, const double *A, const double *b, atemi_task_priority *t)
{
    const int n = t->columns;
    memcpy(t->free, A, (size_t)rows * (size_t)n * sizeof *A);
    for (int i = 0; i < rows; ++i) {
        t->missing[i] = b[i] - row_dot(n, row_in(A, n, i), t->rates);
        remove_used(n, t->used, t->rank, row_of(t->free, n, i));
        remove_used(n, t->used, t->rank, row_of(t->free, n, i));
    }
}

// Appends a row of length one to those in use.
static void append_used(const double *row, double length, atemi_task_priority *t)
{
    const int n = t->columns;
    double   *u = row_of(t->used, n, t->rank);
    for (int j = 0; j < n; ++j) {
        u[j] = row[j] / length;
    }
    remove_used(n, t->used, t->rank, u);
    const double again = sqrt(row_dot(n, u, u));
    for (int j = 0; j < n; ++j) {
        u[j] /= again;
    }
    ++t->rank;
}

// Takes the rows of the level into use, and out of themselves.
// @return the rows of A that they are worth
static int use_rows(int rows, double least, atemi_task_priority *t)
{
    const int n = t->columns, first = t->rank;
    for (int which = 0; t->rank < n && t->rank - first < rows;) {
        const double length = longest_row(rows, n, t->free, &which);
        if (!(length > least)) {
            break;
        }
        append_used(row_of(t->free, n, which), length, t);
        for (int i = 0; i < rows; ++i) {
            remove_used(n, row_of(t->used, n, t->rank - 1), 1, row_of(t->free, n, i));
        }
    }
    return t->rank - first;
}

static void move_by_level(int rows, const double *A, int first, int rank, atemi_task_priority *t)
{
    const int n = t->columns;
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < rank; ++k) {
            t->seen[i * rank + k] = row_dot(n, row_in(A, n, i), row_of(t->used, n, first + k));
        }
    }
    atemi_least_norm_factor(rows, rank, t->seen, NULL, t->least);
    atemi_least_norm_solve(t->least, t->missing, t->part);
    for (int k = 0; k < rank; ++k) {
        row_subtract(n, -t->part[k], row_of(t->used, n, first + k), t->rates);
    }
}

atemi_task_priority atemi_task_priority_take(atemi_arena *arena, int max_rows, int max_columns)
{
    const size_t rows = (size_t)max_rows, n = (size_t)max_columns;

    atemi_task_priority t = {.max_rows = max_rows, .max_columns = max_columns};
    t.rates = atemi_arena_array(arena, double, n);
    t.used = atemi_arena_array(arena, double, n *n);
    t.free = atemi_arena_array(arena, double, rows *n);
    t.missing = atemi_arena_array(arena, double, rows);
    t.seen = atemi_arena_array(arena, double, rows *n);
    t.part = atemi_arena_array(arena, double, n);
    t.least = atemi_least_norm_take(arena, max_rows, max_columns);
    return t;
}

void atemi_task_priority_begin(int columns, atemi_task_priority *tasks)
{
    ATEMI_REQUIRE(tasks && columns >= 0 && columns <= tasks->max_columns);
    tasks->columns = columns;
    tasks->rank = 0;
    memset(tasks->rates, 0, (size_t)columns * sizeof *tasks->rates);
}

int atemi_task_priority_add(int rows, const double *A, const double *b, atemi_task_priority *tasks)
{
    ATEMI_REQUIRE_OR(tasks && rows >= 0 && rows <= tasks->max_rows, 0);
    ATEMI_REQUIRE_OR((A && b) || rows == 0, 0);
    int          which = 0;
    const int    first = tasks->rank;
    const double least = least_part * longest_row(rows, tasks->columns, A, &which);
    leave_free(rows, A, b, tasks);
    const int rank = use_rows(rows, least, tasks);
    if (rank > 0) {
        move_by_level(rows, A, first, rank, tasks);
    }
    return rank;
}
