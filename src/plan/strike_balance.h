// SPDX-License-Identifier: Apache-2.0

/// @file
/// Balance before and after a blow: where the ZMP is while the robot gathers speed and slows down.

#pragma once

#include "plan/strike_problem.h"

/// What the robot stands on, from the feet's places.
void strike_find_support(strike_problem *problem);

/// The constraints of the ZMP in both phases.
void strike_constrain_phases(strike_problem *problem);
