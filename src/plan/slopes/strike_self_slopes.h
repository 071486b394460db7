// SPDX-License-Identifier: Apache-2.0

/// @file
/// How the distances between links change with the variables: exactly.

#pragma once

#include "plan/slopes/strike_slopes.h"

/// The slopes of strike_constrain_self().
/// @param derivatives after strike_derivatives_find()
void strike_self_slopes(const strike_setup *setup, const strike_evaluation *at,
                        strike_workspace *work, strike_derivatives *derivatives,
                        strike_slopes *slopes);
