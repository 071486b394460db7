// SPDX-License-Identifier: Apache-2.0

/// @file
/// The search for the hardest of many local optima.

#pragma once

#include "plan/search/strike_try.h"
#include "plan/search/work_line.h"

#include <stdatomic.h>

/// One thread's memory beside that of the caller.
typedef struct strike_crew_member {
    strike_meter         meter;
    strike_solver        fine, rough;
    atemi_strike_options fine_options, rough_options;
    double               busy; ///< s
} strike_crew_member;

typedef struct strike_search {
    strike_solver       *fine; ///< of the caller, who is worker 0
    strike_problem       rough_problem;
    atemi_strike_options options;
    double               deadline; ///< by the clock; inf for none
    int                  threads;
    strike_crew_member   crew[WORK_LINE_LAG];
    strike_worker        workers[WORK_LINE_LAG];

    strike_standing standing;                     ///< after all tries so far
    strike_standing history[WORK_LINE_LAG + 1];   ///< after each of the last
    strike_try      tries[WORK_LINE_LAG];         ///< under way
    int             attempts, feasible, agreeing; ///< `agreeing` with the best
    int             evaluations, gradients;
    int             failures;    ///< hops over the fine grid in a row that found nothing harder
    int             first, end;  ///< starts of a stage
    bool            stays_rough; ///< it goes over the rough grid only
    bool            is_spent;    ///< there were as many searches as there may be
    uint64_t        random;

    atomic_bool    is_over;         ///< tries under way are in vain
    atomic_bool    stopped;         ///< by the user, or
    atomic_bool    cut_off;         ///< by the budget
    _Atomic double done, objective; ///< of all tries; of the best, for the progress
} strike_search;

/// Makes ready to search for what `fine` solves. Destroy it, whatever the result.
atemi_status strike_search_create(strike_solver *fine, const atemi_strike_options *options,
                                  strike_search *search, atemi_error *error);
void         strike_search_destroy(strike_search *search);

/// Finds `standing.best`, or what there is of it when the user stops or the budget is spent.
void strike_search_run(strike_search *search);
