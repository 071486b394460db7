// SPDX-License-Identifier: Apache-2.0

/// @file
/// The constraints of a strike: what each is about and its bounds, declared once; their values, one
/// list for each evaluation.

#pragma once

#include "atemi/strike_plan.h"

/// A constraint, and its scale for the solver. Where its value is the least or the largest of
/// several, which is not smooth, each of them is a part, with the same bound.
typedef struct strike_constraint {
    atemi_strike_constraint about; ///< without value and multiplier
    double                  scale;
    int                     first_part, part_count; ///< no parts where the value is smooth itself
} strike_constraint;

/// Constraints that come one behind the other: the first, and where they end.
typedef struct strike_block {
    int first, first_part, end, end_part;
} strike_block;

typedef struct strike_constraints {
    int                count, part_count; ///< `part_count` of the parts of all
    strike_constraint *list;              ///< [count]
    strike_block       motion;            ///< those of the motion before and after the blow
} strike_constraints;

/// Where an evaluation puts its constraints, one after the other.
typedef struct strike_rows {
    strike_constraint *declared; ///< filled as well; NULL once they are known
    double            *values;   ///< [count] NULL: they are only counted
    double            *parts;    ///< [part_count]
    int                next, next_part;
    strike_block       motion; ///< of the motion before and after the blow
} strike_rows;

/// Bounds and scale of a constraint.
typedef struct strike_bounds {
    double lower, upper, scale;
} strike_bounds;

/// From -size to size; from a limit on; up to a limit.
strike_bounds strike_within(double size, double scale);
strike_bounds strike_at_least(double lower, double scale);
strike_bounds strike_at_most(double upper, double scale);

/// What a constraint at first touch is about.
static inline atemi_strike_constraint strike_about(atemi_strike_constraint_kind kind, int index,
                                                   int axis, const char *unit)
{
    return (atemi_strike_constraint){.kind = kind, .index = index, .axis = axis, .unit = unit};
}

/// Adds the next constraint.
/// @param about what it is of, and its unit
void strike_constrain(strike_rows *rows, atemi_strike_constraint about, strike_bounds bounds,
                      double value);

/// The same for the largest of several values if there is an upper bound, otherwise for the least.
/// @return that value
double strike_constrain_extreme(strike_rows *rows, atemi_strike_constraint about,
                                strike_bounds bounds, const double *values, int count);

/// The largest violation of values [count], relative to the constraints' scales.
double strike_constraints_violation(const strike_constraints *constraints, const double *values);

/// Whether two constraints are of one family, which counts as one where violations are summed: they
/// differ only in the instant of the blow, or in the axis along which the hand is placed or moves.
bool strike_constraints_are_related(const atemi_strike_constraint *a,
                                    const atemi_strike_constraint *b);
