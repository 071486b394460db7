// SPDX-License-Identifier: Apache-2.0

#include "contact/cone_problem.h"

#include "math/rows.h"

#include <math.h>
#include <string.h>

// Sweeps of relaxation (Gauss-Seidel) over points and intervals, forward and backward in turn, each
// with all others as they are. In a pile of bodies a point meets few others: u = A p + c is kept,
// and a change of one impulse changes u of its neighbours only, those whose block of A is not zero.

enum { SWEEPS_BETWEEN_LOOKS = 8 };

typedef struct sweeping {
    const atemi_cone_problem *problem;
    int                       rows, blocks;
    double                   *u;          ///< [rows]
    int                      *first;      ///< [blocks + 1] of the neighbours of each
    int                      *neighbours; ///< [blocks^2] at most
} sweeping;

// ---- Neighbours -----------------------------------------------------------------------------

// Of the blocks, the points come first.
static int row_of_block(const sweeping *s, int block)
{
    const int points = s->problem->points;
    return block < points ? 3 * block : 2 * points + block;
}

static int size_of_block(const sweeping *s, int block)
{
    return block < s->problem->points ? 3 : 1;
}

static bool are_neighbours(const sweeping *s, int a, int b)
{
    const int row = row_of_block(s, a), column = row_of_block(s, b);
    double    sum = 0.0;
    for (int i = 0; i < size_of_block(s, a); ++i) {
        const double *A = row_in(s->problem->A, s->rows, row + i) + column;
        for (int j = 0; j < size_of_block(s, b); ++j) {
            sum += fabs(A[j]);
        }
    }
    return sum > 0.0;
}

static void find_neighbours(sweeping *s)
{
    int found = 0;
    for (int a = 0; a < s->blocks; ++a) {
        s->first[a] = found;
        for (int b = 0; b < s->blocks; ++b) {
            if (are_neighbours(s, a, b)) {
                s->neighbours[found++] = b;
            }
        }
    }
    s->first[s->blocks] = found;
}

static void find_motion(sweeping *s, const double *p)
{
    for (int r = 0; r < s->rows; ++r) {
        s->u[r] = s->problem->c[r] + row_dot(s->rows, row_in(s->problem->A, s->rows, r), p);
    }
}

// ---- One block ------------------------------------------------------------------------------

// What a change of one block's impulses does to u.
static void push(sweeping *s, int block, const double *change)
{
    const int row = row_of_block(s, block), size = size_of_block(s, block);
    for (int k = s->first[block]; k < s->first[block + 1]; ++k) {
        const int to = row_of_block(s, s->neighbours[k]);
        const int count = size_of_block(s, s->neighbours[k]);
        for (int i = 0; i < size; ++i) {
            const double *A = row_in(s->problem->A, s->rows, row + i) + to;
            for (int j = 0; j < count; ++j) {
                s->u[to + j] += A[j] * change[i];
            }
        }
    }
}

static atemi_vec3 vector_at(const double *x)
{
    return (atemi_vec3){x[0], x[1], x[2]};
}

static double element(const sweeping *s, int row, int column)
{
    return row_in(s->problem->A, s->rows, row)[column];
}

static double trace(const sweeping *s, int r)
{
    return element(s, r, r) + element(s, r + 1, r + 1) + element(s, r + 2, r + 2);
}

// n . A n of a point.
static double along_normal(const sweeping *s, int r, atemi_vec3 n)
{
    const double x[] = {n.x, n.y, n.z};
    double       sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum += x[i] * element(s, r + i, r + j) * x[j];
        }
    }
    return sum;
}

// The impulse of a point for its u: first along its normal, then across.
static atemi_vec3 wanted(const sweeping *s, int point, atemi_vec3 p)
{
    const atemi_cone *cone = &s->problem->cones[point];
    const int         r = 3 * point;
    const atemi_vec3  n = cone->normal, u = vector_at(s->u + r);
    const double      k = trace(s, r), own = along_normal(s, r, n);
    const double      un = atemi_vec3_dot(u, n), pn = atemi_vec3_dot(p, n);
    const double      normal = fmax(0.0, pn - un / own), most = cone->friction * normal;
    const atemi_vec3  p_across = atemi_vec3_sub(p, atemi_vec3_scale(pn, n));
    const atemi_vec3  u_across = atemi_vec3_sub(u, atemi_vec3_scale(un, n));
    atemi_vec3        rub = atemi_vec3_sub(p_across, atemi_vec3_scale(1.0 / k, u_across));
    const double      size = atemi_vec3_norm(rub);
    rub = size > most ? atemi_vec3_scale(most / size, rub) : rub;
    return atemi_vec3_add(atemi_vec3_scale(normal, n), rub);
}

static void relax_point(sweeping *s, int point, double *p)
{
    double *own = p + (ptrdiff_t)3 * point;
    if (!(along_normal(s, 3 * point, s->problem->cones[point].normal) > 0.0)) {
        return;
    }
    const atemi_vec3 now = vector_at(own), next = wanted(s, point, now);
    const double     change[] = {next.x - now.x, next.y - now.y, next.z - now.z};
    own[0] = next.x;
    own[1] = next.y;
    own[2] = next.z;
    push(s, point, change);
}

static double interval_wanted(const sweeping *s, int block, double p)
{
    const int            row = row_of_block(s, block);
    const atemi_interval bound = s->problem->bounds[block - s->problem->points];
    const double         k = element(s, row, row);
    return fmin(fmax(k > 0.0 ? p - s->u[row] / k : p, bound.lower), bound.upper);
}

static void relax_interval(sweeping *s, int block, double *p)
{
    const int    row = row_of_block(s, block);
    const double next = interval_wanted(s, block, p[row]), change = next - p[row];
    p[row] = next;
    push(s, block, &change);
}

// ---- Sweeps ---------------------------------------------------------------------------------

// How far a block is from its conditions, as a motion.
static double violation(const sweeping *s, int block, const double *p)
{
    const int r = row_of_block(s, block);
    if (block >= s->problem->points) {
        return fabs(element(s, r, r) * (p[r] - interval_wanted(s, block, p[r])));
    }
    const atemi_vec3 n = s->problem->cones[block].normal, now = vector_at(p + r);
    if (!(along_normal(s, r, n) > 0.0)) {
        return 0.0;
    }
    const atemi_vec3 off = atemi_vec3_sub(wanted(s, block, now), now);
    return trace(s, r) * atemi_vec3_norm(off);
}

static double largest_violation(const sweeping *s, const double *p)
{
    double most = 0.0;
    for (int block = 0; block < s->blocks; ++block) {
        most = fmax(most, violation(s, block, p));
    }
    return most;
}

static void sweep(sweeping *s, bool backward, double *p)
{
    for (int i = 0; i < s->blocks; ++i) {
        const int block = backward ? s->blocks - 1 - i : i;
        if (block < s->problem->points) {
            relax_point(s, block, p);
        } else {
            relax_interval(s, block, p);
        }
    }
}

size_t atemi_cone_sweeps_room(int points, int intervals)
{
    const size_t blocks = (size_t)points + (size_t)intervals, ints = sizeof(double) / sizeof(int);
    return 3 * (size_t)points + (size_t)intervals + (blocks * blocks + blocks + 1) / ints + 2;
}

double atemi_cone_sweeps(const atemi_cone_problem *problem, int most, double *room, double *p)
{
    sweeping s = {.problem = problem,
                  .rows = atemi_cone_problem_rows(problem),
                  .blocks = problem->points + problem->intervals,
                  .u = room};
    s.first = (int *)(room + s.rows);
    s.neighbours = s.first + s.blocks + 1;
    find_neighbours(&s);
    find_motion(&s, p);
    double left = largest_violation(&s, p);
    for (int i = 0; i < most && left > problem->enough; ++i) {
        sweep(&s, i & 1, p);
        if (i % SWEEPS_BETWEEN_LOOKS == SWEEPS_BETWEEN_LOOKS - 1) {
            left = largest_violation(&s, p);
        }
    }
    return left;
}
