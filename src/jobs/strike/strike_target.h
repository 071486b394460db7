// SPDX-License-Identifier: Apache-2.0

/// @file
/// The target of a strike in the world: where it is at first touch, and how large it is drawn.

#pragma once

#include "atemi/strike_plan.h"

typedef struct atemi_strike_target {
    atemi_vec3 place; ///< of its face, where the first hand touches it
    atemi_vec3 face;  ///< in the middle of all hands
    double     width; ///< that it is drawn with, m: its size does not matter to the blow
} atemi_strike_target;

/// Finds the target that hands touch in a posture.
/// @param q        [q_count]
/// @param distance m, by which it is farther than that
atemi_status atemi_strike_target_find(const atemi_strike_task *task, const double *q,
                                      double distance, atemi_strike_target *target,
                                      atemi_error *error);
