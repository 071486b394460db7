// SPDX-License-Identifier: Apache-2.0

#include "impact/blow_reduction.h"

#include "math/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Lanczos' recurrence in the inner product of D^-1, from the torques D c, with every pattern made
// orthogonal to all before it [GolubVanLoan13, 10.1]:
//
//   w = D C u_j,   T_jj = u_j^T C u_j,   w <- w - sum_i (u_i^T D^-1 w) u_i,   u_j+1 = w / |w|
//
// Where w vanishes, the chain breaks and goes on with any torque that is not yet covered, unless
// all of those move nothing: the trace of T is then that of C D.

// Relative to what it was, a smaller remainder is made orthogonal once more.
static const double cancellation = 0.1;

// And one that is smaller than this is nothing but rounding; so is a trace.
static const double breakdown = 1e-13;

atemi_blow_reduction atemi_blow_reduction_take(const atemi_blow_problem *problem,
                                               atemi_blow_vectors       *vectors)
{
    const int            n = problem->base->count;
    atemi_blow_reduction r = {.diagonal = atemi_blow_vector(vectors),
                              .operations = problem->operations};
    r.off = atemi_blow_vector(vectors);
    r.work = atemi_blow_vector(vectors);
    r.shares = atemi_blow_vector(vectors);
    r.torques = vectors->next;
    r.motions = r.torques + n * vectors->stride;
    vectors->next = r.motions + n * vectors->stride;
    return r;
}

// D^-1 w into `work`; what is beside the axes is zero.
static void weigh(const double *D, const int *axes, int count, const double *w, double *work)
{
    for (int i = 0; i < count; ++i) {
        work[axes[i]] = w[axes[i]] / D[axes[i]];
    }
}

// Takes the patterns before `w` out of it.
// @return its length squared
static double orthogonalize(const atemi_blow_reduction *r, int stride, const double *D,
                            const int *axes, int count, int before, double *w)
{
    weigh(D, axes, count, w, r->work);
    matrix_dot_rows(before, r->torques, stride, r->work, r->shares);
    for (int i = 0; i < before; ++i) {
        r->shares[i] = -r->shares[i];
    }
    matrix_add_product(before, r->torques, stride, r->shares, w);
    weigh(D, axes, count, w, r->work);
    tally_products(r->operations, (2.0 * before + 1.0) * count);
    tally(r->operations, 0.0, 0.0, 2.0 * count);
    return row_dot(stride, w, r->work);
}

// Makes row `j` a unit pattern, orthogonal to those before it.
// @return its length before, 0 if there is nothing left of it
static double finish_pattern(const atemi_blow_reduction *r, int stride, const double *D,
                             const int *axes, int count, int j)
{
    double *w = row_of(r->torques, stride, j);
    weigh(D, axes, count, w, r->work);
    const double size = row_dot(stride, w, r->work);
    double       left = orthogonalize(r, stride, D, axes, count, j, w);
    tally(r->operations, count, 2.0 * count, count + 3.0);
    if (left < cancellation * cancellation * size) {
        left = orthogonalize(r, stride, D, axes, count, j, w);
    }
    if (!(left > breakdown * breakdown * size)) {
        return 0.0;
    }
    const double scale = 1.0 / sqrt(left);
    for (int i = 0; i < stride; ++i) {
        w[i] *= scale;
    }
    return sqrt(left);
}

// A pattern from a torque on one axis, of the first one that is not covered.
static void start_anew(const atemi_blow_reduction *r, int stride, const double *D, const int *axes,
                       int count, int j)
{
    double *w = row_of(r->torques, stride, j);
    for (int i = 0; i < count; ++i) {
        memset(w, 0, (size_t)stride * sizeof *w);
        w[axes[i]] = sqrt(D[axes[i]]);
        if (finish_pattern(r, stride, D, axes, count, j) > 0.0) {
            return;
        }
    }
}

// C u_j into the motions, and D C u_j where the next pattern will be.
static void apply(const atemi_virtual_base *base, const double *D, atemi_blow_reduction *r, int j)
{
    const int stride = base->stride;
    double   *motion = row_of(r->motions, stride, j);
    memset(motion, 0, (size_t)stride * sizeof *motion);
    matrix_add_product(base->count, base->mobility, stride, row_in(r->torques, stride, j), motion);
    r->diagonal[j] = row_dot(stride, row_in(r->torques, stride, j), motion);
    tally_products(r->operations, (base->count + 1.0) * base->count);
    tally(r->operations, 0.0, base->count, 0.0);
    if (j + 1 < r->count) {
        double *next = row_of(r->torques, stride, j + 1);
        for (int i = 0; i < stride; ++i) {
            next[i] = D[i] * motion[i];
        }
    }
}

// What the patterns before `j` leave of the trace of C D, relative to all of it.
static double motion_left(const atemi_virtual_base *base, const double *D, const int *axes,
                          int axis_count, const atemi_blow_reduction *r, int j)
{
    double whole = 0.0, found = 0.0;
    for (int i = 0; i < axis_count; ++i) {
        whole += D[axes[i]] * row_in(base->mobility, base->stride, axes[i])[axes[i]];
    }
    for (int i = 0; i < j; ++i) {
        found += r->diagonal[i];
    }
    tally(r->operations, axis_count + j + 1.0, axis_count, 1.0);
    return (whole - found) / whole;
}

void atemi_blow_reduction_find(const atemi_virtual_base *base, const double *D, double ratio,
                               const int *axes, int axis_count, atemi_blow_reduction *r)
{
    const int stride = base->stride;
    r->count = axis_count;
    r->ratio = ratio;
    r->touch = 0.0;
    memset(r->work, 0, (size_t)stride * sizeof *r->work);
    for (int i = 0; axis_count > 0 && i < stride; ++i) {
        r->torques[i] = D[i] * base->response[i];
    }
    for (int j = 0; j < r->count; ++j) {
        const double length = finish_pattern(r, stride, D, axes, axis_count, j);
        if (length == 0.0) {
            if (motion_left(base, D, axes, axis_count, r, j) <= breakdown) {
                r->count = j;
                break;
            }
            start_anew(r, stride, D, axes, axis_count, j);
        }
        r->off[j] = length;
        apply(base, D, r, j);
    }
    r->touch = r->count > 0 ? r->off[0] : 0.0;
}

void atemi_blow_reduce(const atemi_blow_reduction *r, int stride, const double *x, double *reduced)
{
    matrix_dot_rows(r->count, r->torques, stride, x, reduced);
    tally_products(r->operations, (double)r->count * stride);
}
