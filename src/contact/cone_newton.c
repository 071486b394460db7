// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "contact/cone_problem.h"
#include "math/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Newton's method on the projection equation of the cone problem [AlartCurnier91]. At each point,
// with u = A p + c, k a bound of its stiffness, and  d = k p - u  split along its normal and
// across:
//
//   leaves   (d_n <= 0)                   k p = 0
//   sticks   (|d_t| <= friction d_n)      u = 0
//   slips    (otherwise)                  u_n = 0,  k p_t = friction d_n t,  t = d_t / |d_t|
//
// Each point's equations are those of the case it is in, linearized. Half steps are tried while
// they do not help. Here A includes what the system adds to its diagonal.

static const double scale = 0.3; // of the stiffness: impulses weigh less than motions

enum { MOST_STEPS = 15, MOST_HALVINGS = 12 };

typedef struct point {
    atemi_vec3 normal;
    double     friction, stiffness;
} point;

static double added_at(const atemi_cone_system *s, int i)
{
    return s->added ? s->added[i] : 0.0;
}

// Nothing moves a point of the world, and any stiffness will do.
static point point_of(const atemi_cone_system *s, int i)
{
    const size_t n = 3 * (size_t)s->count;
    double       k = 0.0;
    for (size_t r = 3 * (size_t)i; r < 3 * (size_t)i + 3; ++r) {
        k += s->A[r * n + r];
    }
    k += 3.0 * added_at(s, i);
    return (point){s->cones[i].normal, s->cones[i].friction, k > 0.0 ? scale * k : 1.0};
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

static void motions(const atemi_cone_system *s, const double *p, double *u)
{
    const int n = 3 * s->count;
    for (int r = 0; r < n; ++r) {
        u[r] = s->c[r] + added_at(s, r / 3) * p[r];
    }
    for (int r = 0; r < n && !s->factor; ++r) {
        for (int j = 0; j < n; ++j) {
            u[r] += row_in(s->A, n, r)[j] * p[j];
        }
    }
    for (int k = 0; k < s->rank; ++k) {
        const double *L = row_in(s->factor, n, k);
        row_subtract(n, -row_dot(n, L, p), L, u);
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

static double residuals(const atemi_cone_system *s, const double *p, double *u, double *F)
{
    double size = 0.0;
    motions(s, p, u);
    for (int i = 0; i < s->count; ++i) {
        const point of = point_of(s, i);
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

// The slope P of a point's projection where it is.
static atemi_mat3 slope_at(const atemi_cone_system *s, int i, const double *p, const double *u,
                           double *k)
{
    const point of = point_of(s, i);
    *k = of.stiffness;
    return projection_slope(&of,
                            atemi_vec3_sub(atemi_vec3_scale(of.stiffness, at(p, i)), at(u, i)));
}

// Rows of dF/dp = k - P (k - A).
static void fill_slopes(const atemi_cone_system *s, const double *p, const double *u, double *J)
{
    const size_t  n = 3 * (size_t)s->count;
    const double *A = s->A;
    for (int i = 0; i < s->count; ++i) {
        double           k;
        const atemi_mat3 P = slope_at(s, i, p, u, &k);
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

// The memory of a step, in the caller's room; J for the factored solution has its own use.
typedef struct step_room {
    double *u, *F, *step, *trial, *J;
} step_room;

static step_room room_in(int n, double *room)
{
    return (step_room){room, room + n, room + 2 * (size_t)n, room + 3 * (size_t)n,
                       room + 4 * (size_t)n};
}

size_t atemi_cone_newton_room(int count, int rank, bool factored)
{
    const size_t n = 3 * (size_t)count, r = (size_t)rank;
    return 4 * n + (factored ? 10 * (size_t)count + r * (r + 1) : n * n);
}

static bool find_dense_step(const atemi_cone_system *s, const double *p, step_room *r, int *pivot)
{
    const int n = 3 * s->count;
    fill_slopes(s, p, r->u, r->J);
    if (!atemi_lu_factor(n, r->J, n, pivot)) {
        return false;
    }
    atemi_lu_solve(n, r->J, n, pivot, r->step);
    return true;
}

static bool find_factored_step(const atemi_cone_system *s, const double *p, step_room *r,
                               int *pivot)
{
    atemi_mat3 *slopes = (atemi_mat3 *)r->J;
    double     *k = r->J + 9 * (size_t)s->count, *rest = k + s->count;
    for (int i = 0; i < s->count; ++i) {
        slopes[i] = slope_at(s, i, p, r->u, &k[i]);
    }
    return atemi_cone_factored_solve(s, slopes, k, rest, pivot, r->step);
}

static bool find_step(const atemi_cone_system *s, const double *p, step_room *r, int *pivot)
{
    memcpy(r->step, r->F, 3 * (size_t)s->count * sizeof *r->step);
    return (s->factor ? find_factored_step : find_dense_step)(s, p, r, pivot);
}

// Goes along the step as far as it helps; returns what is left.
static double advance(const atemi_cone_system *s, double size, step_room *r, double *p)
{
    const int n = 3 * s->count;
    double    part = 1.0, left = size;
    for (int i = 0; i < MOST_HALVINGS; ++i, part *= 0.5) {
        for (int j = 0; j < n; ++j) {
            r->trial[j] = p[j] - part * r->step[j];
        }
        left = residuals(s, r->trial, r->u, r->F);
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

double atemi_cone_newton(const atemi_cone_system *system, double tolerance, double *room,
                         int *pivot, double *p)
{
    step_room r = room_in(3 * system->count, room);
    double    size = residuals(system, p, r.u, r.F), before = (double)INFINITY;
    for (int i = 0; i < MOST_STEPS && size > tolerance && size < before; ++i) {
        before = size;
        if (find_step(system, p, &r, pivot)) {
            size = advance(system, size, &r, p);
        }
    }
    for (int i = 0; i < system->count; ++i) {
        put_into_cone(&system->cones[i], i, p);
    }
    return size;
}
