// SPDX-License-Identifier: Apache-2.0

/// @file
/// Unit quaternions in the order x y z w, as in ROS and Pinocchio.

#pragma once

#include "atemi/vec3.h"

ATEMI_BEGIN

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

ATEMI_END
