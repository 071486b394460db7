// SPDX-License-Identifier: Apache-2.0

/// @file
/// A blow that comes otherwise than planned: the target is lighter, nearer or held less, it is
/// touched earlier, the servos are softer.

#pragma once

#include "plan/problem/strike_evaluation.h"

/// When and how a target is met.
typedef struct strike_case {
    atemi_strike_deviation deviation;
    double                 time;          ///< of first touch, from the planned one, s
    double                 time_by_speed; ///< how that changes with the hand's speed, s^2/m
} strike_case;

/// The blow as planned.
static inline strike_case strike_case_planned(void)
{
    return (strike_case){0};
}

/// A case where the variables have some values.
strike_case strike_case_find(const strike_values *x, const atemi_strike_deviation *deviation);

/// Whether a case is met at another time than planned.
bool strike_case_moves(const atemi_strike_deviation *deviation);

/// Whether any case of a task is.
bool strike_cases_move(const atemi_strike_task *task);

/// Puts a case into what a blow is computed of.
/// @param stiffness, damping [v_count] memory for gains that are off
void strike_case_set(const strike_setup *setup, const atemi_strike_deviation *deviation,
                     double *stiffness, double *damping, atemi_blow_setting *setting);

/// The drift of strike_blow_drift() of a case, and how it changes with the hand's speed.
double strike_case_drift(const strike_setup *setup, const strike_values *x, const strike_case *at,
                         double *by_speed);
