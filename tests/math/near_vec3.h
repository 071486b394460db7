// SPDX-License-Identifier: Apache-2.0

/// @file
/// Vectors that agree, entry by entry.

#pragma once

#include "atemi/math.h"
#include "check.h"

static inline void check_near_vec3(atemi_vec3 actual, atemi_vec3 expected, double tolerance)
{
    CHECK_NEAR(actual.x, expected.x, tolerance);
    CHECK_NEAR(actual.y, expected.y, tolerance);
    CHECK_NEAR(actual.z, expected.z, tolerance);
}
