// SPDX-License-Identifier: Apache-2.0

/// @file
/// Rigid-body quantities with six components, linear part first: poses, motions, forces, inertias.
///
/// A motion is the linear velocity of the body's point at the frame's origin and the angular
/// velocity; a force is the force and its moment about the origin [Featherstone08, 2].

#pragma once

#include "atemi/vec3.h"

ATEMI_BEGIN

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

ATEMI_END
