// SPDX-License-Identifier: Apache-2.0

/// @file
/// Bounds that a strike stands at, and what each of them holds back.

#pragma once

#include "plan/strike_scaled.h"

enum { STRIKE_MOST_BOUNDS = 2 * ATEMI_STRIKE_MOST_VARIABLES };

/// A bound of a constraint or of a variable, with its slope outwards.
typedef struct strike_bound {
    int    index;
    bool   is_variable, is_upper;
    double scale;
    double slope[ATEMI_STRIKE_MOST_VARIABLES]; ///< by scaled variables
    double multiplier;                         ///< scaled
} strike_bound;

/// Those that are met and stood at by what was looked at last, whose slopes are known.
/// @param bounds [STRIKE_MOST_BOUNDS] result
/// @return how many there are
int strike_bounds_find(const strike_scaled *scaled, strike_bound *bounds);

/// Finds the multipliers, none negative, with which the slopes of bounds balance a gradient best.
/// Where slopes depend on each other, some bounds have none.
/// @param gradient [variables] of what is minimized
void strike_bounds_weigh(const strike_scaled *scaled, const double *gradient, strike_bound *bounds,
                         int count);

/// What each bound that the values stand at is worth, in units of the objective a unit of the
/// constraint, or of the variable.
/// @param x           [variables] an optimum
/// @param bounds      [STRIKE_MOST_BOUNDS] room
/// @param constraints [constraints] result
/// @param variables   [variables] result
void strike_multipliers(strike_scaled *scaled, const double *x, strike_bound *bounds,
                        double *constraints, double *variables);
