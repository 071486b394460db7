// SPDX-License-Identifier: Apache-2.0

/// @file
/// Random numbers for tests: the same on every machine, and a failing check shows the seed.

#pragma once

#include "check.h"
#include "math/random.h"

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

/// 64 random bits.
static inline uint64_t random_bits(random_stream *stream)
{
    return random_bits_next(&stream->state);
}

/// Uniform in [low, high).
static inline double random_uniform(random_stream *stream, double low, double high)
{
    const double value = low + (high - low) * random_unit_next(&stream->state);
    return value < high ? value : low;
}

/// Uniform in 0 .. count - 1.
static inline int random_index(random_stream *stream, int count)
{
    return (int)(random_bits(stream) % (uint64_t)count);
}
