// SPDX-License-Identifier: Apache-2.0

/// @file
/// Packs: the same quantity of several bodies side by side, computed in one instruction.
///
/// A `lanes` is a pack's memory: plain doubles, one a body. A `pack` is its value in a register.
/// The dynamics kernels hold the bodies of a robot in blocks of ATEMI_LANES and write their
/// formulas once, for a whole block.

#pragma once

#include "atemi/math.h"

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
enum { ATEMI_LANES = 8 };
#elif defined(__AVX__)
enum { ATEMI_LANES = 4 };
#else
enum { ATEMI_LANES = 2 };
#endif

typedef double  pack __attribute__((vector_size(8 * ATEMI_LANES)));
typedef int64_t pack_mask __attribute__((vector_size(8 * ATEMI_LANES)));

typedef struct pack3 {
    pack x, y, z;
} pack3;

typedef struct lanes {
    _Alignas(8 * ATEMI_LANES) double of[ATEMI_LANES];
} lanes;

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

static inline atemi_vec3 atemi_lane3(const lanes3 *from, int lane)
{
    return (atemi_vec3){from->x.of[lane], from->y.of[lane], from->z.of[lane]};
}

static inline void atemi_set_lane3(lanes3 *to, int lane, atemi_vec3 value)
{
    to->x.of[lane] = value.x;
    to->y.of[lane] = value.y;
    to->z.of[lane] = value.z;
}

/// to[lane] += value
static inline void atemi_add_lane3(lanes3 *to, int lane, atemi_vec3 value)
{
    to->x.of[lane] += value.x;
    to->y.of[lane] += value.y;
    to->z.of[lane] += value.z;
}

/// The pack that begins at an element of an array.
static inline pack pack_at(const double *from)
{
    pack value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void pack_put(double *to, pack value)
{
    memcpy(to, &value, sizeof value);
}

/// The size of each element: without its sign bit.
static inline pack pack_abs(pack value)
{
    return (pack)((pack_mask)value & INT64_MAX);
}

static inline pack pack_load(const lanes *from)
{
    return pack_at(from->of);
}
static inline void pack_store(lanes *to, pack value)
{
    pack_put(to->of, value);
}

static inline pack3 pack3_load(const lanes3 *from)
{
    return (pack3){pack_load(&from->x), pack_load(&from->y), pack_load(&from->z)};
}

static inline void pack3_store(lanes3 *to, pack3 value)
{
    pack_store(&to->x, value.x);
    pack_store(&to->y, value.y);
    pack_store(&to->z, value.z);
}

static inline pack pack_of(double value)
{
    return (pack){0} + value;
}

/// The same vector in every lane.
static inline pack3 pack3_of(atemi_vec3 a)
{
    return (pack3){pack_of(a.x), pack_of(a.y), pack_of(a.z)};
}

/// Per lane: mask ? a : b.
static inline pack pack_select(pack_mask mask, pack a, pack b)
{
    return (pack)(((pack_mask)a & mask) | ((pack_mask)b & ~mask));
}

static inline pack3 pack3_add(pack3 a, pack3 b)
{
    return (pack3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline pack3 pack3_sub(pack3 a, pack3 b)
{
    return (pack3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline pack3 pack3_scale(pack s, pack3 a)
{
    return (pack3){s * a.x, s * a.y, s * a.z};
}

/// a + s b
static inline pack3 pack3_add_scaled(pack3 a, pack s, pack3 b)
{
    return (pack3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline pack pack3_dot(pack3 a, pack3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline pack3 pack3_cross(pack3 a, pack3 b)
{
    return (pack3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// b.x x + b.y y + b.z z: the matrix with the columns x, y, z applied to b.
static inline pack3 pack3_combine(pack3 x, pack3 y, pack3 z, pack3 b)
{
    return pack3_add_scaled(pack3_add_scaled(pack3_scale(b.x, x), b.y, y), b.z, z);
}

/// S b for the symmetric S with the diagonal (xx, yy, zz) and the products (yz, xz, xy).
static inline pack3 pack3_symmetric(pack3 diagonal, pack3 product, pack3 b)
{
    return (pack3){diagonal.x * b.x + product.z * b.y + product.y * b.z,
                   product.z * b.x + diagonal.y * b.y + product.x * b.z,
                   product.y * b.x + product.x * b.y + diagonal.z * b.z};
}

/// The sum over the lanes, by halves.
static inline double pack_sum(pack a)
{
    double part[ATEMI_LANES];
    memcpy(part, &a, sizeof a);
    for (int half = ATEMI_LANES / 2; half > 0; half /= 2) {
        for (int l = 0; l < half; ++l) {
            part[l] += part[l + half];
        }
    }
    return part[0];
}

/// Whether any lane of the mask is set.
static inline int pack_any(pack_mask mask)
{
    int64_t any = 0;
    for (int l = 0; l < ATEMI_LANES; ++l) {
        any |= mask[l];
    }
    return any != 0;
}

/// 0, 1, 2, ...
static inline pack pack_indices(void)
{
    pack indices = {0};
    for (int l = 0; l < ATEMI_LANES; ++l) {
        indices[l] = l;
    }
    return indices;
}

/// Per lane: mask ? a : 0.
static inline pack pack_keep(pack_mask mask, pack a)
{
    return (pack)((pack_mask)a & mask);
}
