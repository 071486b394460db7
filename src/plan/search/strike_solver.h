// SPDX-License-Identifier: Apache-2.0

/// @file
/// The search for the best strike near a start: sequential quadratic programming on the scaled
/// problem.

#pragma once

#include "plan/search/sqp.h"
#include "plan/search/strike_conflict.h"
#include "plan/search/strike_multipliers.h"

/// Where a search ended.
typedef struct strike_candidate {
    strike_score score;
    double       x[ATEMI_STRIKE_MAX_VARIABLES];
    bool         is_optimum;  ///< it converged
    bool         is_singular; ///< its motion between the knots is; false where nobody asked
} strike_candidate;

/// Workspace for searches.
typedef struct strike_solver {
    strike_scaled    scaled;
    strike_violation violation;
    sqp              sqp;
    sqp_result       last; ///< of the search that ended last
    strike_active    active;
    double          *u; ///< [variables] scaled: where it ended
    double          *start, *lower, *upper, *known;
    atemi_arena      arena;
} strike_solver;

/// Makes ready for a problem. Destroy it, whatever the result.
/// @param meter remains the caller's
atemi_status strike_solver_create(const strike_problem *problem, strike_meter *meter,
                                  const atemi_strike_options *options, strike_solver *solver,
                                  atemi_error *error);
void         strike_solver_destroy(strike_solver *solver);

/// A search from x [variables]; where it ends, or the best seen if it was stopped or does
/// not meet all constraints, is in `scaled.best`.
/// @param gain of the objective, in its unit of scale: the search ends where a step promises less;
///             0 for as far as it goes
/// @param known   a strike that is known, or NULL: the search is given up where its objective stays
///                far behind, where constraints cannot be met, and where it comes near to that
///                strike, if it is an optimum
/// @param before  another that has just ended at x, over another grid: what it learned of the
///                curvature counts; or NULL
void strike_solver_run(strike_solver *solver, const double *x, double gain,
                       const strike_candidate *known, const strike_solver *before);

/// Finds out which constraints cannot be met together. If all are met meanwhile, there are
/// none, and a feasible strike is in `scaled.best`.
/// @param conflicts [STRIKE_MAX_CONFLICTS] result
/// @return how many there are
int strike_solver_explain(strike_solver *solver, atemi_strike_conflict *conflicts);
