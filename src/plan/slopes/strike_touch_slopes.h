// SPDX-License-Identifier: Apache-2.0

/// @file
/// How the constraints of first touch, and of the ZMP before and after it, change with the
/// variables: exactly.

#pragma once

#include "plan/slopes/strike_slopes.h"

/// The slopes of strike_constrain_hands(), strike_constrain_feet(), strike_constrain_joints(),
/// strike_constrain_momentum(), strike_constrain_times() and strike_constrain_balance().
/// @param derivatives after strike_derivatives_find()
void strike_touch_slopes(const strike_setup *setup, const strike_variables *variables,
                         const strike_evaluation *at, strike_derivatives *derivatives,
                         strike_slopes *slopes);

/// How the corners of all feet move: into `derivatives->corners`.
void strike_support_vary(const strike_setup *setup, const strike_evaluation *at,
                         strike_derivatives *derivatives);

/// The slopes of strike_support_margins(), after strike_support_vary().
/// @param change [2 x stride] how the ZMP moves along x and y
/// @param parts  [corner_count x stride] result
void strike_support_margin_slopes(const strike_support     *support,
                                  const strike_derivatives *derivatives, atemi_vec3 zmp,
                                  const double *change, double *parts);
