// SPDX-License-Identifier: Apache-2.0

/// @file
/// The search for the hardest of many local optima.

#pragma once

#include "plan/search/strike_solver.h"

/// Where a search ended.
typedef struct strike_candidate {
    strike_score score;
    double       x[ATEMI_STRIKE_MAX_VARIABLES];
} strike_candidate;

typedef struct strike_search {
    strike_solver       *fine;
    strike_problem       rough_problem;
    strike_solver        rough;
    atemi_strike_options options, rough_options;
    strike_candidate     best;    ///< on the fine grid
    strike_candidate     source;  ///< on the rough grid, from where it was found
    double               hardest; ///< objective on the rough grid; -inf if none is feasible
    int                  attempts, feasible, agreeing; ///< `agreeing` with the best
} strike_search;

/// Makes ready to search for what `fine` solves. Destroy it, whatever the result.
atemi_status strike_search_create(strike_solver *fine, const atemi_strike_options *options,
                                  strike_search *search, atemi_error *error);
void         strike_search_destroy(strike_search *search);

/// Finds `best`, or what there is of it when the user stops.
void strike_search_run(strike_search *search);
