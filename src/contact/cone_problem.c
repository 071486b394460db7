// SPDX-License-Identifier: Apache-2.0

#include "contact/cone_problem.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// The proximal point method. Where points are redundant A is singular, and where friction is
// high Newton's method may lead nowhere; so it solves in turn, from the p that it has so far, the
// problems of
//
//   A + w D,   c - w D p      D = trace B of each point, B its own 3 x 3 block of A
//
// whose p no longer changes where it solves that of A and c. A small w is tried first: next to a
// good guess it is as good as none. Where that fails it grows, and p goes a part of the way.

static const double least_weight = 1e-10, first_growth = 1e-4, most_weight = 10.0;

enum { MOST_ROUNDS = 200 };

static atemi_vec3 at(const double *x, int point)
{
    return (atemi_vec3){x[3 * point], x[3 * point + 1], x[3 * point + 2]};
}

static const double *row_of(const double *A, int count, int row)
{
    return A + (size_t)row * 3 * (size_t)count;
}

static atemi_vec3 motion_of(int count, const double *A, const double *c, const double *p, int point)
{
    double u[3];
    for (int r = 0; r < 3; ++r) {
        const double *a = row_of(A, count, 3 * point + r);
        u[r] = c[3 * point + r];
        for (int j = 0; j < 3 * count; ++j) {
            u[r] += a[j] * p[j];
        }
    }
    return (atemi_vec3){u[0], u[1], u[2]};
}

static atemi_symmetric3 own_block(int count, const double *A, int point)
{
    const double *x = row_of(A, count, 3 * point) + 3 * point;
    const double *y = row_of(A, count, 3 * point + 1) + 3 * point;
    const double *z = row_of(A, count, 3 * point + 2) + 3 * point;
    return (atemi_symmetric3){
        .xx = x[0], .yy = y[1], .zz = z[2], .xy = x[1], .xz = x[2], .yz = y[2]};
}

static double trace(const atemi_symmetric3 *B)
{
    return B->xx + B->yy + B->zz;
}

static atemi_vec3 across(atemi_vec3 a, atemi_vec3 n)
{
    return atemi_vec3_sub(a, atemi_vec3_scale(atemi_vec3_dot(a, n), n));
}

static atemi_vec3 shortened(atemi_vec3 a, double most)
{
    const double length = atemi_vec3_norm(a);
    return length > most ? atemi_vec3_scale(most / length, a) : a;
}

// The tangential impulse that goes with a normal one, after a correction by the motion u.
static atemi_vec3 rub(const atemi_cone *cone, double normal, atemi_vec3 p, atemi_vec3 u, double k)
{
    const atemi_vec3 correction = atemi_vec3_scale(-1.0 / k, across(u, cone->normal));
    return shortened(atemi_vec3_add(across(p, cone->normal), correction), cone->friction * normal);
}

// How far a point is from its conditions, as a motion.
static double violation(int count, const double *A, const double *c, const atemi_cone *cone,
                        int point, const double *p)
{
    const atemi_symmetric3 B = own_block(count, A, point);
    const double           k = trace(&B);
    const atemi_vec3       now = at(p, point), u = motion_of(count, A, c, p, point);
    if (!(k > 0.0)) {
        return 0.0;
    }
    const double     normal = atemi_vec3_dot(now, cone->normal);
    const double     apart = fabs(fmin(atemi_vec3_dot(u, cone->normal), k * normal));
    const atemi_vec3 wanted = rub(cone, normal, now, u, k);
    const atemi_vec3 missing = atemi_vec3_sub(across(now, cone->normal), wanted);
    return fmax(apart, k * atemi_vec3_norm(missing));
}

static double largest_violation(int count, const double *A, const double *c,
                                const atemi_cone *cones, const double *p)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, violation(count, A, c, &cones[i], i, p));
    }
    return most;
}

// ---- Rounds ---------------------------------------------------------------------------------

// The memory of a round, in the caller's room. Few points: A + w D itself; many: the factor of A,
// and w D beside it.
typedef struct round_room {
    double *c, *p, *A, *added, *factor, *rest;
} round_room;

static round_room dense_room(int count, double *room)
{
    const size_t n = 3 * (size_t)count;
    return (round_room){.c = room, .p = room + n, .A = room + 2 * n, .rest = room + 2 * n + n * n};
}

static round_room factored_room(int count, int freedoms, double *room)
{
    const size_t n = 3 * (size_t)count;
    double      *added = room + 2 * n, *factor = added + count;
    return (round_room){.c = room,
                        .p = room + n,
                        .added = added,
                        .factor = factor,
                        .rest = factor + (size_t)freedoms * n};
}

static bool is_few(int count)
{
    return count <= ATEMI_CONE_MOST_DENSE;
}

size_t atemi_cone_problem_room(int count, int freedoms)
{
    const int    few = is_few(count) ? count : ATEMI_CONE_MOST_DENSE;
    const size_t n = 3 * (size_t)few, m = 3 * (size_t)count;
    const size_t dense = 2 * n + n * n + atemi_cone_newton_room(few, 0, false);
    const size_t factored = 2 * m + (size_t)count + (size_t)freedoms * m +
                            atemi_cone_newton_room(count, freedoms, true);
    return is_few(count) || dense > factored ? dense : factored;
}

// A + w D and c - w D p, and p as its guess.
static void weigh(int count, const double *A, const double *c, const double *p, double weight,
                  const round_room *to)
{
    const size_t n = 3 * (size_t)count;
    memcpy(to->p, p, n * sizeof *p);
    if (is_few(count)) {
        memcpy(to->A, A, n * n * sizeof *A);
    }
    for (int i = 0; i < count; ++i) {
        const atemi_symmetric3 B = own_block(count, A, i);
        const double           more = weight * trace(&B);
        for (size_t r = 3 * (size_t)i; r < 3 * (size_t)i + 3; ++r) {
            to->c[r] = c[r] - more * p[r];
            if (is_few(count)) {
                to->A[r * n + r] += more;
            }
        }
        if (!is_few(count)) {
            to->added[i] = more;
        }
    }
}

double atemi_cone_problem_solve(int count, int freedoms, const double *A, const double *c,
                                const atemi_cone *cones, double tolerance, double *room, int *pivot,
                                double *p)
{
    const round_room r =
        is_few(count) ? dense_room(count, room) : factored_room(count, freedoms, room);
    double off = largest_violation(count, A, c, cones, p), weight = least_weight;
    if (off <= tolerance) {
        return off;
    }
    const int rank =
        is_few(count) ? 0 : atemi_cone_factor(3 * count, A, freedoms, r.factor, r.rest);
    const atemi_cone_system system = {.count = count,
                                      .A = is_few(count) ? r.A : A,
                                      .c = r.c,
                                      .cones = cones,
                                      .added = r.added,
                                      .factor = r.factor,
                                      .rank = rank};
    for (int i = 0; i < MOST_ROUNDS && off > tolerance; ++i) {
        const bool   rough = weight > 1e-6;
        const double enough = rough ? fmax(0.1 * off, 0.1 * tolerance) : 0.1 * tolerance;
        weigh(count, A, c, p, weight, &r);
        if (atemi_cone_newton(&system, enough, r.rest, pivot, r.p) <= enough) {
            memcpy(p, r.p, 3 * (size_t)count * sizeof *p);
            off = largest_violation(count, A, c, cones, p);
            weight = fmax(0.3 * weight, least_weight);
        } else {
            weight = fmin(fmax(4.0 * weight, first_growth), most_weight);
        }
    }
    return off;
}
