// SPDX-License-Identifier: Apache-2.0

/// @file
/// Sequential quadratic programming with a trust region: a local minimum of a smooth function under
/// bounds and inequality constraints, of tens of variables and up to thousands of constraints.
///
/// Constraints may be violated meanwhile, at a price that grows until it suffices: a step has a
/// solution wherever it is taken, also where linearized constraints contradict each other.

#pragma once

#include "math/nonnegative.h"

/// What is minimized. Row 0 is the objective, rows 1 to `rows` are constraints, met up to 0.
typedef struct sqp_problem {
    int           count; ///< of variables
    int           rows;  ///< of constraints
    const double *lower; ///< [count] may be infinite
    const double *upper;
    /// Values [rows + 1] at x, valid until the next call.
    const double *(*values)(void *context, const double *x);
    /// Slopes [(rows + 1) x count] at x, valid until the next call of this function.
    const double *(*slopes)(void *context, const double *x);
    /// Called at each step; false to stop.
    bool (*goes_on)(void *context);
    void *context;
} sqp_problem;

typedef struct sqp_options {
    int           iterations; ///< steps at most, those that are taken back included
    double        radius;     ///< of the trust region at first
    double        gain;       ///< converged where a step promises less of the objective than this
    double        tolerance;  ///< up to which constraints are met
    const double *to_beat;    ///< an objective that is known, or NULL: a search far behind is given
                              ///< up, and so is one that cannot meet the constraints, even if
                              ///< nothing is known: inf
    const double *known;  ///< [count] the point that has it, or NULL: a search that comes so near
    double        near;   ///< to it in every variable is given up
    double        weight; ///< of the objective: 1; 0 to meet the constraints near the start
    const double *curvature; ///< [count x count] B at first, or NULL: nothing is known
} sqp_options;

typedef enum sqp_end {
    SQP_CONVERGED,  ///< no step promises anything: a local minimum
    SQP_INFEASIBLE, ///< no step makes the largest violation less
    SQP_STALLED,    ///< promises are not kept, however short the step
    SQP_EXHAUSTED,  ///< all iterations are used
    SQP_BEHIND,     ///< given up
    SQP_KNOWN,      ///< given up, where `known` is near
    SQP_STOPPED,
} sqp_end;

typedef struct sqp_result {
    sqp_end end;
    double  objective, violation; ///< at x
    double  promise;              ///< of the last step, in units of the objective
    int     iterations, slopes;
} sqp_result;

/// Workspace for a problem of that size.
typedef struct sqp {
    int           count, rows;
    double       *x, *next, *step, *better; ///< [count]
    double       *value, *trial, *other;    ///< [rows + 1]
    const double *slope;                    ///< [(rows + 1) x count] at x
    double       *objective;                ///< [count] its slopes, weighed
    double       *gradient, *change;        ///< [count]
    double       *B, *L;                    ///< [count x count]
    double       *inverse, *solved;         ///< [count x padded], [padded] L^-1, transposed
    double       *newton, *lower, *upper, *middle, *half; ///< [count]
    int          *near, near_count;                       ///< [rows] that are in the program
    double       *shifted, *ahead; ///< [near_count] values; what d_0 adds to them
    double       *constraints;     ///< [(rows + 2 count + 1) x (count + 2)]
    double       *z, *u;           ///< of the program: solution, multipliers
    double       *multipliers;     ///< [rows + 1] of the step
    double       *bounds;          ///< [2 count + 1] the same of z_t and bounds
    nonnegative   work;
} sqp;

sqp sqp_take(atemi_arena *arena, int count, int rows);

/// @param x [count] start, kept within its bounds; result: the best point that was accepted
sqp_result sqp_minimize(sqp *s, const sqp_problem *problem, const sqp_options *options, double *x);
