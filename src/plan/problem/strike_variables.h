// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a strike decides: its variables, and the values of all ranges, decided or not.

#pragma once

#include "atemi/strike_plan.h"

#include <stddef.h>

/// The values of all ranges of a task.
typedef struct strike_values {
    double foot_position[3], foot_rotation[3];
    double stance[ATEMI_STRIKE_MAX_FEET - 1][2];
    double joints[ATEMI_STRIKE_MAX_VARIABLES];
    double speed, lift, roll, pitch, com_x, com_y; ///< from here on, none changes the posture
    double hand_rise, hand_fall, body_rise, body_fall;
} strike_values;

/// A variable: the range it comes from, and its scale for the solver.
typedef struct strike_variable {
    atemi_strike_variable about; ///< without value and multiplier
    size_t                field; ///< in strike_values
    double                scale;
    bool                  is_motion; ///< a speed or momentum
} strike_variable;

typedef struct strike_variables {
    int             count;
    strike_variable list[ATEMI_STRIKE_MAX_VARIABLES];
    strike_values   start; ///< of all ranges
} strike_variables;

void strike_variables_fill(strike_variables *variables, const atemi_strike_task *task);

/// The values of all ranges where the variables are x [count].
strike_values strike_variables_at(const strike_variables *variables, const double *x);

/// Whether two have the same posture.
bool strike_values_same_posture(const strike_values *a, const strike_values *b);
