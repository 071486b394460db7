// SPDX-License-Identifier: Apache-2.0

/// @file
/// Quads: a vector of three-dimensional space in one register, for what runs along a chain and so
/// cannot be computed for several bodies at once. Where registers are too short for that, three
/// plain numbers.

#pragma once

#include "atemi/math.h"

#if defined(__AVX__)

typedef double quad __attribute__((vector_size(32)));

static inline quad quad_of(atemi_vec3 a)
{
    return (quad){a.x, a.y, a.z, 0.0};
}
static inline double quad_x(quad a)
{
    return a[0];
}
static inline double quad_y(quad a)
{
    return a[1];
}
static inline double quad_z(quad a)
{
    return a[2];
}
static inline quad quad_add(quad a, quad b)
{
    return a + b;
}
static inline quad quad_sub(quad a, quad b)
{
    return a - b;
}
static inline quad quad_scale(double s, quad a)
{
    return s * a;
}

/// (y, z, x)
static inline quad quad_rotate(quad a)
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

static inline quad quad_cross(quad a, quad b)
{
    return quad_rotate(a * quad_rotate(b) - quad_rotate(a) * b);
}

/// a.b + c.d
static inline double quad_dot2(quad a, quad b, quad c, quad d)
{
    const quad product = a * b + c * d;
    return product[0] + product[1] + product[2];
}

static inline double quad_dot(quad a, quad b)
{
    const quad product = a * b;
    return product[0] + product[1] + product[2];
}

#else

typedef atemi_vec3 quad;

static inline quad quad_of(atemi_vec3 a)
{
    return a;
}
static inline double quad_x(quad a)
{
    return a.x;
}
static inline double quad_y(quad a)
{
    return a.y;
}
static inline double quad_z(quad a)
{
    return a.z;
}
static inline quad quad_add(quad a, quad b)
{
    return atemi_vec3_add(a, b);
}
static inline quad quad_sub(quad a, quad b)
{
    return atemi_vec3_sub(a, b);
}
static inline quad quad_scale(double s, quad a)
{
    return atemi_vec3_scale(s, a);
}
static inline quad quad_cross(quad a, quad b)
{
    return atemi_vec3_cross(a, b);
}
static inline double quad_dot(quad a, quad b)
{
    return atemi_vec3_dot(a, b);
}

/// a.b + c.d
static inline double quad_dot2(quad a, quad b, quad c, quad d)
{
    return quad_dot(a, b) + quad_dot(c, d);
}

#endif

static inline atemi_vec3 quad_vec3(quad a)
{
    return (atemi_vec3){quad_x(a), quad_y(a), quad_z(a)};
}

/// a + s b
static inline quad quad_add_scaled(quad a, double s, quad b)
{
    return quad_add(a, quad_scale(s, b));
}

/// A 3 x 3 matrix as its columns.
typedef struct quad3 {
    quad x, y, z;
} quad3;

/// A b
static inline quad quad3_apply(const quad3 *A, quad b)
{
    return quad_add_scaled(quad_add_scaled(quad_scale(quad_x(b), A->x), quad_y(b), A->y), quad_z(b),
                           A->z);
}

/// A^T b
static inline quad quad3_apply_transposed(const quad3 *A, quad b)
{
    return quad_of((atemi_vec3){quad_dot(A->x, b), quad_dot(A->y, b), quad_dot(A->z, b)});
}

static inline quad3 quad3_transposed(const quad3 *A)
{
#if defined(__AVX__)
    const quad xy = __builtin_shufflevector(A->x, A->y, 0, 4, 1, 5);
    const quad zz = __builtin_shufflevector(A->x, A->y, 2, 6, 2, 6);
    return (quad3){__builtin_shufflevector(xy, A->z, 0, 1, 4, 7),
                   __builtin_shufflevector(xy, A->z, 2, 3, 5, 7),
                   __builtin_shufflevector(zz, A->z, 0, 1, 6, 7)};
#else
    return (quad3){{A->x.x, A->y.x, A->z.x}, {A->x.y, A->y.y, A->z.y}, {A->x.z, A->y.z, A->z.z}};
#endif
}

static inline quad3 quad3_add(const quad3 *A, const quad3 *B)
{
    return (quad3){quad_add(A->x, B->x), quad_add(A->y, B->y), quad_add(A->z, B->z)};
}
