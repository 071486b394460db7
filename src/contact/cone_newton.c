// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "contact/cone_problem.h"
#include "math/elimination.h"
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
// and at each interval, with d = k p - u likewise:
//
//   k p = k lower or k upper   (k p - u beyond it),      u = 0   (otherwise)
//
// The equations of each are those of the case it is in, linearized: with P the slope of the
// projection,
//
//   (k (1 - P) + P A) step = F
//
// Rows with P = 0 have their step at once, and only the others make a system: symmetric where
// nothing slips. Half steps are tried while they do not help. Here A includes what the system adds
// to its diagonal.

static const double scale = 0.3; // of the stiffness: impulses weigh less than motions

enum { MOST_STEPS = 15, MOST_HALVINGS = 4 };

typedef struct point {
    atemi_vec3 normal;
    double     friction, stiffness;
} point;

static int rows_of(const atemi_cone_system *s)
{
    return 3 * s->points + s->intervals;
}

static double added_at(const atemi_cone_system *s, int i)
{
    return s->added ? s->added[i] : 0.0;
}

static double element(const atemi_cone_system *s, int row)
{
    return row_in(s->A, rows_of(s), row)[row];
}

// Nothing moves a point of the world, and any stiffness will do.
static double usable(double stiffness)
{
    return stiffness > 0.0 ? scale * stiffness : 1.0;
}

// k of all points and intervals.
static void find_stiffness(const atemi_cone_system *s, double *k)
{
    for (int i = 0; i < s->points; ++i) {
        const double sum = element(s, 3 * i) + element(s, 3 * i + 1) + element(s, 3 * i + 2);
        k[i] = usable(sum + 3.0 * added_at(s, i));
    }
    for (int i = s->points; i < s->points + s->intervals; ++i) {
        k[i] = usable(element(s, 2 * s->points + i) + added_at(s, i));
    }
}

static point point_of(const atemi_cone_system *s, const double *k, int i)
{
    return (point){s->cones[i].normal, s->cones[i].friction, k[i]};
}

// (fmax and fmin would be calls.)
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double within(atemi_interval bound, double x)
{
    return x < bound.lower ? bound.lower : larger(bound.lower, x < bound.upper ? x : bound.upper);
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
    const int n = rows_of(s);
    for (int r = 0; r < n; ++r) {
        const int block = r < 3 * s->points ? r / 3 : r - 2 * s->points;
        u[r] = s->c[r] + added_at(s, block) * p[r];
    }
    for (int r = 0; r < n && !s->factor; ++r) {
        u[r] += row_dot(n, row_in(s->A, n, r), p);
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
    const double     normal = larger(0.0, atemi_vec3_dot(d, n));
    const atemi_vec3 tangent = across(d, n);
    const double     length = atemi_vec3_norm(tangent), most = of->friction * normal;
    const double     fraction = length > most ? most / length : 1.0;
    const atemi_vec3 onto =
        atemi_vec3_add(atemi_vec3_scale(normal, n), atemi_vec3_scale(fraction, tangent));
    return atemi_vec3_sub(atemi_vec3_scale(of->stiffness, p), onto);
}

// And of an interval's.
static double interval_residual(double k, atemi_interval bound, double p, double u)
{
    return k * (p - within(bound, p - u / k));
}

static double residuals(const atemi_cone_system *s, const double *k, const double *p, double *u,
                        double *F)
{
    double size = 0.0;
    motions(s, p, u);
    for (int i = 0; i < s->points; ++i) {
        const point of = point_of(s, k, i);
        put(F, i, residual(&of, at(p, i), at(u, i)));
        size = larger(size, atemi_vec3_norm(at(F, i)));
    }
    for (int i = 0, r = 3 * s->points; i < s->intervals; ++i, ++r) {
        F[r] = interval_residual(k[s->points + i], s->bounds[i], p[r], u[r]);
        size = larger(size, fabs(F[r]));
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

// The slopes P of all projections where they are.
static void find_slopes(const atemi_cone_system *s, const double *p, const double *u,
                        const atemi_cone_slopes *to)
{
    for (int i = 0; i < s->points; ++i) {
        const point      of = point_of(s, to->k, i);
        const atemi_vec3 d = atemi_vec3_sub(atemi_vec3_scale(of.stiffness, at(p, i)), at(u, i));
        to->points[i] = projection_slope(&of, d);
    }
    for (int i = 0, r = 3 * s->points; i < s->intervals; ++i, ++r) {
        const double d = p[r] - u[r] / to->k[s->points + i];
        const bool   inside = d > s->bounds[i].lower && d < s->bounds[i].upper;
        to->intervals[i] = inside ? 1.0 : 0.0;
    }
}

// ---- The step -------------------------------------------------------------------------------

// The memory of a step, in the caller's scratch.
typedef struct step_scratch {
    double           *u, *F, *step, *trial;
    atemi_cone_slopes slopes;
    int              *active; ///< rows whose slope is not zero; the dense step's
    double           *J, *x;  ///< its system, or the scratch of the factored solution
} step_scratch;

static step_scratch scratch_in(const atemi_cone_system *s, double *scratch)
{
    const size_t n = (size_t)rows_of(s);
    double      *slopes = scratch + 4 * n, *rest = slopes + 4 * n;
    return (step_scratch){.u = scratch,
                          .F = scratch + n,
                          .step = scratch + 2 * n,
                          .trial = scratch + 3 * n,
                          .slopes = {.points = (atemi_mat3 *)slopes,
                                     .intervals = slopes + 9 * (size_t)s->points,
                                     .k = slopes + 9 * (size_t)s->points + s->intervals},
                          .active = (int *)rest,
                          .x = rest + n,
                          .J = s->factor ? rest : rest + n + (size_t)elimination_stride((int)n)};
}

// A point has ten numbers of slopes for its three rows, an interval two for one.
size_t atemi_cone_newton_scratch_size(int rows, int rank, bool factored)
{
    const size_t n = (size_t)rows, r = (size_t)rank;
    const size_t stride = (size_t)elimination_stride(rows);
    return 8 * n + (factored ? r * (r + 1) : n + (n + 1) * stride);
}

// Whether the case of a point is that it leaves, or that it sticks.
static bool leaves(const atemi_mat3 *P)
{
    return P->x.x + P->y.y + P->z.z == 0.0;
}

static bool sticks(const atemi_mat3 *P)
{
    return P->x.x == 1.0 && P->y.y == 1.0 && P->z.z == 1.0;
}

// Lists the rows whose slopes are not zero; the step of the others is there at once.
static int find_active(const atemi_cone_system *s, step_scratch *r, bool *symmetric)
{
    int count = 0;
    *symmetric = true;
    for (int i = 0; i < s->points; ++i) {
        const bool gone = leaves(&r->slopes.points[i]);
        *symmetric = *symmetric && (gone || sticks(&r->slopes.points[i]));
        for (int row = 3 * i; row < 3 * i + 3; ++row) {
            r->active[count] = row;
            count += !gone;
            r->step[row] = gone ? r->F[row] / r->slopes.k[i] : 0.0;
        }
    }
    for (int i = 0, row = 3 * s->points; i < s->intervals; ++i, ++row) {
        const bool bound = r->slopes.intervals[i] == 0.0;
        r->active[count] = row;
        count += !bound;
        r->step[row] = bound ? r->F[row] / r->slopes.k[s->points + i] : 0.0;
    }
    return count;
}

// The element of A and the own stiffness of an active row, in the column j of the active rows.
static double column_of(const atemi_cone_system *s, const step_scratch *r, int row, int j)
{
    return row_in(s->A, rows_of(s), row)[r->active[j]];
}

// Three rows of J = k - P (k - A) over the active columns.
static void fill_point(const atemi_cone_system *s, const step_scratch *r, int first, int count)
{
    const int         stride = elimination_stride(count);
    const int         i = r->active[first] / 3;
    const double      k = r->slopes.k[i];
    const atemi_mat3 *P = &r->slopes.points[i];
    for (int j = 0; j < count; ++j) {
        const atemi_vec3 own = {j == first ? k : 0.0, j == first + 1 ? k : 0.0,
                                j == first + 2 ? k : 0.0};
        const atemi_vec3 a = {column_of(s, r, 3 * i, j), column_of(s, r, 3 * i + 1, j),
                              column_of(s, r, 3 * i + 2, j)};
        const atemi_vec3 column = atemi_vec3_sub(own, atemi_mat3_apply(P, atemi_vec3_sub(own, a)));
        row_of(r->J, stride, first)[j] = column.x;
        row_of(r->J, stride, first + 1)[j] = column.y;
        row_of(r->J, stride, first + 2)[j] = column.z;
    }
}

// A row of J that is one of A.
static void fill_row(const atemi_cone_system *s, const step_scratch *r, int row, int count)
{
    const double *A = row_in(s->A, rows_of(s), r->active[row]);
    double       *to = row_of(r->J, elimination_stride(count), row);
    for (int j = 0; j < count; ++j) {
        to[j] = A[r->active[j]];
    }
}

static void fill_system(const atemi_cone_system *s, const step_scratch *r, bool symmetric,
                        int count)
{
    for (int row = 0; row < count;) {
        const bool slips = !symmetric && r->active[row] < 3 * s->points &&
                           !sticks(&r->slopes.points[r->active[row] / 3]);
        if (slips) {
            fill_point(s, r, row, count);
        } else {
            fill_row(s, r, row, count);
        }
        row += slips ? 3 : 1;
    }
}

// F less what the steps of the other rows do:  F - P A step.
static void fill_rest(const atemi_cone_system *s, const step_scratch *r, int count)
{
    const int n = rows_of(s);
    for (int row = 0; row < count && count < n; ++row) {
        r->x[row] = row_dot(n, row_in(s->A, n, r->active[row]), r->step);
    }
    for (int row = 0; row < count && count < n;) {
        const bool of_point = r->active[row] < 3 * s->points;
        if (of_point) {
            const atemi_mat3 *P = &r->slopes.points[r->active[row] / 3];
            const atemi_vec3  moved = {r->x[row], r->x[row + 1], r->x[row + 2]};
            const atemi_vec3  slope = atemi_mat3_apply(P, moved);
            r->x[row] = slope.x;
            r->x[row + 1] = slope.y;
            r->x[row + 2] = slope.z;
        }
        row += of_point ? 3 : 1;
    }
    for (int row = 0; row < count; ++row) {
        r->x[row] = r->F[r->active[row]] - (count < n ? r->x[row] : 0.0);
    }
}

// By elimination, with the right-hand side and zeros behind each row.
static bool eliminate(const step_scratch *r, int count)
{
    const int stride = elimination_stride(count);
    for (int row = 0; row < count; ++row) {
        double *behind = row_of(r->J, stride, row) + count;
        memset(behind, 0, (size_t)(stride - count) * sizeof *behind);
        *behind = r->x[row];
    }
    return atemi_eliminate(count, r->J, r->x);
}

static bool solve_active(const step_scratch *r, bool symmetric, int count)
{
    const int stride = elimination_stride(count);
    if (!symmetric) {
        return eliminate(r, count);
    }
    if (!atemi_cholesky_factor(count, r->J, stride)) {
        return false;
    }
    atemi_cholesky_solve(count, r->J, stride, r->x);
    return true;
}

static bool find_dense_step(const atemi_cone_system *s, step_scratch *r)
{
    bool      symmetric;
    const int count = find_active(s, r, &symmetric);
    fill_system(s, r, symmetric, count);
    fill_rest(s, r, count);
    if (!solve_active(r, symmetric, count)) {
        return false;
    }
    for (int row = 0; row < count; ++row) {
        r->step[r->active[row]] = r->x[row];
    }
    return true;
}

static bool find_step(const atemi_cone_system *s, const double *p, step_scratch *r, int *pivot)
{
    find_slopes(s, p, r->u, &r->slopes);
    if (!s->factor) {
        return find_dense_step(s, r);
    }
    memcpy(r->step, r->F, (size_t)rows_of(s) * sizeof *r->step);
    return atemi_cone_factored_solve(s, &r->slopes, r->J, pivot, r->step);
}

// Goes along the step as far as it helps; returns what is left.
static double advance(const atemi_cone_system *s, double size, step_scratch *r, double *p)
{
    const int n = rows_of(s);
    double    part = 1.0, left = size;
    for (int i = 0; i < MOST_HALVINGS; ++i, part *= 0.5) {
        for (int j = 0; j < n; ++j) {
            r->trial[j] = p[j] - part * r->step[j];
        }
        left = residuals(s, r->slopes.k, r->trial, r->u, r->F);
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
    const double     normal = larger(0.0, atemi_vec3_dot(at(p, i), n));
    const atemi_vec3 tangent = across(at(p, i), n);
    const double     length = atemi_vec3_norm(tangent), most = cone->friction * normal;
    put(p, i,
        atemi_vec3_add(atemi_vec3_scale(normal, n),
                       atemi_vec3_scale(length > most ? most / length : 1.0, tangent)));
}

double atemi_cone_newton(const atemi_cone_system *system, double tolerance, double *scratch,
                         int *pivot, double *p)
{
    step_scratch r = scratch_in(system, scratch);
    find_stiffness(system, r.slopes.k);
    double size = residuals(system, r.slopes.k, p, r.u, r.F), before = (double)INFINITY;
    for (int i = 0; i < MOST_STEPS && size > tolerance && size < before; ++i) {
        before = size;
        if (find_step(system, p, &r, pivot)) {
            size = advance(system, size, &r, p);
        }
    }
    for (int i = 0; i < system->points; ++i) {
        put_into_cone(&system->cones[i], i, p);
    }
    for (int i = 0, row = 3 * system->points; i < system->intervals; ++i, ++row) {
        p[row] = within(system->bounds[i], p[row]);
    }
    return size;
}
