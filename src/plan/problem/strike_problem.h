// SPDX-License-Identifier: Apache-2.0

/// @file
/// A strike as an optimization problem: its task, variables and constraints. It does not change
/// once it is created; evaluations have a workspace and a result of their own.

#pragma once

#include "plan/problem/strike_evaluation.h"

typedef struct strike_problem {
    strike_setup       setup;
    const strike_grid *grid;
    strike_variables   variables;
    strike_constraints constraints;
    double             start_objective; ///< at the task's own start
    atemi_arena        arena;           ///< of the constraints
} strike_problem;

/// Makes the problem of a task, with two evaluations. Destroy it, whatever the result.
atemi_status strike_problem_create(const atemi_strike_task *task, const strike_grid *grid,
                                   strike_meter *meter, strike_problem *problem,
                                   atemi_error *error);
void         strike_problem_destroy(strike_problem *problem);

/// The values of objective and constraints at some values of the variables.
typedef struct strike_result {
    strike_evaluation at;
    double           *constraints; ///< [constraints.count]
    double           *parts;       ///< [constraints.part_count]
} strike_result;

/// Lays a result out on an arena.
void strike_result_take(strike_result *result, atemi_arena *arena, const strike_problem *problem);

/// Evaluates the problem at x [variables.count]. What is the same as in `result` before, see
/// strike_evaluate(), is kept.
void strike_problem_evaluate(const strike_problem *problem, const double *x, strike_workspace *work,
                             strike_result *result);

/// The same without the constraints of the motion before and after the blow, which stay as they
/// are.
void strike_problem_evaluate_touch(const strike_problem *problem, const double *x,
                                   strike_workspace *work, strike_result *result);

/// Whether the legs reach so that all feet are at their places, to rounding.
bool strike_problem_stands(const strike_problem *problem, const double *x, strike_workspace *work);

/// The largest violation, relative to the constraints' scales.
double strike_problem_violation(const strike_problem *problem, const strike_result *result);
