// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "contact/distribution.h"

#include <math.h>

// Forces f_i at d_i from the middle of the points, along up not negative, with the sum F and the
// moment M and the least sum of squares, are
//
//   f_i = (m_i)+,   m_i = a + b x d_i
//
// where (m)+ is m, or what of it is along the ground if m points down, and x = (a, b) makes
//
//   g(x) = sum of |(m_i)+|^2 / 2 - a . F - b . M
//
// least: its slope is the wrench of the f_i less the one wanted. g is convex and nearly quadratic.
// By Newton's rule with steps that descend. At its least g is -sum of |f_i|^2 / 2; where there is
// no least it falls without end. Lengths are measured in the extent of the points, forces in the
// size of the wrench.

enum { MOST_STEPS = 100, MOST_HALVINGS = 40, N = 6 }; // N: the components of a wrench

static const double fine = 1e-13;  // of the wrench: what may be missing
static const double ridge = 1e-10; // of the curvature: directions in which nothing pushes yet
static const double deepest = 5e5; // -g of forces a thousand times the wrench: they are none

typedef struct duty {
    atemi_vec3        middle, up;
    const atemi_vec3 *places;
    int               count;
    double            length, force; ///< the units
    double            wanted[N];
} duty;

static atemi_vec3 arm_of(const duty *d, int i)
{
    return atemi_vec3_scale(1.0 / d->length, atemi_vec3_sub(d->places[i], d->middle));
}

static atemi_vec3 at(const double *x)
{
    return (atemi_vec3){x[0], x[1], x[2]};
}

// (m)+ of a point; whether it pushes.
static bool push_of(const duty *d, const double x[N], atemi_vec3 arm, atemi_vec3 *f)
{
    *f = atemi_vec3_add(at(x), atemi_vec3_cross(at(x + 3), arm));
    const double along = atemi_vec3_dot(*f, d->up);
    if (along < 0.0) {
        *f = atemi_vec3_sub(*f, atemi_vec3_scale(along, d->up));
    }
    return along >= 0.0;
}

static void add(atemi_vec3 force, atemi_vec3 arm, double scale, double *wrench)
{
    const atemi_vec3 m = atemi_vec3_cross(arm, force);
    const double     all[N] = {force.x, force.y, force.z, m.x, m.y, m.z};
    for (int r = 0; r < N; ++r) {
        wrench[r] += scale * all[r];
    }
}

// g and its slope.
static double look(const duty *d, const double x[N], double slope[N])
{
    double g = 0.0;
    for (int r = 0; r < N; ++r) {
        slope[r] = -d->wanted[r];
        g -= d->wanted[r] * x[r];
    }
    for (int i = 0; i < d->count; ++i) {
        const atemi_vec3 arm = arm_of(d, i);
        atemi_vec3       f;
        push_of(d, x, arm, &f);
        g += 0.5 * atemi_vec3_dot(f, f);
        add(f, arm, 1.0, slope);
    }
    return g;
}

// The second derivatives: what unit forces along the axes that are free at a point give together.
static void find_curvature(const duty *d, const double x[N], double H[N * N])
{
    const atemi_mat3 axes = atemi_mat3_with_z(d->up);
    const atemi_vec3 all[3] = {axes.x, axes.y, axes.z};
    for (int k = 0; k < N * N; ++k) {
        H[k] = 0.0;
    }
    for (int i = 0; i < d->count; ++i) {
        const atemi_vec3 arm = arm_of(d, i);
        atemi_vec3       f;
        const int        free = push_of(d, x, arm, &f) ? 3 : 2;
        for (int k = 0; k < free; ++k) {
            double w[N] = {0.0};
            add(all[k], arm, 1.0, w);
            for (int r = 0; r < N; ++r) {
                for (int c = 0; c <= r; ++c) {
                    H[r * N + c] += w[r] * w[c];
                }
            }
        }
    }
    for (int r = 0; r < N; ++r) {
        H[r * (N + 1)] += ridge * d->count;
    }
}

static double size_of(const double *x)
{
    double square = 0.0;
    for (int r = 0; r < N; ++r) {
        square += x[r] * x[r];
    }
    return sqrt(square);
}

// One step; whether there was one.
static bool descend(const duty *d, double x[N], double slope[N], double *g)
{
    double H[N * N], step[N], falls = 0.0, part = 1.0;
    find_curvature(d, x, H);
    if (!atemi_cholesky_factor(N, H, N)) {
        return false;
    }
    for (int r = 0; r < N; ++r) {
        step[r] = -slope[r];
    }
    atemi_cholesky_solve(N, H, N, step);
    for (int r = 0; r < N; ++r) {
        falls += step[r] * slope[r];
    }
    for (int i = 0; i < MOST_HALVINGS; ++i, part *= 0.5) {
        double there[N], slope_there[N];
        for (int r = 0; r < N; ++r) {
            there[r] = x[r] + part * step[r];
        }
        const double lower = look(d, there, slope_there);
        if (lower <= *g + 1e-4 * part * falls + 1e-15 * fabs(*g)) {
            *g = lower;
            for (int r = 0; r < N; ++r) {
                x[r] = there[r];
                slope[r] = slope_there[r];
            }
            return true;
        }
    }
    return false;
}

static bool solve(const duty *d, double x[N])
{
    double slope[N], g = look(d, x, slope);
    for (int i = 0; i < MOST_STEPS; ++i) {
        if (size_of(slope) <= fine) {
            return true;
        }
        if (!descend(d, x, slope, &g) || g < -deepest) {
            break;
        }
    }
    return size_of(slope) <= 100.0 * fine && g >= -deepest;
}

static duty duty_of(atemi_force wrench, atemi_vec3 origin, atemi_vec3 up, const atemi_vec3 *places,
                    int count)
{
    duty d = {.up = up, .places = places, .count = count};
    d.middle = atemi_distribution_middle(places, count);
    for (int i = 0; i < count; ++i) {
        d.length = fmax(d.length, atemi_vec3_norm(atemi_vec3_sub(places[i], d.middle)));
    }
    d.length = d.length > 0.0 ? d.length : 1.0;
    const atemi_force here = atemi_force_at(wrench, atemi_vec3_sub(d.middle, origin));
    d.force = hypot(atemi_vec3_norm(here.linear), atemi_vec3_norm(here.angular) / d.length);
    d.force = d.force > 0.0 ? d.force : 1.0;
    add(here.linear, (atemi_vec3){0.0, 0.0, 0.0}, 1.0 / d.force, d.wanted);
    d.wanted[3] = here.angular.x / (d.force * d.length);
    d.wanted[4] = here.angular.y / (d.force * d.length);
    d.wanted[5] = here.angular.z / (d.force * d.length);
    return d;
}

bool atemi_distribute_least_unilateral(atemi_force wrench, atemi_vec3 origin, atemi_vec3 up,
                                       const atemi_vec3 *places, int count, atemi_vec3 *forces)
{
    const duty d = duty_of(wrench, origin, up, places, count);
    double     x[N] = {0.0};
    if (!solve(&d, x)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        atemi_vec3 f;
        push_of(&d, x, arm_of(&d, i), &f);
        forces[i] = atemi_vec3_scale(d.force, f);
    }
    return true;
}
