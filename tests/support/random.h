// SPDX-License-Identifier: Apache-2.0

/// @file
/// Random numbers for tests: the same on every machine, and a failing check shows the seed.

#pragma once

#include "check.h"

#include <stdint.h>

typedef struct random_stream {
    uint64_t state;
} random_stream;

/// The stream of a seed.
static inline random_stream random_seeded(uint64_t seed)
{
    const random_stream stream = {seed};
    check_note_seed(seed);
    return stream;
}

/// 64 random bits: splitmix64 [Steele14].
static inline uint64_t random_bits(random_stream *stream)
{
    stream->state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = stream->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/// Uniform in [low, high).
static inline double random_uniform(random_stream *stream, double low, double high)
{
    const double unit = (double)(random_bits(stream) >> 11) * 0x1p-53;
    const double value = low + (high - low) * unit;
    return value < high ? value : low;
}

/// Uniform in 0 .. count - 1.
static inline int random_index(random_stream *stream, int count)
{
    return (int)(random_bits(stream) % (uint64_t)count);
}
