// SPDX-License-Identifier: Apache-2.0

/// @file
/// A row of a recording, filled from its first value to its last: each call returns where the next
/// value goes.

#pragma once

#include "atemi/vec3.h"

#include <string.h>

static inline double *row_put(double *next, int count, const double *values)
{
    memcpy(next, values, (size_t)count * sizeof *values);
    return next + count;
}

static inline double *row_put_vector(double *next, atemi_vec3 x)
{
    next[0] = x.x;
    next[1] = x.y;
    next[2] = x.z;
    return next + 3;
}
