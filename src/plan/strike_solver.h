// SPDX-License-Identifier: Apache-2.0

/// @file
/// The search for the best strike: NLopt's SLSQP on the scaled problem, with gradients by
/// differences.

#pragma once

#include "plan/strike_problem.h"

/// How one try ended.
typedef struct strike_try {
    double objective, violation;
    int    gradients;
    bool   stopped; ///< by the user
} strike_try;

/// Room for tries.
typedef struct strike_solver {
    strike_problem             *problem;
    const atemi_strike_options *options;
    double                      unit;     ///< of the objective
    double                     *x, *best; ///< [variables] values
    double                     *base;     ///< [rows + 1] at x: rows are violated where positive
    double                     *slopes;   ///< [(rows + 1) x variables], by scaled variables
    struct strike_bound        *bounds;   ///< room for those that the values stand at
    double                     *seen;     ///< [variables] where `base` was found
    bool                        known, sloped; ///< `base`, `slopes` are of `seen`
    int                         rows;          ///< of constraints, one for each finite bound
    strike_try                  result;
    double                      done; ///< tries, for the progress
    atemi_arena                 arena;
} strike_solver;

atemi_status strike_solver_create(strike_problem *problem, const atemi_strike_options *options,
                                  strike_solver *solver, atemi_error *error);
void         strike_solver_destroy(strike_solver *solver);

/// Searches from x [variables]; the best found is in `best`.
strike_try strike_solver_run(strike_solver *solver, const double *x);

/// What each bound that the values stand at is worth, in units of the objective a unit of the
/// constraint, or of the variable.
/// @param x           [variables] an optimum
/// @param constraints [constraints] result
/// @param variables   [variables] result
void strike_solver_multipliers(strike_solver *solver, const double *x, double *constraints,
                               double *variables);
