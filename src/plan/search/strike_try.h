// SPDX-License-Identifier: Apache-2.0

/// @file
/// One try of the search for the hardest strike: from a start over the rough grid and, where that
/// is worth it, on over the fine one.

#pragma once

#include "plan/search/strike_solver.h"

#include <stdint.h>

enum { STRIKE_FOLLOWED = 8 }; ///< ends over the rough grid that are remembered

/// What is known after some tries.
typedef struct strike_standing {
    strike_candidate best;    ///< on the fine grid
    strike_candidate source;  ///< on the rough grid, from where it was found
    double           hardest; ///< objective on the rough grid; -inf if none is feasible
    strike_candidate followed[STRIKE_FOLLOWED]; ///< the last ends there, from where another search
                                                ///< went on over the fine grid
    int follow_count;                           ///< of all such ends so far
} strike_standing;

typedef struct strike_try {
    int              turn;                          ///< of the starts, or of the hops
    bool             is_hop;                        ///< from the best that is known
    uint64_t         random;                        ///< state
    double           x[ATEMI_STRIKE_MAX_VARIABLES]; ///< where it begins
    bool             is_rough;                      ///< over the rough grid first
    bool             stays_rough;                   ///< and does not go on over the fine one
    bool             is_whole;                      ///< to the end, whatever is known
    strike_standing  known;                         ///< when it began
    strike_candidate rough, fine;
    bool             met, alike; ///< its end over the rough grid: feasible, and that of the source
    bool             is_hard;    ///< near to the hardest there, or beyond it
    bool             has_fine;   ///< it went over the fine one
    bool             came_back;  ///< there, to the best
    int              evaluations, gradients;
} strike_try;

/// Who tries: one for each thread.
typedef struct strike_worker {
    strike_solver *fine, *rough;
    double         tolerance; ///< over the fine grid
} strike_worker;

/// Over the rough grid, constraints are met up to this.
extern const double strike_rough_tolerance;

/// Two objectives that differ by no more, as a part of one of them, are the same.
extern const double strike_alike;

/// Tries, from `x`.
void strike_try_run(const strike_worker *worker, strike_try *t);

/// Whether a strike meets all constraints and its motion is not singular; and whether one is better
/// than another: sound, and of those the harder blow.
bool strike_candidate_is_sound(const strike_candidate *candidate, double tolerance);
bool strike_candidate_is_better(const strike_candidate *candidate, const strike_candidate *than,
                                double tolerance);

/// Where the last search of a solver ended.
strike_candidate strike_solver_end(const strike_solver *solver);
