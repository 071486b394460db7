// SPDX-License-Identifier: Apache-2.0

#include "contact/cone_problem.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Projected Gauss-Seidel, a point at a time [Jourdan98]. With u the motion of the point under the
// impulses so far and B its own 3 x 3 block of A, a step corrects the normal impulse and then the
// tangential one, each by a bound of its own stiffness, and projects:
//
//   p_n <- max(0, p_n - u_n / (n.B n))
//   p_t <- the point nearest to  p_t - u_t / trace B  with  |p_t| <= friction p_n
//
// Its fixed points are the solutions. Where points are redundant the impulses settle somewhere
// among them, and the motions converge all the same.

static atemi_vec3 at(const double *x, int point)
{
    return (atemi_vec3){x[3 * point], x[3 * point + 1], x[3 * point + 2]};
}

static void put(double *x, int point, atemi_vec3 value)
{
    x[3 * point] = value.x;
    x[3 * point + 1] = value.y;
    x[3 * point + 2] = value.z;
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

// The impulse that the point would choose if the others kept theirs.
static atemi_vec3 chosen(int count, const double *A, const double *c, const atemi_cone *cone,
                         int point, const double *p)
{
    const atemi_symmetric3 B = own_block(count, A, point);
    const atemi_vec3       n = cone->normal, before = at(p, point);
    const double           k = atemi_vec3_dot(n, atemi_symmetric3_apply(&B, n));
    if (!(k > 0.0)) { // of the world: nothing moves it
        return before;
    }
    const atemi_vec3 u = motion_of(count, A, c, p, point);
    const double     pushed = atemi_vec3_dot(before, n);
    const double     normal = fmax(0.0, pushed - atemi_vec3_dot(u, n) / k);
    const atemi_vec3 change = atemi_vec3_scale(normal - pushed, n);
    const atemi_vec3 now = atemi_vec3_add(u, atemi_symmetric3_apply(&B, change));
    return atemi_vec3_add(atemi_vec3_scale(normal, n), rub(cone, normal, before, now, trace(&B)));
}

// One round of all points, each going part of the way to what it would choose. The cones are
// convex, so that it stays in its own.
static void sweep_points(int count, const double *A, const double *c, const atemi_cone *cones,
                         double part, double *p)
{
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 now = at(p, i), next = chosen(count, A, c, &cones[i], i, p);
        put(p, i, atemi_vec3_add(now, atemi_vec3_scale(part, atemi_vec3_sub(next, now))));
    }
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

// How often a change d can be added to an impulse inside its cone until it is at the surface:
//
//   |p_t + x d_t| = friction (p_n + x d_n)
//
// Points of one link whose motions cannot all be zero squeeze each other harder and harder, until
// one of them slips.
static double repeats_inside(const atemi_cone *cone, atemi_vec3 p, atemi_vec3 change)
{
    const atemi_vec3 n = cone->normal, p_t = across(p, n), d_t = across(change, n);
    const double     p_n = cone->friction * atemi_vec3_dot(p, n);
    const double     d_n = cone->friction * atemi_vec3_dot(change, n);
    const double     a = atemi_vec3_dot(d_t, d_t) - d_n * d_n;
    const double     b = atemi_vec3_dot(p_t, d_t) - p_n * d_n;
    const double     c = atemi_vec3_dot(p_t, p_t) - p_n * p_n;
    const double     square = b * b - a * c;
    if (!(c < -1e-9 * p_n * p_n) || square < 0.0) { // slips already, or never will
        return (double)INFINITY;
    }
    const double below = b + sqrt(square);
    return below > 0.0 ? -c / below : (double)INFINITY;
}

// How often the change since `from` can be repeated until the first point leaves or slips.
static double repeats_left(int count, const atemi_cone *cones, const double *from, const double *p)
{
    double most = INFINITY;
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 n = cones[i].normal, change = atemi_vec3_sub(at(p, i), at(from, i));
        const double     falling = -atemi_vec3_dot(change, n);
        if (falling > 0.0) {
            most = fmin(most, atemi_vec3_dot(at(p, i), n) / falling);
        }
        most = fmin(most, repeats_inside(&cones[i], at(p, i), change));
    }
    return isfinite(most) ? most : 0.0;
}

// Goes on as since `from`, all the way.
static void go_on(int count, const atemi_cone *cones, const double *from, double *p)
{
    const double repeats = repeats_left(count, cones, from, p);
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 n = cones[i].normal, change = atemi_vec3_sub(at(p, i), at(from, i));
        const atemi_vec3 far = atemi_vec3_add(at(p, i), atemi_vec3_scale(repeats, change));
        const double     normal = fmax(0.0, atemi_vec3_dot(far, n));
        put(p, i,
            atemi_vec3_add(atemi_vec3_scale(normal, n),
                           shortened(across(far, n), cones[i].friction * normal)));
    }
}

double atemi_cone_problem_solve(int count, const double *A, const double *c,
                                const atemi_cone *cones, double tolerance, int sweeps, double *room,
                                double *p)
{
    enum { BETWEEN_LOOKS = 10, PATIENCE = 10 };
    double off = largest_violation(count, A, c, cones, p), best = off, part = 1.0;
    int    patience = PATIENCE;
    for (int sweep = 0; sweep < sweeps && off > tolerance; sweep += BETWEEN_LOOKS) {
        memcpy(room, p, 3 * (size_t)count * sizeof *p);
        for (int i = 0; i < BETWEEN_LOOKS; ++i) {
            sweep_points(count, A, c, cones, part, p);
        }
        off = largest_violation(count, A, c, cones, p);
        patience = off < 0.98 * best ? PATIENCE : patience - 1;
        best = fmin(best, off);
        if (patience == 0) {
            go_on(count, cones, room, p);
            part *= 0.5;
            patience = PATIENCE;
            best = largest_violation(count, A, c, cones, p);
        }
    }
    return off;
}
