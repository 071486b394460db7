// SPDX-License-Identifier: Apache-2.0

#include "contact/cone_problem.h"

#include "math/rows.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// The proximal point method. Where points are redundant A is singular, and where friction is
// high Newton's method may lead nowhere; so it solves in turn, from the p that it has so far, the
// problems of
//
//   A + w D,   c - w D p      D = trace B of each point and interval, B its own block of A
//
// whose p no longer changes where it solves that of A and c. A small w is tried first: next to a
// good guess it is as good as none. Where that fails, some sweeps of relaxation (Gauss-Seidel: each
// point with all others as they are) find a better guess, first few and then more of them, w grows,
// and p goes a part of the way.

static const double least_weight = 1e-10, first_growth = 1e-4, most_weight = 10.0;

enum { MOST_ROUNDS = 200, FIRST_SWEEPS = 3, MOST_SWEEPS = 20 };

int atemi_cone_problem_rows(const atemi_cone_problem *problem)
{
    return 3 * problem->points + problem->intervals;
}

static atemi_vec3 at(const double *x, int point)
{
    return (atemi_vec3){x[3 * point], x[3 * point + 1], x[3 * point + 2]};
}

static double motion_of(const atemi_cone_problem *s, const double *p, int row)
{
    const int n = atemi_cone_problem_rows(s);
    return s->c[row] + row_dot(n, row_in(s->A, n, row), p);
}

static double element(const atemi_cone_problem *s, int row)
{
    return row_in(s->A, atemi_cone_problem_rows(s), row)[row];
}

// The trace of a point's own block.
static double trace(const atemi_cone_problem *s, int point)
{
    return element(s, 3 * point) + element(s, 3 * point + 1) + element(s, 3 * point + 2);
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
static double violation(const atemi_cone_problem *s, int point, const double *p)
{
    const atemi_cone *cone = &s->cones[point];
    const double      k = trace(s, point);
    if (!(k > 0.0)) {
        return 0.0;
    }
    const int        r = 3 * point;
    const atemi_vec3 now = at(p, point);
    const atemi_vec3 u = {motion_of(s, p, r), motion_of(s, p, r + 1), motion_of(s, p, r + 2)};
    const double     normal = atemi_vec3_dot(now, cone->normal);
    const double     apart = fabs(fmin(atemi_vec3_dot(u, cone->normal), k * normal));
    const atemi_vec3 wanted = rub(cone, normal, now, u, k);
    const atemi_vec3 missing = atemi_vec3_sub(across(now, cone->normal), wanted);
    return fmax(apart, k * atemi_vec3_norm(missing));
}

static double interval_violation(const atemi_cone_problem *s, int interval, const double *p)
{
    const int            row = 3 * s->points + interval;
    const atemi_interval bound = s->bounds[interval];
    const double         k = element(s, row);
    const double         wanted = k > 0.0 ? p[row] - motion_of(s, p, row) / k : p[row];
    return fabs(k * (p[row] - fmin(fmax(wanted, bound.lower), bound.upper)));
}

static double largest_violation(const atemi_cone_problem *s, const double *p)
{
    double most = 0.0;
    for (int i = 0; i < s->points; ++i) {
        most = fmax(most, violation(s, i, p));
    }
    for (int i = 0; i < s->intervals; ++i) {
        most = fmax(most, interval_violation(s, i, p));
    }
    return most;
}

// ---- Relaxation -----------------------------------------------------------------------------

// n.B n, of a point's own block B.
static double own_along(const atemi_cone_problem *s, int row, atemi_vec3 n)
{
    const int     rows = atemi_cone_problem_rows(s);
    const double *x = row_in(s->A, rows, row) + row, *y = x + rows, *z = y + rows;
    const double  cross = x[1] * n.x * n.y + x[2] * n.x * n.z + y[2] * n.y * n.z;
    return x[0] * n.x * n.x + y[1] * n.y * n.y + z[2] * n.z * n.z + 2.0 * cross;
}

// One point, with all others as they are: first along its normal, then across.
static void relax_point(const atemi_cone_problem *s, int point, double *p)
{
    const atemi_cone *cone = &s->cones[point];
    const atemi_vec3  n = cone->normal;
    const int         r = 3 * point;
    const double      k = trace(s, point);
    const double      own = own_along(s, r, n);
    if (!(own > 0.0)) {
        return;
    }
    const atemi_vec3 u = {motion_of(s, p, r), motion_of(s, p, r + 1), motion_of(s, p, r + 2)};
    const atemi_vec3 now = at(p, point);
    const double     was = atemi_vec3_dot(now, n), along = was - atemi_vec3_dot(u, n) / own;
    const double     normal = along > 0.0 ? along : 0.0;
    const atemi_vec3 rest = rub(cone, normal, now, u, k);
    p[r] = normal * n.x + rest.x;
    p[r + 1] = normal * n.y + rest.y;
    p[r + 2] = normal * n.z + rest.z;
}

static void relax(const atemi_cone_problem *s, int sweeps, double *p)
{
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (int i = 0; i < s->points; ++i) {
            relax_point(s, i, p);
        }
        for (int i = 0, r = 3 * s->points; i < s->intervals; ++i, ++r) {
            const double k = element(s, r);
            const double wanted = k > 0.0 ? p[r] - motion_of(s, p, r) / k : p[r];
            p[r] = fmin(fmax(wanted, s->bounds[i].lower), s->bounds[i].upper);
        }
    }
}

// Returns the violation that is left of `off`.
static double relax_where_it_helps(const atemi_cone_problem *s, int sweeps, double off,
                                   double *trial, double *p)
{
    const size_t size = (size_t)atemi_cone_problem_rows(s) * sizeof *p;
    memcpy(trial, p, size);
    relax(s, sweeps, trial);
    const double relaxed = largest_violation(s, trial);
    if (relaxed < off) {
        memcpy(p, trial, size);
        return relaxed;
    }
    return off;
}

// ---- Rounds ---------------------------------------------------------------------------------

// The memory of a round, in the caller's scratch. Few points: A + w D itself; many: the factor of
// A, and w D beside it.
typedef struct round_scratch {
    bool    few;
    double *c, *p, *A, *added, *factor, *rest;
} round_scratch;

static bool is_few(int points, int intervals)
{
    return points + intervals / 3 <= ATEMI_CONE_MOST_DENSE;
}

static round_scratch scratch_in(const atemi_cone_problem *s, double *scratch)
{
    const size_t n = (size_t)atemi_cone_problem_rows(s);
    if (is_few(s->points, s->intervals)) {
        return (round_scratch){.few = true,
                               .c = scratch,
                               .p = scratch + n,
                               .A = scratch + 2 * n,
                               .rest = scratch + 2 * n + n * n};
    }
    double *added = scratch + 2 * n, *factor = added + s->points + s->intervals;
    return (round_scratch){.c = scratch,
                           .p = scratch + n,
                           .added = added,
                           .factor = factor,
                           .rest = factor + (size_t)s->freedoms * n};
}

size_t atemi_cone_problem_scratch_size(int points, int intervals, int freedoms)
{
    const size_t most = 3 * (size_t)ATEMI_CONE_MOST_DENSE + 2; // rows of few
    const size_t m = 3 * (size_t)points + (size_t)intervals;
    const size_t n = m < most ? m : most;
    const size_t dense = 2 * n + n * n + atemi_cone_newton_scratch_size((int)n, 0, false);
    const size_t factored = 2 * m + (size_t)(points + intervals) + (size_t)freedoms * m +
                            atemi_cone_newton_scratch_size((int)m, freedoms, true);
    return is_few(points, intervals) || dense > factored ? dense : factored;
}

// A + w D and c - w D p, of one row.
static void weigh_row(int n, int row, const double *c, const double *p, double more,
                      const round_scratch *to)
{
    to->c[row] = c[row] - more * p[row];
    if (to->few) {
        row_of(to->A, n, row)[row] += more;
    }
}

// And p as its guess.
static void weigh(const atemi_cone_problem *s, const double *p, double weight,
                  const round_scratch *to)
{
    const int n = atemi_cone_problem_rows(s);
    memcpy(to->p, p, (size_t)n * sizeof *p);
    if (to->few) {
        memcpy(to->A, s->A, (size_t)n * (size_t)n * sizeof *s->A);
    }
    for (int i = 0; i < s->points; ++i) {
        const double more = weight * trace(s, i);
        for (int r = 3 * i; r < 3 * i + 3; ++r) {
            weigh_row(n, r, s->c, p, more, to);
        }
        if (!to->few) {
            to->added[i] = more;
        }
    }
    for (int i = 0; i < s->intervals; ++i) {
        const int    r = 3 * s->points + i;
        const double more = weight * element(s, r);
        weigh_row(n, r, s->c, p, more, to);
        if (!to->few) {
            to->added[s->points + i] = more;
        }
    }
}

double atemi_cone_problem_solve(const atemi_cone_problem *problem, double *scratch, int *pivot,
                                double *p)
{
    const int           n = atemi_cone_problem_rows(problem);
    const round_scratch r = scratch_in(problem, scratch);
    const double        tolerance = problem->tolerance;
    double              off = largest_violation(problem, p), weight = least_weight;
    int                 sweeps = FIRST_SWEEPS;
    if (off <= tolerance) {
        return off;
    }
    const int rank =
        r.few ? 0 : atemi_cone_factor(n, problem->A, problem->freedoms, r.factor, r.rest);
    const atemi_cone_system system = {.points = problem->points,
                                      .intervals = problem->intervals,
                                      .A = r.few ? r.A : problem->A,
                                      .c = r.c,
                                      .cones = problem->cones,
                                      .bounds = problem->bounds,
                                      .added = r.added,
                                      .factor = r.factor,
                                      .rank = rank};
    for (int i = 0; i < MOST_ROUNDS && off > tolerance; ++i) {
        const bool   rough = weight > 1e-6;
        const double enough = rough ? fmax(0.1 * off, 0.1 * tolerance) : 0.1 * tolerance;
        if (i > 0 && off <= (i < problem->rounds ? 1.0 : 10.0) * problem->enough) {
            break;
        }
        weigh(problem, p, weight, &r);
        if (atemi_cone_newton(&system, enough, r.rest, pivot, r.p) <= enough) {
            memcpy(p, r.p, (size_t)n * sizeof *p);
            off = largest_violation(problem, p);
            weight = fmax(0.3 * weight, least_weight);
        } else {
            off = relax_where_it_helps(problem, sweeps, off, r.p, p);
            sweeps = 2 * sweeps < MOST_SWEEPS ? 2 * sweeps : MOST_SWEEPS;
            weight = i ? fmin(fmax(4.0 * weight, first_growth), most_weight) : weight;
        }
    }
    return off;
}
