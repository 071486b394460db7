// SPDX-License-Identifier: Apache-2.0

#include "math/quadratic_pass.h"

#include "math/rows.h"

#include <math.h>

// A program is solved where  H x + g + A^T u = 0,  A x is within its limits, and at them where u is
// not zero. Each is compared with the sizes of the terms that it is a sum of, so that units do not
// count.

static const double little = 1e-14; // relative, of a sum: rounding
static const double flat = 1e-9;    // relative, of a step along which nothing changes

// How far a value is from where it should be: at its limit if that is active, within otherwise.
static double miss(const double *low, const double *high, int i, double value, int side)
{
    const double under = low ? low[i] - value : -(double)INFINITY;
    const double over = high ? value - high[i] : -(double)INFINITY;
    const double active = side == 0 ? 0.0 : fabs(side > 0 ? over : under);
    return fmax(fmax(under, over), active);
}

static double largest_of(int n, const double *x)
{
    double largest = 0.0;
    for (int i = 0; x && i < n; ++i) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

static double sum_of_sizes(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += fabs(a[i] * b[i]);
    }
    return sum;
}

// What rounding of the last pass leaves of a limit: nothing in the first one, whose rounding the
// next pass can take away.
static double rounding_of(const quadratic_pass *t, int i)
{
    return t->corrects ? little * t->s->set.size[i] * t->s->set.length : 0.0;
}

static void add_violations(const quadratic_pass *t, quadratic_residual *r)
{
    const atemi_quadratic_program *p = t->p;
    const signed char             *sides = t->s->set.sides;
    for (int i = 0; i < t->n; ++i) {
        const double over = miss(p->least, p->most, i, t->x[i], sides[i]);
        if (over > rounding_of(t, i)) {
            r->violation = fmax(r->violation, over);
            r->relative = fmax(r->relative, over / (t->s->reach[i] + over));
        }
    }
    for (int i = 0; i < t->m; ++i) {
        const double over = miss(p->lower, p->upper, i, t->s->values[t->n + i], sides[t->n + i]);
        if (over > rounding_of(t, t->n + i)) {
            const double terms = sum_of_sizes(t->n, row_in(p->A, t->A_stride, i), t->s->reach);
            r->violation = fmax(r->violation, over);
            r->relative = fmax(r->relative, over / (terms + over));
        }
    }
}

static void add_slopes(const quadratic_pass *t, quadratic_residual *r)
{
    const atemi_quadratic_program *p = t->p;
    double                        *rest = t->s->slope, *pull = t->s->v;
    for (int i = 0; i < t->n; ++i) {
        pull[i] =
            sum_of_sizes(t->n, row_in(p->H, t->H_stride, i), t->x) + (p->g ? fabs(p->g[i]) : 0.0);
    }
    for (int k = 0; k < t->s->set.active.count; ++k) {
        const int    i = t->s->set.active.rows[k];
        const double u = t->s->multipliers[i];
        if (i < t->n) {
            rest[i] += u;
            pull[i] += fabs(u);
            continue;
        }
        const double *row = row_in(p->A, t->A_stride, i - t->n);
        for (int j = 0; j < t->n; ++j) {
            rest[j] += u * row[j];
            pull[j] += fabs(u * row[j]);
        }
    }
    for (int i = 0; i < t->n; ++i) {
        const double size = fabs(rest[i]);
        r->slope = fmax(r->slope, size);
        r->relative = fmax(r->relative, size > 0.0 ? size / pull[i] : 0.0);
    }
}

double atemi_quadratic_objective(const quadratic_pass *t)
{
    double sum = 0.0;
    for (int i = 0; i < t->n; ++i) {
        sum += 0.5 * t->x[i] * (t->s->slope[i] + (t->p->g ? t->p->g[i] : 0.0));
    }
    return sum;
}

quadratic_residual atemi_quadratic_residual_find(const quadratic_pass *t)
{
    quadratic_residual r = {0.0, 0.0, 0.0};
    add_violations(t, &r);
    add_slopes(t, &r);
    return r;
}

// ---- Objectives that fall for ever

// Whether a value that grows with the step leaves its limits at some time.
static bool is_stopped(const double *low, const double *high, int i, double growth, double terms)
{
    const double still = flat * terms;
    return (growth < -still && low && low[i] > -(double)INFINITY) ||
           (growth > still && high && high[i] < (double)INFINITY);
}

bool atemi_quadratic_falls_for_ever(const quadratic_pass *t)
{
    const atemi_quadratic_program *p = t->p;
    const double                  *step = t->s->step;
    const double                   length = largest_of(t->n, step);
    if (!p->g || !(row_dot(t->n, p->g, step) < -flat * sum_of_sizes(t->n, p->g, step))) {
        return false;
    }
    for (int i = 0; i < t->n; ++i) {
        const double *row = row_in(p->H, t->H_stride, i);
        const double  terms = length * largest_of(t->n, row);
        if (fabs(row_dot(t->n, row, step)) > flat * terms ||
            is_stopped(p->least, p->most, i, step[i], length)) {
            return false;
        }
    }
    for (int i = 0; i < t->m; ++i) {
        const double *row = row_in(p->A, t->A_stride, i);
        const double  terms = length * largest_of(t->n, row);
        if (is_stopped(p->lower, p->upper, i, row_dot(t->n, row, step), terms)) {
            return false;
        }
    }
    return true;
}

void atemi_quadratic_floor_set(const quadratic_pass *t, int i)
{
    const double *row = row_in(t->p->A, t->A_stride, i < t->n ? 0 : i - t->n);
    t->s->set.floor[i] =
        little * (i < t->n ? t->s->reach[i] : sum_of_sizes(t->n, row, t->s->reach));
}
