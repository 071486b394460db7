// SPDX-License-Identifier: Apache-2.0

/// @file
/// How the posture of first touch changes with the variables where the legs do not reach.

#pragma once

#include "plan/slopes/strike_slopes.h"

/// The derivatives of the posture, and of what each foot is off its place and its orientation, into
/// `derivatives->q` and `derivatives->reach`: by differences of the posture alone.
void strike_reach_vary(const strike_setup *setup, const strike_variables *variables,
                       const strike_evaluation *at, strike_workspace *work,
                       strike_derivatives *derivatives);
