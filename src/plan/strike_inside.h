// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a plan, for what is made of it.

#pragma once

#include "plan/problem/strike_problem.h"

typedef struct strike_inside {
    const strike_setup      *setup;
    const strike_evaluation *at;   ///< the values of the plan
    strike_workspace        *work; ///< free for use
} strike_inside;

strike_inside strike_plan_inside(atemi_strike_plan *plan);
