// SPDX-License-Identifier: Apache-2.0

/// @file
/// Small dense convex quadratic programs, as a controller solves one each tick:
///
///     minimize  x^T H x / 2 + g^T x   such that   lower_i <= a_i^T x <= upper_i
///
/// with H positive definite. The rows that bound single variables come first and are not stored:
/// row i < box_count is x_i itself, row box_count + k is row k of A. An equality has equal bounds;
/// an infinite bound is none. A soft row may be violated, by s, at the cost of s^2 / (2 softness).

#pragma once

#include "atemi/arena.h"

#include <stdbool.h>

typedef struct quadratic_program {
    int           variable_count; ///< n
    int           row_count;      ///< m, with the first `box_count` that bound a variable each
    int           box_count;
    const double *H;        ///< [n x n] row-major; the lower triangle is read
    const double *g;        ///< [n]
    const double *A;        ///< [(m - box_count) x n] row-major
    const double *lower;    ///< [m]
    const double *upper;    ///< [m]
    const double *softness; ///< [m] not negative, 0 for a hard row; NULL if all rows are hard
} quadratic_program;

typedef enum quadratic_status {
    QUADRATIC_SOLVED,
    QUADRATIC_INFEASIBLE, ///< hard rows contradict each other
    QUADRATIC_NOT_CONVEX, ///< H is not positive definite
    QUADRATIC_UNFINISHED, ///< too many iterations: x violates some rows
} quadratic_status;

typedef struct quadratic_result {
    quadratic_status status;
    int              iterations;
    double           violation; ///< the largest of a hard row that is left, relative to its length
    int row; ///< where infeasible: a row that contradicts the active ones; otherwise -1
} quadratic_result;

/// The workspace, which also remembers the active rows of the last solution. k is the limit of
/// active rows: n + 1, because hard ones are independent, or m if some are soft.
typedef struct quadratic_workspace {
    int     max_variables, max_rows, max_active;
    double *x;           ///< [n] result
    double *multipliers; ///< [m] result: positive at the upper bound, negative at the lower
    int     stride;      ///< of the matrices below, of rows as long as n
    double *L;           ///< [n x n] factor of H
    double *U;           ///< [n x n] L^-T
    double *offset;      ///< [n] L^-1 g
    double *scales;      ///< [m] 1 / |a_i|
    double *values;      ///< [m] a_i^T x
    double *u;           ///< [n]
    int    *sides; ///< [m] bound that an active row is at: 1 upper, -1 lower, 2 equality; else 0
    int     active_count;
    int    *active;                ///< [k] active rows, in the order of the factor
    double *normals;               ///< [k x n] L^-1 a_i of active rows
    int     active_stride;         ///< of V
    double *V;                     ///< [k x k] see quadratic_program.c
    double *r, *half;              ///< [k]
    double *targets;               ///< [k] d
    double *lambda, *goal, *shift; ///< [k] of active rows
    double *normal, *left;         ///< [n] of the row that comes next
} quadratic_workspace;

/// Lays a workspace out on an arena, for up to so many variables and rows, and for soft rows or
/// not.
quadratic_workspace quadratic_workspace_take(atemi_arena *arena, int max_variables, int max_rows,
                                             bool soft);

/// Solves a program; x and multipliers are in the workspace.
/// @param warm begin with the rows that `sides` of the workspace says are active, with
/// `multipliers`:
///             those of the last solution, unless the caller has changed them
///
/// No allocation. The answer does not depend on where it begins, but for rounding.
quadratic_result quadratic_program_solve(const quadratic_program *program, bool warm,
                                         quadratic_workspace *workspace);
