// SPDX-License-Identifier: Apache-2.0

/// @file
/// The searches of [STRIKE]'s reproduction, and the tables and figures that are made of them.

#pragma once

#include "papers/reproduction_parts.h"
#include "papers/strike/reproduce_strike_punch.h"

enum { ATEMI_PUNCH_STARTS = 20 }; ///< the paper's, then random ones

/// What a start led to.
typedef struct atemi_punch_attempt {
    double speed, peak_force, impulse, violation;
    bool   feasible;
} atemi_punch_attempt;

typedef struct atemi_punch_study {
    atemi_reproduction *reproduction;
    int                 searches; ///< done
    atemi_punch_attempt attempts[ATEMI_PUNCH_STARTS];
    int                 best;                       ///< of them
    atemi_recording    *levels[ATEMI_PUNCH_LEVELS]; ///< for the peak force
    atemi_recording    *impulse, *round;            ///< for the impulse; with a round contact
} atemi_punch_study;

/// Adds Tables I to IV, what holds the blow back, starts, levels and objectives, Figs. 7 and 9 to
/// 12.
atemi_status atemi_punch_add_tables(const atemi_punch_study *study, atemi_error *error);

/// Adds Fig. 10.
atemi_status atemi_punch_add_path(const atemi_punch_study *study, atemi_error *error);
