// SPDX-License-Identifier: Apache-2.0

#include "contact/cone_sweeps.h"

#include <math.h>
#include <string.h>

// Sweeps of relaxation (Gauss-Seidel) over points and intervals, forward and backward in turn, each
// with all others as they are: u of one is that of the few entries of v that move it.

enum { SWEEPS_BETWEEN_LOOKS = 8 };

typedef struct sweeping {
    const atemi_cone_problem *problem;
    atemi_pile_system        *A;
} sweeping;

// ---- One block ------------------------------------------------------------------------------

static const double *own_of(const sweeping *s, int block)
{
    return s->A->own + (ptrdiff_t)9 * block;
}

// u of a block.
static void look(const sweeping *s, int block, double u[3])
{
    const int row = atemi_pile_row(s->A, block);
    memcpy(u, s->problem->c + row, (size_t)atemi_pile_rows(s->A, block) * sizeof *u);
    atemi_pile_system_add(s->A, block, u);
}

static atemi_vec3 vector_at(const double *x)
{
    return (atemi_vec3){x[0], x[1], x[2]};
}

static atemi_vec3 velocity_of(const sweeping *s, int point)
{
    double u[3];
    look(s, point, u);
    return vector_at(u);
}

static double trace(const sweeping *s, int point)
{
    const double *a = own_of(s, point);
    return a[0] + a[4] + a[8];
}

// n . A n of a point.
static double along_normal(const sweeping *s, int point)
{
    const atemi_vec3 n = s->problem->cones[point].normal;
    const double    *a = own_of(s, point), x[] = {n.x, n.y, n.z};
    double           sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum += x[i] * a[3 * i + j] * x[j];
        }
    }
    return sum;
}

// The impulse of a point for its u: first along its normal, then across.
static atemi_vec3 wanted(const sweeping *s, int point, atemi_vec3 p)
{
    const atemi_cone *cone = &s->problem->cones[point];
    const atemi_vec3  n = cone->normal, u = velocity_of(s, point);
    const double      own = along_normal(s, point), k = trace(s, point) - own;
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
    if (!(along_normal(s, point) > 0.0)) {
        return;
    }
    const atemi_vec3 now = vector_at(own), next = wanted(s, point, now);
    const double     change[] = {next.x - now.x, next.y - now.y, next.z - now.z};
    own[0] = next.x;
    own[1] = next.y;
    own[2] = next.z;
    atemi_pile_system_push(s->A, point, change);
}

static double interval_wanted(const sweeping *s, int block, double p)
{
    const atemi_interval bound = s->problem->bounds[block - s->problem->points];
    const double         k = *own_of(s, block);
    double               u[3];
    look(s, block, u);
    return fmin(fmax(k > 0.0 ? p - u[0] / k : p, bound.lower), bound.upper);
}

static void relax_interval(sweeping *s, int block, double *p)
{
    const int    row = atemi_pile_row(s->A, block);
    const double next = interval_wanted(s, block, p[row]), change = next - p[row];
    p[row] = next;
    atemi_pile_system_push(s->A, block, &change);
}

// ---- Sweeps ---------------------------------------------------------------------------------

// How far a block is from its conditions, as a motion.
static double violation(const sweeping *s, int block, const double *p)
{
    const int r = atemi_pile_row(s->A, block);
    if (block >= s->problem->points) {
        return fabs(*own_of(s, block) * (p[r] - interval_wanted(s, block, p[r])));
    }
    const atemi_vec3 now = vector_at(p + r);
    if (!(along_normal(s, block) > 0.0)) {
        return 0.0;
    }
    const atemi_vec3 off = atemi_vec3_sub(wanted(s, block, now), now);
    return trace(s, block) * atemi_vec3_norm(off);
}

static double largest_violation(const sweeping *s, const double *p)
{
    double most = 0.0;
    for (int block = 0; block < atemi_pile_blocks(s->A); ++block) {
        most = fmax(most, violation(s, block, p));
    }
    return most;
}

static void sweep(sweeping *s, bool backward, double *p)
{
    for (int i = 0; i < atemi_pile_blocks(s->A); ++i) {
        const int block = backward ? atemi_pile_blocks(s->A) - 1 - i : i;
        if (block < s->problem->points) {
            relax_point(s, block, p);
        } else {
            relax_interval(s, block, p);
        }
    }
}

double atemi_cone_sweeps(const atemi_cone_problem *problem, atemi_pile_system *A, int most,
                         double *p)
{
    sweeping s = {problem, A};
    atemi_pile_system_press(A, problem->freedoms, p);
    double left = largest_violation(&s, p);
    for (int i = 0; i < most && left > problem->enough; ++i) {
        sweep(&s, i & 1, p);
        if (i % SWEEPS_BETWEEN_LOOKS == SWEEPS_BETWEEN_LOOKS - 1) {
            left = largest_violation(&s, p);
        }
    }
    return left;
}
