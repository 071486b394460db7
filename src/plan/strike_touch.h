// SPDX-License-Identifier: Apache-2.0

/// @file
/// How long hand and target touch, about, and when the blow is looked at.

#pragma once

#include "plan/strike_problem.h"

/// The same for all values of the variables, so that constraints are smooth.
void strike_find_blow_times(strike_problem *problem);
