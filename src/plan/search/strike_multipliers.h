// SPDX-License-Identifier: Apache-2.0

/// @file
/// Limits that hold a strike back, and what each of them is worth.

#pragma once

#include "math/nonnegative.h"
#include "plan/search/strike_scaled.h"

/// A bound of a constraint or of a variable.
typedef struct strike_bound {
    int    index;
    bool   is_variable, is_upper;
    double scale;
    double multiplier; ///< scaled
} strike_bound;

/// The bounds that some values are at.
typedef struct strike_active {
    int           count;
    strike_bound *bounds; ///< [count]
    double       *slopes; ///< [count x variables] outwards, by scaled variables
    double       *weights, *downhill;
    nonnegative   work;
} strike_active;

strike_active strike_active_take(atemi_arena *arena, int variables, int rows);

/// Finds the bounds that what was looked at last is at; its slopes are known.
void strike_active_find(strike_active *active, const strike_scaled *scaled);

/// Finds the multipliers, none negative, with which the slopes of the bounds balance a gradient
/// best. Where slopes depend on each other, some bounds have none.
/// @param n        of variables
/// @param gradient [n] of what is minimized
/// @return what is left of it, as a fraction
double strike_active_weigh(strike_active *active, int n, const double *gradient);

/// What each bound that the values are at is worth, in units of the objective per unit of the
/// constraint, or of the variable.
/// @param x           [variables]
/// @param constraints [constraints] result
/// @param variables   [variables] result
/// @return what is left of the gradient, as a fraction
double strike_multipliers(strike_active *active, strike_scaled *scaled, const double *x,
                          double *constraints, double *variables);
