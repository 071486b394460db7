// SPDX-License-Identifier: Apache-2.0

/// @file
/// Balance of a strike: where the ZMP is while the robot gathers speed, hits, and slows down.

#pragma once

#include "plan/strike_problem.h"

/// What the robot stands on, from the feet's places.
void strike_find_support(strike_problem *problem);

/// The blow, and the constraints of the ZMP and of friction while it lasts.
void strike_constrain_blow(strike_problem *problem);

/// The constraints of the ZMP before and after it.
void strike_constrain_phases(strike_problem *problem);
