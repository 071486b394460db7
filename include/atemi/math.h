// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer math. Vectors, rotations, poses, the motions, forces and inertias of rigid bodies, and
/// small dense systems of equations. Value types are passed by value.

#pragma once

#include "atemi/base.h"

#include <math.h>
#include <stdbool.h>

ATEMI_BEGIN

// ---- Vectors and matrices -----------------------------------------------------------------------
//
// Vectors and matrices of three-dimensional space, by value.

/// A vector of space.
typedef struct atemi_vec3 {
    double x, y, z;
} atemi_vec3;

/// A 3 x 3 matrix as its columns. The columns of a rotation are the turned frame's axes.
typedef struct atemi_mat3 {
    atemi_vec3 x, y, z;
} atemi_mat3;

static inline atemi_vec3 atemi_vec3_add(atemi_vec3 a, atemi_vec3 b)
{
    const atemi_vec3 sum = {a.x + b.x, a.y + b.y, a.z + b.z};
    return sum;
}

static inline atemi_vec3 atemi_vec3_sub(atemi_vec3 a, atemi_vec3 b)
{
    const atemi_vec3 difference = {a.x - b.x, a.y - b.y, a.z - b.z};
    return difference;
}

static inline atemi_vec3 atemi_vec3_scale(double s, atemi_vec3 a)
{
    const atemi_vec3 scaled = {s * a.x, s * a.y, s * a.z};
    return scaled;
}

static inline double atemi_vec3_dot(atemi_vec3 a, atemi_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline atemi_vec3 atemi_vec3_cross(atemi_vec3 a, atemi_vec3 b)
{
    const atemi_vec3 product = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                                a.x * b.y - a.y * b.x};
    return product;
}

static inline double atemi_vec3_norm(atemi_vec3 a)
{
    return sqrt(atemi_vec3_dot(a, a));
}

static inline bool atemi_vec3_is_finite(atemi_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline atemi_mat3 atemi_mat3_identity(void)
{
    const atemi_mat3 one = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    return one;
}

/// A b
static inline atemi_vec3 atemi_mat3_apply(const atemi_mat3 *A, atemi_vec3 b)
{
    return atemi_vec3_add(atemi_vec3_add(atemi_vec3_scale(b.x, A->x), atemi_vec3_scale(b.y, A->y)),
                          atemi_vec3_scale(b.z, A->z));
}

/// A^T b
static inline atemi_vec3 atemi_mat3_apply_transposed(const atemi_mat3 *A, atemi_vec3 b)
{
    const atemi_vec3 product = {atemi_vec3_dot(A->x, b), atemi_vec3_dot(A->y, b),
                                atemi_vec3_dot(A->z, b)};
    return product;
}

/// A B
static inline atemi_mat3 atemi_mat3_multiply(const atemi_mat3 *A, const atemi_mat3 *B)
{
    const atemi_mat3 product = {atemi_mat3_apply(A, B->x), atemi_mat3_apply(A, B->y),
                                atemi_mat3_apply(A, B->z)};
    return product;
}

static inline atemi_mat3 atemi_mat3_transposed(const atemi_mat3 *A)
{
    const atemi_mat3 turned = {
        {A->x.x, A->y.x, A->z.x}, {A->x.y, A->y.y, A->z.y}, {A->x.z, A->y.z, A->z.z}};
    return turned;
}

/// The turn about x by roll, then about the fixed y by pitch, then about the fixed z by yaw
/// (URDF's rpy).
ATEMI_API atemi_mat3 atemi_mat3_from_rpy(double roll, double pitch, double yaw);

/// A rotation whose z column is the unit vector `axis`, and which is the identity for (0, 0, 1).
ATEMI_API atemi_mat3 atemi_mat3_with_z(atemi_vec3 axis);

// ---- Quaternions --------------------------------------------------------------------------------
//
// Unit quaternions in the order x y z w, as in ROS and Pinocchio.

/// A rotation, as a quaternion of length 1.
typedef struct atemi_quaternion {
    double x, y, z, w;
} atemi_quaternion;

/// a b: first the turn b, then the turn a.
ATEMI_API atemi_quaternion atemi_quaternion_multiply(atemi_quaternion a, atemi_quaternion b);

/// Scaled to length one; the identity if its length is zero.
ATEMI_API atemi_quaternion atemi_quaternion_normalized(atemi_quaternion a);

/// The turn by |rotation| radians about the direction of `rotation`.
ATEMI_API atemi_quaternion atemi_quaternion_exp(atemi_vec3 rotation);

/// The rotation vector of a unit quaternion, with length in [0, pi].
ATEMI_API atemi_vec3 atemi_quaternion_log(atemi_quaternion a);

/// The rotation matrix. Exactly orthogonal to rounding for any non-zero quaternion.
ATEMI_API atemi_mat3 atemi_quaternion_matrix(atemi_quaternion a);

/// The quaternion (w >= 0) of a rotation matrix.
ATEMI_API atemi_quaternion atemi_quaternion_from_matrix(const atemi_mat3 *rotation);

// ---- Poses, motions, forces, inertias -----------------------------------------------------------
//
// Rigid-body quantities with six components, linear part first: poses, motions, forces, inertias.
//
// A motion is the linear velocity of the body's point at the frame's origin and the angular
// velocity; a force is the force and its moment about the origin [Featherstone08, 2].

/// The pose of a child frame in its parent: x_parent = rotation x_child + position.
typedef struct atemi_transform {
    atemi_mat3 rotation;
    atemi_vec3 position;
} atemi_transform;

/// A linear and an angular velocity or acceleration.
typedef struct atemi_motion {
    atemi_vec3 linear;
    atemi_vec3 angular;
} atemi_motion;

/// A force and a moment.
typedef struct atemi_force {
    atemi_vec3 linear;  ///< force, N
    atemi_vec3 angular; ///< moment about the frame's origin, N m
} atemi_force;

/// A symmetric 3 x 3 matrix.
typedef struct atemi_symmetric3 {
    double xx, yy, zz, xy, xz, yz;
} atemi_symmetric3;

/// The inertia of a rigid body.
typedef struct atemi_inertia {
    double           mass;       ///< kg
    atemi_vec3       com;        ///< centre of mass, m
    atemi_symmetric3 rotational; ///< about the centre of mass, kg m^2, axes of the frame
} atemi_inertia;

static inline atemi_transform atemi_transform_identity(void)
{
    const atemi_transform one = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                                 {0.0, 0.0, 0.0}};
    return one;
}

/// The point `x` of the child frame, in the parent frame.
static inline atemi_vec3 atemi_transform_apply(const atemi_transform *pose, atemi_vec3 x)
{
    return atemi_vec3_add(atemi_mat3_apply(&pose->rotation, x), pose->position);
}

/// The pose of C in A, from B in A and C in B.
ATEMI_API atemi_transform atemi_transform_compose(const atemi_transform *b_in_a,
                                                  const atemi_transform *c_in_b);

/// The pose of the parent in the child.
ATEMI_API atemi_transform atemi_transform_inverse(const atemi_transform *pose);

static inline atemi_motion atemi_motion_add(atemi_motion a, atemi_motion b)
{
    const atemi_motion sum = {atemi_vec3_add(a.linear, b.linear),
                              atemi_vec3_add(a.angular, b.angular)};
    return sum;
}

static inline atemi_force atemi_force_add(atemi_force a, atemi_force b)
{
    const atemi_force sum = {atemi_vec3_add(a.linear, b.linear),
                             atemi_vec3_add(a.angular, b.angular)};
    return sum;
}

/// The power of a force along a motion, both at the same point and in the same axes.
static inline double atemi_motion_power(atemi_motion m, atemi_force f)
{
    return atemi_vec3_dot(m.linear, f.linear) + atemi_vec3_dot(m.angular, f.angular);
}

/// The same motion, seen at the point `r` of the frame.
static inline atemi_motion atemi_motion_at(atemi_motion m, atemi_vec3 r)
{
    const atemi_motion moved = {atemi_vec3_add(m.linear, atemi_vec3_cross(m.angular, r)),
                                m.angular};
    return moved;
}

/// The same force, with its moment taken about the point `r` of the frame.
static inline atemi_force atemi_force_at(atemi_force f, atemi_vec3 r)
{
    const atemi_force moved = {f.linear, atemi_vec3_sub(f.angular, atemi_vec3_cross(r, f.linear))};
    return moved;
}

/// a x b, the rate of change of a motion b that is fixed in a body moving with a.
ATEMI_API atemi_motion atemi_motion_cross(atemi_motion a, atemi_motion b);

/// S b
static inline atemi_vec3 atemi_symmetric3_apply(const atemi_symmetric3 *S, atemi_vec3 b)
{
    const atemi_vec3 product = {S->xx * b.x + S->xy * b.y + S->xz * b.z,
                                S->xy * b.x + S->yy * b.y + S->yz * b.z,
                                S->xz * b.x + S->yz * b.y + S->zz * b.z};
    return product;
}

/// R S R^T
ATEMI_API atemi_symmetric3 atemi_symmetric3_rotated(const atemi_symmetric3 *S, const atemi_mat3 *R);

/// The eigenvalues of S, ascending.
ATEMI_API atemi_vec3 atemi_symmetric3_eigenvalues(const atemi_symmetric3 *S);

/// The momentum of a body with velocity `v`, both at the frame's origin.
ATEMI_API atemi_force atemi_inertia_apply(const atemi_inertia *inertia, atemi_motion v);

/// The inertia of a body given in the child frame, in the parent frame.
ATEMI_API atemi_inertia atemi_inertia_transformed(const atemi_inertia   *inertia,
                                                  const atemi_transform *pose);

/// Two bodies welded together, both in the same frame. Massless bodies add their rotational part.
ATEMI_API atemi_inertia atemi_inertia_add(const atemi_inertia *a, const atemi_inertia *b);

// ---- Systems of equations -----------------------------------------------------------------------
//
// Small dense systems of equations, solved in place on the caller's memory.
//
// Matrices are row-major, element (i, j) at `i * stride + j`. Nothing allocates. Factorizations
// return false when the matrix is singular to working precision, and then leave the factor
// unusable; `*_solve` overwrite the right-hand side.

/// A = L L^T of a symmetric positive definite matrix; reads and writes the lower triangle.
ATEMI_API bool atemi_cholesky_factor(int n, double *A, int stride);
ATEMI_API void atemi_cholesky_solve(int n, const double *L, int stride, double *b);

/// P A = L U with partial pivoting; `pivot` has n entries.
ATEMI_API bool atemi_lu_factor(int n, double *A, int stride, int *pivot);
ATEMI_API void atemi_lu_solve(int n, const double *LU, int stride, const int *pivot, double *b);

/// An estimate of the condition number |A|_1 |A^-1|_1 from a factor [Hager84], at most the true
/// value and rarely less than a third of it. `norm` is |A|_1; `work` has 2 n entries.
ATEMI_API double atemi_lu_condition(int n, const double *LU, int stride, const int *pivot,
                                    double norm, double *work);

/// A P = Q R by Householder reflections with column pivoting, m x n with any shape. R is left in
/// the upper triangle, the reflections below it and in `tau` [min(m, n)]; `pivot` has n entries
/// and `work` n. It ends with the rank: what lies beyond it in both directions is shorter than the
/// tolerance and no triangle. O(m n rank).
/// @return the numerical rank: how many diagonal elements of R exceed `tolerance` times the first
ATEMI_API int atemi_qr_factor(int m, int n, double *A, int stride, double tolerance, double *tau,
                              int *pivot, double *work);

/// The basic least-squares solution of A x = b: the m entries of b are overwritten by Q^T b, the
/// n entries of x by the solution, with zeros for the columns beyond `rank`.
ATEMI_API void atemi_qr_solve(int m, int n, const double *QR, int stride, int rank,
                              const double *tau, const int *pivot, double *b, double *x);

/// The least-squares solution of least length: as atemi_qr_solve(), but where columns are dependent
/// all of them take part. `work` has (n - rank) (n + 1) entries.
ATEMI_API void atemi_qr_solve_least_norm(int m, int n, const double *QR, int stride, int rank,
                                         const double *tau, const int *pivot, double *b, double *x,
                                         double *work);

ATEMI_END
