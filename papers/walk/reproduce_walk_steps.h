// SPDX-License-Identifier: Apache-2.0

/// @file
/// The walks of [WALK]: a thousand steps, floors of less and less friction, ice.

#pragma once

#include "atemi/model.h"
#include "papers/reproduction_parts.h"

/// How many steps its walks have.
typedef struct atemi_walk_lengths {
    long thousand; ///< 1000, as in the paper; a test takes fewer
    long other;    ///< on each of several frictions, and over ice: 20
} atemi_walk_lengths;

/// Walks and compares.
/// @param from how much of the paper is done already, 0 to 1
atemi_status atemi_reproduce_walk_steps(atemi_reproduction *reproduction, const atemi_model *robot,
                                        const atemi_walk_lengths *lengths, double from,
                                        atemi_error *error);
