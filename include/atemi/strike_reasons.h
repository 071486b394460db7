// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer plan. Why a strike is no harder, or why there is none, in plain words.

#pragma once

#include "atemi/strike_plan.h"

ATEMI_BEGIN

enum { ATEMI_STRIKE_MAX_REASONS = 16, ATEMI_STRIKE_REASON = 200 };

/// A limit of the robot, the floor or the task: all constraints that it bounds together, at every
/// instant and in every case of doubt.
typedef struct atemi_strike_reason {
    char   limit[ATEMI_STRIKE_REASON];  ///< "the ZMP in the blow, 60 mm inside the edge"
    char   remedy[ATEMI_STRIKE_REASON]; ///< "1 cm less margin"; empty where it is not met
    double gain; ///< of the objective by the remedy, to first order, in its unit
    /// Of no feasible plan: how far it is exceeded where the sum of all that is exceeded is least,
    /// in its own unit; 0 where it is met, but only at the cost of the others.
    double violation;
} atemi_strike_reason;

/// The unit of the objective: "N" of a peak force, "N s" of an impulse, "" of a sum of both.
ATEMI_API const char *atemi_strike_objective_unit(const atemi_strike_task *task);

/// What holds a feasible plan back: the limits that are worth most, most first. A remedy is a step
/// that is about as large for all of them: 1 cm, 1 degree, a tenth of a speed or an effort.
/// @param reasons [ATEMI_STRIKE_MAX_REASONS] result
/// @return how many there are
ATEMI_API int atemi_strike_limits_explain(const atemi_strike_task *task,
                                          const atemi_strike_plan *plan,
                                          atemi_strike_reason     *reasons);

/// Why no strike meets all constraints: the limits that contradict each other, first those that are
/// exceeded, then those at whose cost.
ATEMI_API int atemi_strike_conflicts_explain(const atemi_strike_task *task,
                                             const atemi_strike_plan *plan,
                                             atemi_strike_reason     *reasons);

ATEMI_END
