// SPDX-License-Identifier: Apache-2.0

/// @file
/// The hands at first touch: where they hit, how they aim and how they move.

#pragma once

#include "plan/strike_problem.h"

/// [STRIKE] eq. 14 part 1, of each hand.
void strike_constrain_hands(strike_problem *problem);
