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
    double decided[ATEMI_PUNCH_DECISIONS]; ///< as the paper has it
    bool   feasible;
} atemi_punch_attempt;

/// Searches from what the paper prints, nothing chosen: its constraints to the letter, and with the
/// speeds of all joints, each from its start and from its result.
typedef enum atemi_punch_printed {
    ATEMI_PUNCH_LETTER_START,
    ATEMI_PUNCH_LETTER_RESULT,
    ATEMI_PUNCH_PAPER_START, ///< the first of the starts
    ATEMI_PUNCH_PAPER_RESULT,
    ATEMI_PUNCH_PRINTED
} atemi_punch_printed;

/// Fills what a search led to.
void atemi_punch_attempt_read(const atemi_recording *recording, atemi_punch_attempt *found);

typedef struct atemi_punch_study {
    atemi_reproduction *reproduction;
    int                 searches; ///< done
    atemi_punch_attempt attempts[ATEMI_PUNCH_STARTS];
    int                 best;          ///< of them
    int                 left_in_front; ///< the best of those with that foot in front
    atemi_punch_attempt printed[ATEMI_PUNCH_PRINTED];
    atemi_recording    *levels[ATEMI_PUNCH_LEVELS]; ///< for the peak force
    atemi_recording    *impulse, *round;            ///< for the impulse; with a round contact
} atemi_punch_study;

/// Adds Tables I to IV, what holds the blow back, starts, levels and objectives, Figs. 7 and 9 to
/// 12.
atemi_status atemi_punch_add_tables(const atemi_punch_study *study, atemi_error *error);

/// Adds what the paper's own starts lead to, beside its result, and a table of all searches.
atemi_status atemi_punch_add_printed(const atemi_punch_study *study, atemi_error *error);

/// Adds Fig. 10, and where the ZMP shifts to in it.
atemi_status atemi_punch_add_path(const atemi_punch_study *study, atemi_error *error);
