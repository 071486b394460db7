// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer math. Small dense convex quadratic programs:
///
///     min  x^T H x / 2 + g^T x     with  lower <= A x <= upper,  least <= x <= most
///
/// Solved by an active set in the dual, which a guess of the active limits shortens. H may be
/// semidefinite or zero (a linear program). Equations are rows with lower = upper. Rows may depend
/// on each other, contradict each other or be zero: the status says what came of it, and the
/// residuals are computed from the program as it was given. See docs/theory/quadratic_program.md.
///
///     atemi_arena arena = atemi_arena_measuring();
///     atemi_quadratic_solver_take(&arena, 40, 100);               // arena.used bytes are needed
///     ...
///     solver = atemi_quadratic_solver_take(&arena, 40, 100);
///     result = atemi_quadratic_solve(solver, &program, NULL, x, multipliers, active);

#pragma once

#include "atemi/base.h"

ATEMI_BEGIN

/// A program. Matrices are row-major; limits may be infinite.
typedef struct atemi_quadratic_program {
    int           variables, rows;
    int           H_stride, A_stride; ///< elements from row to row; 0: as many as variables
    const double *H;                  ///< [variables x variables] symmetric; the whole matrix
    const double *g;                  ///< [variables] or NULL for zero
    const double *A;                  ///< [rows x variables]
    const double *lower, *upper;      ///< [rows] or NULL where there is no such limit
    const double *least, *most;       ///< [variables] of x, or NULL where there is no such limit
} atemi_quadratic_program;

typedef enum atemi_quadratic_status {
    ATEMI_QUADRATIC_SOLVED,     ///< within the tolerance
    ATEMI_QUADRATIC_INFEASIBLE, ///< no x meets all limits
    ATEMI_QUADRATIC_UNBOUNDED,  ///< the objective falls for ever
    ATEMI_QUADRATIC_NONCONVEX,  ///< H has a negative eigenvalue
    ATEMI_QUADRATIC_UNFINISHED, ///< the iterations are used up
    ATEMI_QUADRATIC_INACCURATE, ///< rounding keeps the residuals above the tolerance
} atemi_quadratic_status;

typedef struct atemi_quadratic_options {
    int iterations; ///< changes of the active set at most
    /// Of the residuals, relative to the sizes of the terms that they are sums of.
    double tolerance;
} atemi_quadratic_options;

/// 1000 iterations, 1e-9.
ATEMI_API atemi_quadratic_options atemi_quadratic_options_default(void);

/// What came of a program.
typedef struct atemi_quadratic_result {
    atemi_quadratic_status status;
    int                    iterations; ///< changes of the active set
    int                    passes;     ///< 1; more where H is semidefinite or rounding counts
    double                 violation;  ///< largest |A x - limit| of a limit that is not met
    double                 slope;      ///< largest |H x + g + A^T multipliers + multipliers of x|
    double                 objective;
} atemi_quadratic_result;

typedef struct atemi_quadratic_solver atemi_quadratic_solver;

/// Lays a solver out on an arena, for programs of at most that many variables and rows.
/// @return NULL while measuring; also NULL, with a broken contract, if the arena is too small
ATEMI_API atemi_quadratic_solver *atemi_quadratic_solver_take(atemi_arena *arena, int variables,
                                                              int rows);

/// Solves a program. No allocation; a function of its arguments alone.
///
/// @param options     NULL for the defaults
/// @param x           [variables] result; the last iterate where it is not solved
/// @param multipliers [variables + rows] result or NULL: of the limits of x, then of the rows;
///                    positive at an upper limit, negative at a lower one
/// @param active      [variables + rows] or NULL. At first a guess: 1 at the upper limit, -1 at the
///                    lower one, 0 for neither. Result: those of the solution, or if infeasible
///                    those that contradict each other
ATEMI_API atemi_quadratic_result atemi_quadratic_solve(atemi_quadratic_solver        *solver,
                                                       const atemi_quadratic_program *program,
                                                       const atemi_quadratic_options *options,
                                                       double *x, double *multipliers,
                                                       signed char *active);

ATEMI_END
