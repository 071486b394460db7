// SPDX-License-Identifier: Apache-2.0

/// @file
/// Motions and forces of several nodes side by side: packs of six.

#pragma once

#include "dynamics/composites.h"

/// For what must be inlined, so that packs stay in registers.
#define ATEMI_INLINE static inline __attribute__((always_inline))

/// A motion or a force of a block of nodes, in memory.
typedef struct lanes6 {
    lanes3 linear, angular;
} lanes6;

/// The same in registers.
typedef struct pack6 {
    pack3 linear, angular;
} pack6;

static inline pack6 pack6_load(const lanes6 *from)
{
    return (pack6){pack3_load(&from->linear), pack3_load(&from->angular)};
}

static inline void pack6_store(lanes6 *to, pack6 value)
{
    pack3_store(&to->linear, value.linear);
    pack3_store(&to->angular, value.angular);
}

static inline pack6 pack6_add(pack6 a, pack6 b)
{
    return (pack6){pack3_add(a.linear, b.linear), pack3_add(a.angular, b.angular)};
}

/// The power of a motion and a force.
static inline pack pack6_dot(pack6 a, pack6 b)
{
    return pack3_dot(a.linear, b.linear) + pack3_dot(a.angular, b.angular);
}

/// a x b of motions.
static inline pack6 pack6_cross(pack6 a, pack6 b)
{
    return (pack6){pack3_add(pack3_cross(a.angular, b.linear), pack3_cross(a.linear, b.angular)),
                   pack3_cross(a.angular, b.angular)};
}

/// The joint axes S of a block.
static inline pack6 pack6_axes(const atemi_kinematics_block *k)
{
    return (pack6){pack3_load(&k->axis_linear), pack3_load(&k->axis_angular)};
}

/// The momentum that the motion u, taken at the common origin, gives to the composites at x: about
/// each one's own origin.
static inline pack6 pack6_momentum(const atemi_composite_block *c, pack3 x, pack6 u)
{
    const pack3 h = pack3_load(&c->first_moment);
    const pack3 own = pack3_add(u.linear, pack3_cross(u.angular, x));
    return (pack6){
        pack3_add_scaled(pack3_cross(u.angular, h), pack_load(&c->mass), own),
        pack3_add(pack3_symmetric(pack3_load(&c->inertia), pack3_load(&c->product), u.angular),
                  pack3_cross(h, own))};
}

/// A force with its moment moved from x to the common origin.
static inline pack6 pack6_about_origin(pack3 x, pack6 f)
{
    return (pack6){f.linear, pack3_add(f.angular, pack3_cross(x, f.linear))};
}
