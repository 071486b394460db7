// SPDX-License-Identifier: Apache-2.0

/// @file
/// The rotation between two orientations.

#pragma once

#include "atemi/math.h"

/// The rotation vector from one orientation to another, world axes.
static inline atemi_vec3 rotation_between(const atemi_mat3 *from, const atemi_mat3 *to)
{
    const atemi_mat3 back = atemi_mat3_transposed(from);
    const atemi_mat3 rotation = atemi_mat3_multiply(to, &back);
    return atemi_quaternion_log(atemi_quaternion_from_matrix(&rotation));
}
