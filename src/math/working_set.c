// SPDX-License-Identifier: Apache-2.0

#include "math/working_set.h"

#include "math/combination.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// With the active rows W and a new row m:
//
//   M_W M_W^T = L D L^T,   L D l = M_W m,   d = |m|^2 - l^T D l = |m - M_W^T c|^2,   L^T c = l
//
// l is the new row of L and d its element of D. Where d is small beside |m|^2 it is rounding, and
// is found from the rest m - M_W^T c, with c corrected once.
//
// Without row k, what follows it has L' D' L'^T = L D L^T + d_k l_k l_k^T, l_k its part of column k
// [GillGolubMurraySaunders74, method C1].

static const double delicate = 1e-5;   // of |m|^2
static const double dependent = 1e-10; // of |m|, what it has of its own

working_set atemi_working_set_take(atemi_arena *arena, int most, int columns)
{
    working_set w = {.most = most, .stride = matrix_stride(most)};
    w.rows = atemi_arena_array(arena, int, most);
    w.L = atemi_arena_array(arena, double, (size_t)most *(size_t)w.stride);
    w.D = atemi_arena_array(arena, double, most);
    w.inverse = atemi_arena_array(arena, double, most);
    w.part = atemi_arena_array(arena, double, w.stride);
    w.rest = atemi_arena_array(arena, double, matrix_stride(columns));
    return w;
}

void atemi_working_set_clear(working_set *w, const double *M, int width)
{
    w->M = M;
    w->width = width;
    w->count = 0;
}

void atemi_working_set_solve_forwards(const working_set *w, int first, double *b)
{
    for (int i = first > 0 ? first : 1; i < w->count; ++i) {
        b[i] -= row_dot(i, row_in(w->L, w->stride, i), b);
    }
}

// L^T x = b in place.
static void solve_transposed(const working_set *w, double *b)
{
    for (int i = w->count - 1; i > 0; --i) {
        row_subtract(i, b[i], row_in(w->L, w->stride, i), b);
    }
}

void atemi_working_set_solve_backwards(const working_set *w, double *b)
{
    for (int i = 0; i < w->count; ++i) {
        b[i] *= w->inverse[i];
    }
    solve_transposed(w, b);
}

void atemi_working_set_solve(const working_set *w, double *b)
{
    atemi_working_set_solve_forwards(w, 0, b);
    atemi_working_set_solve_backwards(w, b);
}

void atemi_working_set_coefficients(const working_set *w, double *c)
{
    memcpy(c, w->part, (size_t)w->count * sizeof *c);
    solve_transposed(w, c);
}

// Takes c times the active rows off the rest.
static void take_off(const working_set *w, const double *c)
{
    for (int k = 0; k < w->count; ++k) {
        row_subtract(w->width, c[k], row_in(w->M, w->width, w->rows[k]), w->rest);
    }
}

// The square of what a row has of its own, from the rest itself.
static double find_rest(working_set *w, int row)
{
    double *c = row_of(w->L, w->stride, w->count); // free until the row is added
    memcpy(w->rest, row_in(w->M, w->width, row), (size_t)w->width * sizeof *w->rest);
    atemi_working_set_coefficients(w, c);
    take_off(w, c);
    combination_dots(w->count, w->rows, 0, w->M, w->width, w->rest, c);
    atemi_working_set_solve(w, c);
    take_off(w, c);
    for (int k = 0; k < w->count; ++k) { // part += L^T c
        w->part[k] += c[k];
        for (int i = k + 1; i < w->count; ++i) {
            w->part[k] += w->L[i * w->stride + k] * c[i];
        }
    }
    return combination_dot(w->width, w->rest, w->rest);
}

double atemi_working_set_project(working_set *w, int row, double size)
{
    const double *m = row_in(w->M, w->width, row);
    combination_dots(w->count, w->rows, 0, w->M, w->width, m, w->part);
    atemi_working_set_solve_forwards(w, 0, w->part);
    double own = size * size;
    for (int k = 0; k < w->count; ++k) {
        const double l = w->part[k] * w->inverse[k];
        own -= l * w->part[k];
        w->part[k] = l;
    }
    if (w->count == w->most) {
        return 0.0;
    }
    if (own < delicate * size * size && w->count > 0) {
        own = find_rest(w, row);
    }
    return own > dependent * dependent * size * size ? own : 0.0;
}

void atemi_working_set_append(working_set *w, int row, double own)
{
    memcpy(row_of(w->L, w->stride, w->count), w->part, (size_t)w->count * sizeof *w->part);
    w->D[w->count] = own;
    w->inverse[w->count] = 1.0 / own;
    w->rows[w->count++] = row;
}

// Moves the rows after k up, without column k, which goes into `part`.
static void close_gap(working_set *w, int k)
{
    for (int i = k + 1; i < w->count; ++i) {
        const double *from = row_in(w->L, w->stride, i);
        double       *to = row_of(w->L, w->stride, i - 1);
        w->part[i - 1] = from[k];
        memcpy(to, from, (size_t)k * sizeof *to);
        memmove(to + k, from + k + 1, (size_t)(i - k - 1) * sizeof *to);
        w->D[i - 1] = w->D[i];
        w->rows[i - 1] = w->rows[i];
    }
    --w->count;
}

void atemi_working_set_remove(working_set *w, int k)
{
    double  weight = w->D[k]; // of part part^T, what is left to add
    double *part = w->part;
    close_gap(w, k);
    for (int j = k; j < w->count; ++j) {
        const double p = part[j], sum = w->D[j] + weight * p * p;
        const double gain = weight * p / sum;
        weight *= w->D[j] / sum;
        w->D[j] = sum;
        w->inverse[j] = 1.0 / sum;
        for (int i = j + 1; i < w->count; ++i) {
            double *l = row_of(w->L, w->stride, i) + j;
            part[i] -= p * *l;
            *l += gain * part[i];
        }
    }
}
