// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer plan. How often a planned strike stands where things are in doubt, by random draws.
///
/// A draw takes each deviation of the task's doubt evenly from its range, independently of the
/// others, the same for a seed on every machine. Every draw is put to the estimate of the blow
/// (atemi/blow.h): the posture that the finished motion has when the hand meets the target then, a
/// target of that mass, servos of those gains, a floor of that friction; looked at are the ZMP,
/// and friction and tipping of each foot where the task limits them, against the limits themselves,
/// without the margins of the plan. The first ones are put to full dynamics as well
/// (atemi/strike_verification.h), from the beginning of the motion to some time after it.

#pragma once

#include "atemi/strike_plan.h"

ATEMI_BEGIN

/// How often something was so, and between which rates it is in truth, with 95 % confidence
/// (Clopper and Pearson: at least that much).
typedef struct atemi_strike_rate {
    int    draws, successes;
    double rate, lower, upper; ///< NaN without draws
} atemi_strike_rate;

/// The rate of some successes.
ATEMI_API atemi_strike_rate atemi_strike_rate_of(int successes, int draws);

/// How draws are made.
typedef struct atemi_strike_draw_options {
    int      draws;                 ///< 1000
    int      full;                  ///< the first ones, by full dynamics as well; 20
    unsigned seed;                  ///< 1
    double   friction;              ///< of the floor as it is given; 0.8
    bool (*goes_on)(void *context); ///< asked between draws, and every few steps; or NULL
    void *context;
} atemi_strike_draw_options;

/// 1000 draws, 20 of them by full dynamics, seed 1, a friction of 0.8.
ATEMI_API atemi_strike_draw_options atemi_strike_draw_options_default(void);

/// What came of the draws.
typedef struct atemi_strike_draws {
    atemi_strike_rate holds;  ///< by the estimate: ZMP inside, no foot slips or tips in the blow
    atemi_strike_rate stands; ///< by full dynamics: on its feet in the end
    atemi_strike_rate still;  ///< by full dynamics: no foot lifts or slips either
    int               missed; ///< where the hand never meets the target, of all draws
    /// The one that holds with least margin, or fails most; the least of all draws.
    atemi_strike_deviation worst;
    double zmp_margin, friction_left, edge_left; ///< m, N, N m; infinite where not looked at
    bool   stopped;                              ///< by the user, before the last
} atemi_strike_draws;

/// Draws.
/// @param task   as it was planned
/// @param motion of the plan
/// @param draws  result; without draws where the task is in no doubt
ATEMI_API atemi_status atemi_strike_draws_make(const atemi_strike_task         *task,
                                               atemi_strike_plan               *plan,
                                               const atemi_strike_motion       *motion,
                                               const atemi_strike_draw_options *options,
                                               atemi_strike_draws *draws, atemi_error *error);

/// Whether anything of a task is in doubt.
ATEMI_API bool atemi_strike_is_in_doubt(const atemi_strike_task *task);

ATEMI_END
