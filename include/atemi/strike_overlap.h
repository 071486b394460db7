// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where a motion would take the robot through itself.
///
/// In each shape of a link lies a capsule: where two of them meet, the links surely do. Corners of
/// boxes are left out, so links may touch that are not told. Links that a joint connects, or two
/// with a link between them, and those that overlap where all joints are zero, are as they were
/// made.

#pragma once

#include "atemi/strike_motion.h"

ATEMI_BEGIN

enum { ATEMI_STRIKE_MOST_OVERLAPS = 16 };

/// Two links where they are deepest in each other.
typedef struct atemi_strike_overlap {
    int    first, second; ///< links
    double depth, time;   ///< m, s
} atemi_strike_overlap;

/// Pairs of links that a motion takes through each other.
typedef struct atemi_strike_overlaps {
    int                  count; ///< the deepest ones, deepest first
    atemi_strike_overlap list[ATEMI_STRIKE_MOST_OVERLAPS];
} atemi_strike_overlaps;

/// Looks for them along a motion, every few milliseconds. Takes memory for it.
ATEMI_API atemi_status atemi_strike_overlaps_find(const atemi_model         *model,
                                                  const atemi_strike_motion *motion,
                                                  atemi_strike_overlaps     *overlaps,
                                                  atemi_error               *error);

ATEMI_END
