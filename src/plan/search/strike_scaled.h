// SPDX-License-Identifier: Apache-2.0

/// @file
/// A strike as solvers see it: scaled variables, one row for each finite bound of a constraint, and
/// slopes. Keeps the best that was looked at.

#pragma once

#include "plan/problem/strike_problem.h"
#include "plan/slopes/strike_blow_slopes.h"

/// How good values are.
typedef struct strike_score {
    double objective, violation; ///< of the constraint that is violated most, scaled
    int    worst;                ///< that constraint; ATEMI_NONE where none is
} strike_score;

typedef struct strike_scaled {
    const strike_problem       *problem;
    strike_workspace            work;
    strike_result               result; ///< looked at last
    strike_result               near;   ///< evaluated for its slopes
    strike_derivatives          derivatives;
    strike_blow_derivatives     blow;
    strike_slopes               exact; ///< of the motion before and after the blow
    const atemi_strike_options *options;
    double                      done;      ///< fraction of all searches, for the progress
    bool                        stopped;   ///< by the user
    double                      tolerance; ///< up to which constraints are met, scaled
    double                      unit;      ///< of the objective
    int                         rows;      ///< of constraints
    int          motion_first, motion_end; ///< rows of the motion before and after the blow
    double      *seen;                     ///< [variables] scaled, looked at last
    double      *base;          ///< [rows + 1] there: the objective, then rows; met up to 0
    double      *slopes;        ///< [(rows + 1) x variables] there
    double      *objective;     ///< [stride] its exact slopes
    bool         known, sloped; ///< `base`, `slopes` are of `seen`
    double      *scales;        ///< [variables]
    double      *x;             ///< [variables] workspace
    double      *best;          ///< [variables] the best values so far that are in their ranges
    strike_score score;         ///< theirs
    strike_score ever;          ///< the best score of all searches, for the progress
    int          gradients;     ///< found so far
    atemi_arena  arena;
} strike_scaled;

/// Makes ready for a problem. Destroy it, whatever the result.
/// @param meter remains the caller's
atemi_status strike_scaled_create(const strike_problem *problem, strike_meter *meter,
                                  const atemi_strike_options *options, strike_scaled *scaled,
                                  atemi_error *error);
void         strike_scaled_destroy(strike_scaled *scaled);

/// From values x [variables] to scaled variables u [variables], and back.
void strike_scaled_variables(const strike_scaled *scaled, const double *x, double *u);
void strike_scaled_values(const strike_scaled *scaled, const double *u, double *x);

/// Finds `base`, or `base` and `slopes`, at u [variables].
void strike_scaled_look(strike_scaled *scaled, const double *u);
void strike_scaled_find_slopes(strike_scaled *scaled, const double *u);

/// Reports how far it is; false to stop.
bool strike_scaled_goes_on(strike_scaled *scaled);

/// Begins a search: with no best, and nothing known of evaluations before.
void strike_scaled_begin(strike_scaled *scaled);

/// What was looked at last is the best, if it meets all constraints.
void strike_scaled_keep_last(strike_scaled *scaled);

/// The constraint that a row of `base` is of, and which of its bounds.
/// @param row 1 to rows
int strike_scaled_constraint(const strike_scaled *scaled, int row, bool *is_upper);

/// How many rows a constraint has.
int strike_scaled_rows(const strike_constraint *constraint);

/// The range of a scaled variable.
double strike_scaled_lower(const strike_scaled *scaled, int variable);
double strike_scaled_upper(const strike_scaled *scaled, int variable);

/// A score that is worse than all others, and whether one is better than another: feasible, and of
/// those the harder blow; otherwise less infeasible.
strike_score strike_score_none(void);
bool         strike_score_is_better(strike_score score, strike_score than, double tolerance);
