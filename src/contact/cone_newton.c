// SPDX-License-Identifier: Apache-2.0

#include "atemi/dense.h"
#include "contact/cone_problem.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Newton's method on the projection equation of the cone problem [AlartCurnier91]. At each point,
// with u = A p + c, k a bound of its stiffness, and  d = k p - u  split along its normal and
// across:
//
//   leaves   (d_n <= 0)                          k p = 0
//   sticks   (|d_t| <= friction d_n)             u = 0
//   slips    (otherwise)                         u_n = 0,   k p_t = friction d_n t,   t = d_t /
//   |d_t|
//
// Each point's equations are those of the case it is in, linearized; redundant points make the
// system singular, so the shortest step is taken. Half steps are tried while they do not help.

enum { MOST_STEPS = 60, MOST_HALVINGS = 12 };

typedef struct point {
    atemi_vec3 normal;
    double     friction, stiffness;
} point;

static point point_of(int count, const double *A, const atemi_cone *cones, double scale, int i)
{
    double k = 0.0;
    for (int r = 3 * i; r < 3 * i + 3; ++r) {
        k += A[(size_t)r * 3 * (size_t)count + (size_t)r];
    }
    return (point){cones[i].normal, cones[i].friction, scale * k};
}

static atemi_vec3 at(const double *x, int i)
{
    return (atemi_vec3){x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}

static void put(double *x, int i, atemi_vec3 value)
{
    x[3 * i] = value.x;
    x[3 * i + 1] = value.y;
    x[3 * i + 2] = value.z;
}

static atemi_vec3 across(atemi_vec3 a, atemi_vec3 n)
{
    return atemi_vec3_sub(a, atemi_vec3_scale(atemi_vec3_dot(a, n), n));
}

static void motions(int count, const double *A, const double *c, const double *p, double *u)
{
    for (int r = 0; r < 3 * count; ++r) {
        u[r] = c[r];
        for (int j = 0; j < 3 * count; ++j) {
            u[r] += A[(size_t)r * 3 * (size_t)count + (size_t)j] * p[j];
        }
    }
}

// What is left of a point's equations: k p minus the projection of d onto the cone's slice.
static atemi_vec3 residual(const point *of, atemi_vec3 p, atemi_vec3 u)
{
    const atemi_vec3 n = of->normal, d = atemi_vec3_sub(atemi_vec3_scale(of->stiffness, p), u);
    const double     normal = fmax(0.0, atemi_vec3_dot(d, n));
    const atemi_vec3 tangent = across(d, n);
    const double     length = atemi_vec3_norm(tangent), most = of->friction * normal;
    const double     share = length > most ? most / length : 1.0;
    const atemi_vec3 onto =
        atemi_vec3_add(atemi_vec3_scale(normal, n), atemi_vec3_scale(share, tangent));
    return atemi_vec3_sub(atemi_vec3_scale(of->stiffness, p), onto);
}

static double residuals(int count, const double *A, const double *c, const atemi_cone *cones,
                        double scale, const double *p, double *u, double *F)
{
    double size = 0.0;
    motions(count, A, c, p, u);
    for (int i = 0; i < count; ++i) {
        const point of = point_of(count, A, cones, scale, i);
        put(F, i, residual(&of, at(p, i), at(u, i)));
        size = fmax(size, atemi_vec3_norm(at(F, i)));
    }
    return size;
}

static atemi_mat3 outer(double s, atemi_vec3 a, atemi_vec3 b)
{
    return (atemi_mat3){atemi_vec3_scale(s * b.x, a), atemi_vec3_scale(s * b.y, a),
                        atemi_vec3_scale(s * b.z, a)};
}

static atemi_mat3 sum(atemi_mat3 A, atemi_mat3 B)
{
    return (atemi_mat3){atemi_vec3_add(A.x, B.x), atemi_vec3_add(A.y, B.y),
                        atemi_vec3_add(A.z, B.z)};
}

// How the projection of d moves with d.
static atemi_mat3 projection_slope(const point *of, atemi_vec3 d)
{
    const atemi_vec3 n = of->normal, tangent = across(d, n);
    const double     normal = atemi_vec3_dot(d, n), length = atemi_vec3_norm(tangent);
    const atemi_mat3 one = atemi_mat3_identity();
    if (normal <= 0.0) {
        return outer(0.0, n, n);
    }
    if (length <= of->friction * normal) {
        return one;
    }
    const atemi_vec3 t = atemi_vec3_scale(1.0 / length, tangent);
    const double     s = of->friction * normal / length;
    const atemi_mat3 flat = {atemi_vec3_scale(s, one.x), atemi_vec3_scale(s, one.y),
                             atemi_vec3_scale(s, one.z)};
    const atemi_mat3 around = sum(sum(flat, outer(-s, n, n)), outer(-s, t, t));
    return sum(sum(around, outer(1.0, n, n)), outer(of->friction, t, n));
}

// Rows of dF/dp = k - P (k - A), with P the slope of the projection.
static void fill_slopes(int count, const double *A, const atemi_cone *cones, double scale,
                        const double *p, const double *u, double *J)
{
    const size_t n = 3 * (size_t)count;
    for (int i = 0; i < count; ++i) {
        const point      of = point_of(count, A, cones, scale, i);
        const double     k = of.stiffness;
        const atemi_vec3 d = atemi_vec3_sub(atemi_vec3_scale(k, at(p, i)), at(u, i));
        const atemi_mat3 P = projection_slope(&of, d);
        for (size_t j = 0; j < n; ++j) {
            const size_t     first = 3 * (size_t)i;
            const atemi_vec3 a = {A[first * n + j], A[(first + 1) * n + j], A[(first + 2) * n + j]};
            const atemi_vec3 own = {j == first ? k : 0.0, j == first + 1 ? k : 0.0,
                                    j == first + 2 ? k : 0.0};
            const atemi_vec3 column =
                atemi_vec3_sub(own, atemi_mat3_apply(&P, atemi_vec3_sub(own, a)));
            J[first * n + j] = column.x;
            J[(first + 1) * n + j] = column.y;
            J[(first + 2) * n + j] = column.z;
        }
    }
}

// The memory of a step, in the caller's work.
typedef struct room {
    double *u, *F, *J, *step, *trial, *tau, *qr;
} room;

static room room_in(int n, double *work)
{
    room r;
    r.u = work;
    r.F = r.u + n;
    r.step = r.F + n;
    r.trial = r.step + n;
    r.tau = r.trial + n;
    r.J = r.tau + n;
    r.qr = r.J + n * n;
    return r;
}

static void find_step(int n, room *r, int *pivot)
{
    const int rank = atemi_qr_factor(n, n, r->J, n, 1e-12, r->tau, pivot, r->qr);
    memcpy(r->trial, r->F, (size_t)n * sizeof *r->trial);
    atemi_qr_solve_least_norm(n, n, r->J, n, rank, r->tau, pivot, r->trial, r->step, r->qr);
}

// Goes along the step as far as it helps; returns what is left.
static double advance(int count, const double *A, const double *c, const atemi_cone *cones,
                      double scale, double size, room *r, double *p)
{
    const int n = 3 * count;
    double    part = 1.0, left = size;
    for (int i = 0; i < MOST_HALVINGS; ++i, part *= 0.5) {
        for (int j = 0; j < n; ++j) {
            r->trial[j] = p[j] - part * r->step[j];
        }
        left = residuals(count, A, c, cones, scale, r->trial, r->u, r->F);
        if (left < (1.0 - 0.1 * part) * size) {
            memcpy(p, r->trial, (size_t)n * sizeof *p);
            return left;
        }
    }
    return size;
}

// Rounding may leave an impulse just outside its cone.
static void put_into_cone(const atemi_cone *cone, int i, double *p)
{
    const atemi_vec3 n = cone->normal;
    const double     normal = fmax(0.0, atemi_vec3_dot(at(p, i), n));
    const atemi_vec3 tangent = across(at(p, i), n);
    const double     length = atemi_vec3_norm(tangent), most = cone->friction * normal;
    put(p, i,
        atemi_vec3_add(atemi_vec3_scale(normal, n),
                       atemi_vec3_scale(length > most ? most / length : 1.0, tangent)));
}

double atemi_cone_problem_refine(int count, const double *A, const double *c,
                                 const atemi_cone *cones, double scale, double tolerance,
                                 double *work, int *pivot, double *p)
{
    room   r = room_in(3 * count, work);
    double size = residuals(count, A, c, cones, scale, p, r.u, r.F);
    for (int i = 0; i < MOST_STEPS && size > tolerance; ++i) {
        fill_slopes(count, A, cones, scale, p, r.u, r.J);
        find_step(3 * count, &r, pivot);
        const double left = advance(count, A, c, cones, scale, size, &r, p);
        if (!(left < size)) {
            break;
        }
        size = left;
    }
    for (int i = 0; i < count; ++i) {
        put_into_cone(&cones[i], i, p);
    }
    return size;
}
