// SPDX-License-Identifier: Apache-2.0

#include "math/nonnegative.h"

#include "atemi/math.h"
#include "math/rows.h"

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
    const size_t most = (size_t)length + 1;
    nonnegative  w = {.columns = columns, .length = length};
    w.sizes = atemi_arena_array(arena, double, columns);
    w.used = atemi_arena_array(arena, bool, columns);
    w.rejected = atemi_arena_array(arena, bool, columns);
    w.list = atemi_arena_array(arena, int, most);
    w.value = atemi_arena_array(arena, double, most);
    w.wanted = atemi_arena_array(arena, double, most);
    w.A = atemi_arena_array(arena, double, most *most);
    w.right = atemi_arena_array(arena, double, most);
    w.residual = atemi_arena_array(arena, double, most);
    w.unit = atemi_arena_array(arena, double, most);
    w.tau = atemi_arena_array(arena, double, most);
    w.work = atemi_arena_array(arena, double, most);
    w.pivot = atemi_arena_array(arena, int, most);
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

static void find_residual(const search *s)
{
    nonnegative *w = s->w;
    memcpy(w->residual, s->f, (size_t)s->length * sizeof *w->residual);
    for (int k = 0; k < s->in_use; ++k) {
        row_subtract(s->length, w->value[k], column(s, w->list[k]), w->residual);
    }
}

// -1 where no column would take off more than `least`.
static int next_column(const search *s, double least)
{
    const nonnegative *w = s->w;
    int                best = -1;
    for (int j = 0; j < s->count; ++j) {
        if (!w->used[j] && !w->rejected[j] && w->sizes[j] > 0.0) {
            const double gain = row_dot(s->length, column(s, j), w->residual) / w->sizes[j];
            if (gain > least) {
                least = gain;
                best = j;
            }
        }
    }
    return best;
}

// The least-squares weights of the columns in use, of whatever sign.
// @return whether the columns are independent
static bool fit(const search *s)
{
    nonnegative *w = s->w;
    const int    n = s->length, count = s->in_use;
    for (int k = 0; k < count; ++k) {
        const double *from = column(s, w->list[k]);
        const double  scale = 1.0 / w->sizes[w->list[k]];
        for (int i = 0; i < n; ++i) {
            w->A[i * count + k] = scale * from[i];
        }
    }
    memcpy(w->right, s->f, (size_t)n * sizeof *w->right);
    const int rank = atemi_qr_factor(n, count, w->A, count, dependent, w->tau, w->pivot, w->work);
    atemi_qr_solve(n, count, w->A, count, rank, w->tau, w->pivot, w->right, w->wanted);
    for (int k = 0; k < count; ++k) {
        w->wanted[k] /= w->sizes[w->list[k]];
    }
    return rank == count;
}

static void leave(search *s, int k)
{
    nonnegative *w = s->w;
    w->used[w->list[k]] = false;
    --s->in_use;
    for (; k < s->in_use; ++k) {
        w->list[k] = w->list[k + 1];
        w->value[k] = w->value[k + 1];
    }
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

// @return whether the column is of use
static bool enter(search *s, int j)
{
    nonnegative *w = s->w;
    w->list[s->in_use] = j;
    w->value[s->in_use++] = 0.0;
    w->used[j] = true;
    if (!fit(s) || w->wanted[s->in_use - 1] <= 0.0) {
        leave(s, s->in_use - 1);
        w->rejected[j] = true;
        return false;
    }
    while (!go(s) && s->in_use > 0) {
        fit(s);
    }
    memset(w->rejected, 0, (size_t)s->count * sizeof *w->rejected);
    return true;
}

static void begin(const search *s)
{
    nonnegative *w = s->w;
    for (int j = 0; j < s->count; ++j) {
        w->sizes[j] = sqrt(row_dot(s->length, column(s, j), column(s, j)));
        w->used[j] = w->rejected[j] = false;
    }
}

// Begins with columns that were in use before: those whose weight would not be positive leave.
static void begin_with(search *s, const double *u)
{
    nonnegative *w = s->w;
    for (int j = 0; j < s->count && s->in_use < s->length; ++j) {
        if (u[j] > 0.0 && w->sizes[j] > 0.0) {
            w->used[j] = true;
            w->list[s->in_use++] = j;
        }
    }
    for (int worst = 0; s->in_use > 0 && worst >= 0;) {
        const bool independent = fit(s);
        worst = -1;
        for (int k = 0; k < s->in_use; ++k) {
            if (w->wanted[k] <= 0.0 && (worst < 0 || w->wanted[k] < w->wanted[worst])) {
                worst = k;
            }
        }
        worst = worst < 0 && !independent ? s->in_use - 1 : worst;
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
    const double least = little * sqrt(row_dot(length, f, f));
    const int    most = 10 * (length + 1) + count;
    int          tries = 0, next = 0;
    begin(&s);
    begin_with(&s, u);
    for (; tries < most && next >= 0; ++tries) {
        find_residual(&s);
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
