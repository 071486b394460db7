// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where the constraints of a strike are violated least.

#pragma once

#include "plan/search/strike_scaled.h"

/// The violations, weighed and summed up, with a workspace to make that less.
typedef struct strike_violation {
    strike_scaled *scaled;
    double         rounding;           ///< of the corner where a row begins to be violated, scaled
    double        *weights;            ///< [rows + 1] as of `base`: one over the rows of a family
    double        *gradient;           ///< [variables] where it was minimized
    double        *curvature, *factor; ///< [variables x variables]
    atemi_arena    arena;
} strike_violation;

atemi_status strike_violation_create(strike_scaled *scaled, strike_violation *violation,
                                     atemi_error *error);
void         strike_violation_destroy(strike_violation *violation);

/// Goes to where the sum of violations is least, which leaves most constraints met. Meanwhile
/// speeds and momenta may leave their ranges towards 0, which counts as a violation.
/// @param u [variables] scaled start; result: where that is, looked at, with its slopes
void strike_violation_minimize(strike_violation *violation, double *u);

/// How far a scaled variable is out of its range; negative inside.
double strike_violation_of_range(const strike_violation *violation, const double *u, int variable);

/// By how much the sum grows with a row, or with a variable's distance from its range.
double strike_violation_slope(const strike_violation *violation, double outside);

/// Whether a variable cannot go on because its range ends.
bool strike_violation_is_held(const strike_violation *violation, const double *u, int variable);
