// SPDX-License-Identifier: Apache-2.0

/// @file
/// How long hand and target touch, about, and when the blow is looked at.

#pragma once

#include "atemi/strike_plan.h"

enum { STRIKE_BLOW_SAMPLES = 13 }; ///< instants of the blow that constraints look at

/// The same for all values of the variables, so that constraints are smooth.
typedef struct strike_touch {
    double duration;                   ///< how long hand and target touch, about, s
    double step;                       ///< of time integration, if the blow is not linear, s
    double times[STRIKE_BLOW_SAMPLES]; ///< since first touch, s
} strike_touch;

strike_touch strike_touch_find(const atemi_strike_task *task);

/// Whether the blow can be computed exactly.
bool strike_touch_is_linear(const atemi_strike_task *task);
