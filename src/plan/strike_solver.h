// SPDX-License-Identifier: Apache-2.0

/// @file
/// The search for the best strike: NLopt's SLSQP on the scaled problem, with gradients by
/// differences.

#pragma once

#include "plan/strike_conflict.h"
#include "plan/strike_multipliers.h"

#include <stdint.h>

/// Room for tries.
typedef struct strike_solver {
    strike_scaled    scaled;
    strike_violation violation;
    strike_bound    *bounds; ///< [STRIKE_MOST_BOUNDS] room
    atemi_arena      arena;
} strike_solver;

/// Makes room for a problem. Destroy it, whatever the result.
atemi_status strike_solver_create(strike_problem *problem, const atemi_strike_options *options,
                                  strike_solver *solver, atemi_error *error);
void         strike_solver_destroy(strike_solver *solver);

/// Where a try starts: at the task's own start, then at random ones.
/// @param seed of those, advanced
/// @param x    [variables] result
void strike_solver_start(const strike_problem *problem, int attempt, uint64_t *seed, double *x);

/// The same posture, almost at rest: there the constraints are those of the posture.
/// @param slowed [variables] result
void strike_solver_slow_down(const strike_problem *problem, const double *x, double *slowed);

/// A try from x [variables]; the best is in `scaled.best`.
void strike_solver_run(strike_solver *solver, const double *x);

/// One search of it, by SLSQP; an elastic one may violate all constraints by as much as it pays
/// for.
void strike_solver_search(strike_solver *solver, const double *x, bool elastic);

/// Finds out which constraints cannot be met together. Should all be met on the way, there are
/// none, and a feasible strike is in `scaled.best`.
/// @param conflicts [STRIKE_MOST_CONFLICTS] result
/// @return how many there are
int strike_solver_explain(strike_solver *solver, atemi_strike_conflict *conflicts);
