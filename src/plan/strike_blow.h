// SPDX-License-Identifier: Apache-2.0

/// @file
/// The blow of a strike, as planned and as it may come instead, and what it does to balance.

#pragma once

#include "plan/strike_problem.h"

/// The blow, and the constraints of the ZMP, of friction and of the soles while it lasts.
void strike_constrain_blow(strike_problem *problem);

/// Whether the blow can be computed exactly.
bool strike_blow_is_linear(const strike_problem *problem);
