// SPDX-License-Identifier: Apache-2.0

/// @file
/// Taps in the force of a load cell.

#pragma once

#include "atemi/math.h"

#include <stdbool.h>

typedef struct tap_detector {
    double     period;    ///< of a step, s
    double     threshold; ///< N, of a change that is a tap
    atemi_vec3 slow;      ///< the force, smoothed, N
    double     quiet;     ///< s for which nothing has moved
    double     touched;   ///< s: since when the force has changed; NaN while it has not
    double     strength;  ///< N, of that change
} tap_detector;

tap_detector atemi_tap_detector_start(double period, double threshold);

/// One step.
/// @param is_still nothing of the robot's own changes the force
/// @return whether a tap ended, `strength` of it
bool atemi_tap_detector_step(tap_detector *detector, double time, atemi_vec3 force, bool is_still);
