// SPDX-License-Identifier: Apache-2.0

/// @file
/// Vectors and matrices of three-dimensional space, by value.

#pragma once

#include "atemi/api.h"

#include <math.h>
#include <stdbool.h>

ATEMI_BEGIN

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

ATEMI_END
