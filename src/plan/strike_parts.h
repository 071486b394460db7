// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a plan, for what is made of it.

#pragma once

#include "plan/strike_problem.h"

/// The problem, at the values of the plan.
strike_problem *strike_plan_problem(atemi_strike_plan *plan);
