// SPDX-License-Identifier: Apache-2.0

/// @file
/// Random numbers: the same for the same seed, on every machine.

#pragma once

#include <math.h>
#include <stdint.h>

/// 64 random bits: SplitMix64 [Steele14]. Any state is a seed.
static inline uint64_t random_bits_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/// Uniform in [0, 1).
static inline double random_unit_next(uint64_t *state)
{
    return (double)(random_bits_next(state) >> 11) * 0x1p-53;
}

/// Normal, of mean 0 and deviation 1: by Box and Muller.
static inline double random_normal_next(uint64_t *state)
{
    const double radius = sqrt(-2.0 * log(1.0 - random_unit_next(state)));
    return radius * cos(2.0 * 3.14159265358979323846 * random_unit_next(state));
}
