// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"

#include <float.h>

// Motions m = (v, w), forces f = (p, h), linear part first; I the rotational inertia about the
// centre of mass c, d = c_b - c_a [Featherstone08, 2.9 to 2.13]:
//
//   a x b           = (w_a x v_b + v_a x w_b, w_a x w_b)
//   momentum        p = m (v + w x c),   h = I w + c x p
//   welded bodies   m = m_a + m_b,   c = c_a + (m_b / m) d
//                   I = I_a + I_b + (m_a m_b / m) (d.d E - d d^T)

enum { LARGEST_SWEEP_COUNT = 32 }; // seven are the usual number

static double largest_magnitude(const atemi_symmetric3 *S)
{
    const double diagonal = fmax(fmax(fabs(S->xx), fabs(S->yy)), fabs(S->zz));
    const double rest = fmax(fmax(fabs(S->xy), fabs(S->xz)), fabs(S->yz));
    return fmax(diagonal, rest);
}

static int is_finite(const atemi_symmetric3 *S)
{
    return isfinite(S->xx) && isfinite(S->yy) && isfinite(S->zz) && isfinite(S->xy) &&
           isfinite(S->xz) && isfinite(S->yz);
}

static atemi_symmetric3 symmetric_add(const atemi_symmetric3 *a, const atemi_symmetric3 *b)
{
    const atemi_symmetric3 sum = {a->xx + b->xx, a->yy + b->yy, a->zz + b->zz,
                                  a->xy + b->xy, a->xz + b->xz, a->yz + b->yz};
    return sum;
}

// The rotational inertia of a point mass at `d` about the origin: mass (d.d E - d d^T).
static atemi_symmetric3 point_inertia(double mass, atemi_vec3 d)
{
    const atemi_symmetric3 inertia = {mass * (d.y * d.y + d.z * d.z),
                                      mass * (d.x * d.x + d.z * d.z),
                                      mass * (d.x * d.x + d.y * d.y),
                                      -mass * d.x * d.y,
                                      -mass * d.x * d.z,
                                      -mass * d.y * d.z};
    return inertia;
}

// Turns the plane (p, q) so that A_pq becomes zero [GolubVanLoan13, 8.5]. r is the third axis.
static void annihilate(double A[3][3], int p, int q, int r)
{
    if (A[p][q] == 0.0) {
        return;
    }
    const double theta = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
    const double t = copysign(1.0, theta) / (fabs(theta) + hypot(1.0, theta));
    const double c = 1.0 / hypot(1.0, t);
    const double s = t * c;

    const double rp = A[r][p], rq = A[r][q];
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = 0.0;
    A[r][p] = A[p][r] = c * rp - s * rq;
    A[r][q] = A[q][r] = s * rp + c * rq;
}

static atemi_vec3 ascending(double a, double b, double c)
{
    const atemi_vec3 sorted = {fmin(fmin(a, b), c), fmax(fmin(a, b), fmin(fmax(a, b), c)),
                               fmax(fmax(a, b), c)};
    return sorted;
}

atemi_transform atemi_transform_compose(const atemi_transform *b_in_a,
                                        const atemi_transform *c_in_b)
{
    const atemi_transform c_in_a = {atemi_mat3_multiply(&b_in_a->rotation, &c_in_b->rotation),
                                    atemi_transform_apply(b_in_a, c_in_b->position)};
    return c_in_a;
}

atemi_transform atemi_transform_inverse(const atemi_transform *pose)
{
    const atemi_vec3      back = atemi_mat3_apply_transposed(&pose->rotation, pose->position);
    const atemi_transform inverse = {atemi_mat3_transposed(&pose->rotation),
                                     atemi_vec3_scale(-1.0, back)};
    return inverse;
}

atemi_motion atemi_motion_cross(atemi_motion a, atemi_motion b)
{
    const atemi_motion rate = {atemi_vec3_add(atemi_vec3_cross(a.angular, b.linear),
                                              atemi_vec3_cross(a.linear, b.angular)),
                               atemi_vec3_cross(a.angular, b.angular)};
    return rate;
}

atemi_symmetric3 atemi_symmetric3_rotated(const atemi_symmetric3 *S, const atemi_mat3 *R)
{
    // The columns of R^T are the rows of R; S times one of them gives a column of S R^T.
    const atemi_mat3 rows = atemi_mat3_transposed(R);
    const atemi_vec3 x = atemi_symmetric3_apply(S, rows.x);
    const atemi_vec3 y = atemi_symmetric3_apply(S, rows.y);
    const atemi_vec3 z = atemi_symmetric3_apply(S, rows.z);

    const atemi_symmetric3 rotated = {atemi_vec3_dot(rows.x, x), atemi_vec3_dot(rows.y, y),
                                      atemi_vec3_dot(rows.z, z), atemi_vec3_dot(rows.x, y),
                                      atemi_vec3_dot(rows.x, z), atemi_vec3_dot(rows.y, z)};
    return rotated;
}

atemi_vec3 atemi_symmetric3_eigenvalues(const atemi_symmetric3 *S)
{
    if (!is_finite(S)) {
        const atemi_vec3 unknown = {nan(""), nan(""), nan("")};
        return unknown;
    }
    // Scaled by a power of two, hence exactly, so that no element is large or all are tiny.
    int exponent = 0;
    frexp(largest_magnitude(S), &exponent);
    const double xy = ldexp(S->xy, -exponent), xz = ldexp(S->xz, -exponent);
    const double yz = ldexp(S->yz, -exponent);
    double       A[3][3] = {{ldexp(S->xx, -exponent), xy, xz},
                            {xy, ldexp(S->yy, -exponent), yz},
                            {xz, yz, ldexp(S->zz, -exponent)}};

    for (int sweep = 0; sweep < LARGEST_SWEEP_COUNT; ++sweep) {
        annihilate(A, 0, 1, 2);
        annihilate(A, 0, 2, 1);
        annihilate(A, 1, 2, 0);
        if (fabs(A[0][1]) + fabs(A[0][2]) + fabs(A[1][2]) < DBL_MIN) {
            break;
        }
    }
    return ascending(ldexp(A[0][0], exponent), ldexp(A[1][1], exponent), ldexp(A[2][2], exponent));
}

atemi_force atemi_inertia_apply(const atemi_inertia *inertia, atemi_motion v)
{
    const atemi_motion at_com = atemi_motion_at(v, inertia->com);
    const atemi_vec3   p = atemi_vec3_scale(inertia->mass, at_com.linear);
    const atemi_force  momentum = {
        p, atemi_vec3_add(atemi_symmetric3_apply(&inertia->rotational, v.angular),
                           atemi_vec3_cross(inertia->com, p))};
    return momentum;
}

atemi_inertia atemi_inertia_transformed(const atemi_inertia *inertia, const atemi_transform *pose)
{
    const atemi_inertia transformed = {
        inertia->mass, atemi_transform_apply(pose, inertia->com),
        atemi_symmetric3_rotated(&inertia->rotational, &pose->rotation)};
    return transformed;
}

atemi_inertia atemi_inertia_add(const atemi_inertia *a, const atemi_inertia *b)
{
    const double     mass = a->mass + b->mass;
    const double     fraction = mass > 0.0 ? b->mass / mass : 0.0; // any place suits no mass
    const atemi_vec3 d = atemi_vec3_sub(b->com, a->com);

    const atemi_symmetric3 own = symmetric_add(&a->rotational, &b->rotational);
    const atemi_symmetric3 apart = point_inertia(a->mass * fraction, d);
    const atemi_inertia    welded = {mass, atemi_vec3_add(a->com, atemi_vec3_scale(fraction, d)),
                                     symmetric_add(&own, &apart)};
    return welded;
}
