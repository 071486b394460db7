// SPDX-License-Identifier: Apache-2.0

/// @file
/// A strike from its task to its verification: planned, its motion checked at every instant, its
/// blow estimated, all of it simulated by full dynamics. If the motion exceeds a limit between the
/// instants that the plan looks at, or if feet lift or slip, the strike is planned again with more
/// margin.

#pragma once

#include "atemi/strike_overlap.h"
#include "atemi/strike_verification.h"

ATEMI_BEGIN

/// An instant of the blow.
typedef struct atemi_strike_instant {
    double     time;  ///< since first touch, s
    double     force; ///< N
    atemi_vec3 zmp;   ///< NaN where the ground does not press
} atemi_strike_instant;

enum { ATEMI_STRIKE_INSTANTS = 161 }; ///< of an estimate

/// The blow of a planned strike as it is estimated (atemi/blow.h), over time.
typedef struct atemi_strike_estimate {
    int                  count;
    atemi_strike_instant instants[ATEMI_STRIKE_INSTANTS];
} atemi_strike_estimate;

/// A plan and what became of it.
typedef struct atemi_strike_attempt {
    atemi_strike_plan        *plan;
    atemi_strike_motion       motion;
    atemi_strike_overlaps     overlaps;
    atemi_strike_estimate     estimate;
    atemi_strike_target       target;
    atemi_strike_verification verification; ///< empty where there was none
} atemi_strike_attempt;

/// How a strike is planned and verified.
typedef struct atemi_strike_attempt_options {
    atemi_strike_options search;      ///< of the first plan; others start from the one before
    int                  attempts;    ///< at most
    double               motion_step; ///< s
    bool                 verify;
    double               friction; ///< of the floor in the verification
    /// Hears of the verification: as it begins, and every few steps. Returns false to stop; or
    /// NULL.
    bool (*verifying)(void *context, bool begins);
    void *context;
} atemi_strike_attempt_options;

/// One attempt, with verification, a friction of 0.8 and steps of 1 ms.
ATEMI_API atemi_strike_attempt_options atemi_strike_attempt_options_default(void);

/// What came of all attempts.
typedef struct atemi_strike_attempts {
    atemi_strike_attempt best;    ///< the first whose feet hold, or the one that went best
    int                  count;   ///< of attempts
    bool                 stopped; ///< by the user
} atemi_strike_attempts;

/// Plans a strike, verifies it, and tries again if that may help.
/// @param options  NULL for the defaults
/// @param attempts result, to be destroyed, whatever the status
ATEMI_API atemi_status atemi_strike_attempts_make(const atemi_strike_task            *task,
                                                  const atemi_strike_attempt_options *options,
                                                  atemi_strike_attempts              *attempts,
                                                  atemi_error                        *error);
ATEMI_API void         atemi_strike_attempts_destroy(atemi_strike_attempts *attempts);

/// Whether the plan meets all constraints, and its motion all limits at every instant.
ATEMI_API bool atemi_strike_attempt_feasible(const atemi_strike_attempt *attempt);

ATEMI_END
