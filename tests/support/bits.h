// SPDX-License-Identifier: Apache-2.0

/// @file
/// Numbers bit by bit, so that the sign of zero counts.

#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// All that are not numbers are the same.
static inline bool same_number(double a, double b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}
