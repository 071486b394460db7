// SPDX-License-Identifier: Apache-2.0

/// @file
/// The cases of a task's doubt that are worst for a plan.

#pragma once

#include "plan/strike_inside.h"

/// Finds cases in which a plan does not keep to the bounds of the blow: of each kind of constraint
/// and foot, the worst. Those that the task has already are left out.
/// @param plan      where the search ended
/// @param tolerance scaled; what is violated by less is met
/// @param cases     [limit] result
/// @return how many there are, or ATEMI_NONE without memory
int strike_robust_find(strike_inside plan, double tolerance, int limit,
                       atemi_strike_deviation *cases);
