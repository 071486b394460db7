// SPDX-License-Identifier: Apache-2.0

/// @file
/// The blow of a planned strike as it is estimated (atemi/blow.h), over time.

#pragma once

#include "atemi/strike_motion.h"
#include "jobs/strike/strike_scenario.h"

/// An instant of the blow.
typedef struct atemi_strike_instant {
    double     time;  ///< since first touch, s
    double     force; ///< N
    atemi_vec3 zmp;   ///< NaN where the ground does not press
} atemi_strike_instant;

enum { ATEMI_STRIKE_INSTANTS = 161 };

typedef struct atemi_strike_estimate {
    int                  count;
    atemi_strike_instant instants[ATEMI_STRIKE_INSTANTS];
} atemi_strike_estimate;

/// Computes it, from first touch until well after hand and target have parted.
atemi_status atemi_strike_estimate_make(const atemi_strike_scenario *scenario,
                                        atemi_strike_plan *plan, const atemi_strike_motion *motion,
                                        atemi_strike_estimate *estimate, atemi_error *error);
