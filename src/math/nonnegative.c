// SPDX-License-Identifier: Apache-2.0

#include "math/nonnegative.h"

#include "math/matrix.h"

#include <math.h>
#include <string.h>

// Lawson and Hanson [LawsonHanson74, ch. 23]: of the columns not in use, the one that would take
// most off the residual comes into use; those whose weight would turn negative leave it again. A
// column that depends on those in use, so that rounding alone decides on its weight, is rejected.
//
// The shortest z with G z >= h follows from u, the nonnegative least-squares solution of
//
//   (G, h)^T u = e,   e = (0, ..., 0, 1),   r = (G, h)^T u - e,   z = -r_z / r_h
//
// with r_h < 0 unless the rows contradict each other; then r = 0.

static const double little = 1e-13;        // of |f|: a gain that is rounding
static const double dependent = 1e-11;     // of a column: what it has of its own
static const double contradiction = 1e-14; // of r_h

nonnegative nonnegative_take(atemi_arena *arena, int columns, int length)
{
    const size_t most = (size_t)length + 1, padded = (size_t)matrix_stride(length + 1);
    nonnegative  w = {.columns = columns, .length = length};
    w.sizes = atemi_arena_array(arena, double, columns);
    w.used = atemi_arena_array(arena, bool, columns);
    w.rejected = atemi_arena_array(arena, bool, columns);
    w.list = atemi_arena_array(arena, int, most);
    w.value = atemi_arena_array(arena, double, most);
    w.wanted = atemi_arena_array(arena, double, most);
    w.Q = atemi_arena_array(arena, double, most *padded);
    w.R = atemi_arena_array(arena, double, most *most);
    w.along = atemi_arena_array(arena, double, most);
    w.residual = atemi_arena_array(arena, double, padded);
    w.rest = atemi_arena_array(arena, double, padded);
    w.unit = atemi_arena_array(arena, double, padded);
    return w;
}

typedef struct search {
    nonnegative  *w;
    int           count, length;
    const double *E, *f;
    int           in_use;
} search;

static const double *column(const search *s, int j)
{
    return row_in(s->E, s->length, j);
}

// ---- The columns in use: E_j / |E_j| = sum of R_ki Q_i, with orthonormal Q_i

static double *basis(const search *s, int k)
{
    return row_of(s->w->Q, matrix_stride(s->w->length + 1), k);
}

static double *triangle(const search *s, int k)
{
    return row_of(s->w->R, s->w->length + 1, k);
}

// Takes what a column has of the basis before it out of it: twice, which takes rounding out as well
// [GiraudLangou05].
static void orthogonalize(const search *s, int k)
{
    double *q = basis(s, k), *R = triangle(s, k);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < k; ++i) {
            const double projection = matrix_dot(s->length, basis(s, i), q);
            R[i] += projection;
            row_subtract(s->length, projection, basis(s, i), q);
        }
    }
}

// Of column k in use, behind those before it.
// @return whether it has something of its own
static bool factor_column(const search *s, int k)
{
    nonnegative  *w = s->w;
    const double *from = column(s, w->list[k]), scale = 1.0 / w->sizes[w->list[k]];
    double       *q = basis(s, k), *R = triangle(s, k);
    for (int i = 0; i < s->length; ++i) {
        q[i] = scale * from[i];
    }
    memset(R, 0, (size_t)(k + 1) * sizeof *R);
    orthogonalize(s, k);
    R[k] = sqrt(matrix_dot(s->length, q, q));
    if (!(R[k] > dependent)) {
        return false;
    }
    for (int i = 0; i < s->length; ++i) {
        q[i] /= R[k];
    }
    return true;
}

// f less the weighted columns in use.
static void find_rest(const search *s, const double *weights, double *rest)
{
    memcpy(rest, s->f, (size_t)s->length * sizeof *rest);
    for (int k = 0; k < s->in_use; ++k) {
        row_subtract(s->length, weights[k], column(s, s->w->list[k]), rest);
    }
}

// -1 where no column would take off more than `least`.
static int next_column(const search *s, double least)
{
    const nonnegative *w = s->w;
    int                best = -1;
    for (int j = 0; j < s->count; ++j) {
        if (!w->used[j] && !w->rejected[j]) {
            const double gain = matrix_dot(s->length, column(s, j), w->residual);
            if (gain > least * w->sizes[j]) {
                least = gain / w->sizes[j];
                best = j;
            }
        }
    }
    return best;
}

// Adds the weights that take most off `rest` to those wanted.
static void refine(const search *s, double *rest)
{
    nonnegative *w = s->w;
    for (int k = 0; k < s->in_use; ++k) {
        w->along[k] = matrix_dot(s->length, basis(s, k), rest);
        row_subtract(s->length, w->along[k], basis(s, k), rest);
    }
    for (int k = s->in_use - 1; k >= 0; --k) {
        const double *R = triangle(s, k);
        w->along[k] /= R[k];
        row_subtract(k, w->along[k], R, w->along);
        w->wanted[k] += w->along[k] / w->sizes[w->list[k]];
    }
}

// The least-squares weights of the columns in use, of whatever sign: a second pass takes rounding
// out.
static void fit(const search *s)
{
    nonnegative *w = s->w;
    memset(w->wanted, 0, (size_t)s->in_use * sizeof *w->wanted);
    for (int pass = 0; pass < 2; ++pass) {
        find_rest(s, w->wanted, w->rest);
        refine(s, w->rest);
    }
}

static void leave(search *s, int k)
{
    nonnegative *w = s->w;
    w->used[w->list[k]] = false;
    --s->in_use;
    for (; k < s->in_use; ++k) {
        w->list[k] = w->list[k + 1];
        w->value[k] = w->value[k + 1];
        (void)factor_column(s, k); // which has more of its own now
    }
}

// @return false for a column that depends on those in use
static bool take(search *s, int j)
{
    nonnegative *w = s->w;
    w->list[s->in_use] = j;
    w->value[s->in_use] = 0.0;
    if (!factor_column(s, s->in_use)) {
        return false;
    }
    w->used[j] = true;
    ++s->in_use;
    return true;
}

// Goes towards the wanted weights until the first is zero; its column leaves.
// @return whether it went all the way
static bool go(search *s)
{
    nonnegative *w = s->w;
    double       part = 1.0;
    int          first = -1;
    for (int k = 0; k < s->in_use; ++k) {
        if (w->wanted[k] <= 0.0) {
            const double until = w->value[k] / (w->value[k] - w->wanted[k]);
            if (first < 0 || until < part) {
                part = until;
                first = k;
            }
        }
    }
    for (int k = 0; k < s->in_use; ++k) {
        w->value[k] += part * (w->wanted[k] - w->value[k]);
    }
    if (first >= 0) {
        leave(s, first);
    }
    return first < 0;
}

static void enter(search *s, int j)
{
    nonnegative *w = s->w;
    if (!take(s, j)) {
        w->rejected[j] = true;
        return;
    }
    fit(s);
    if (w->wanted[s->in_use - 1] <= 0.0) {
        leave(s, s->in_use - 1);
        w->rejected[j] = true;
        return;
    }
    while (!go(s) && s->in_use > 0) {
        fit(s);
    }
    memset(w->rejected, 0, (size_t)s->count * sizeof *w->rejected);
}

static void begin(const search *s)
{
    nonnegative *w = s->w;
    for (int j = 0; j < s->count; ++j) {
        w->sizes[j] = sqrt(matrix_dot(s->length, column(s, j), column(s, j)));
        w->used[j] = w->rejected[j] = false;
    }
}

// Begins with columns that were in use before: those whose weight would not be positive leave.
static void begin_with(search *s, const double *u)
{
    nonnegative *w = s->w;
    for (int j = 0; j < s->count && s->in_use < s->length; ++j) {
        if (u[j] > 0.0 && w->sizes[j] > 0.0) {
            (void)take(s, j);
        }
    }
    for (int worst = 0; s->in_use > 0 && worst >= 0;) {
        fit(s);
        worst = -1;
        for (int k = 0; k < s->in_use; ++k) {
            if (w->wanted[k] <= 0.0 && (worst < 0 || w->wanted[k] < w->wanted[worst])) {
                worst = k;
            }
        }
        if (worst >= 0) {
            leave(s, worst);
        }
    }
    memcpy(w->value, w->wanted, (size_t)s->in_use * sizeof *w->value);
}

bool nonnegative_solve(nonnegative *w, int count, int length, const double *E, const double *f,
                       double *u)
{
    search       s = {.w = w, .count = count, .length = length, .E = E, .f = f};
    const double least = little * sqrt(matrix_dot(length, f, f));
    const int    most = 10 * (length + 1) + count;
    int          changes = 0, next = 0;
    begin(&s);
    begin_with(&s, u);
    for (; changes < most && next >= 0; ++changes) {
        find_rest(&s, w->value, w->residual);
        next = s.in_use < length ? next_column(&s, least) : -1;
        if (next >= 0) {
            enter(&s, next);
        }
    }
    memset(u, 0, (size_t)count * sizeof *u);
    for (int k = 0; k < s.in_use; ++k) {
        u[w->list[k]] = w->value[k];
    }
    return next < 0;
}

bool least_distance_solve(nonnegative *w, int count, int length, const double *rows, double *z,
                          double *u)
{
    memset(w->unit, 0, (size_t)length * sizeof *w->unit);
    w->unit[length] = 1.0;
    nonnegative_solve(w, count, length + 1, rows, w->unit, u);
    const double rest = w->residual[length]; // -r_h
    if (rest <= contradiction) {
        return false;
    }
    for (int i = 0; i < length; ++i) {
        z[i] = -w->residual[i] / rest;
    }
    for (int j = 0; j < count; ++j) {
        u[j] /= rest;
    }
    return true;
}
