// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the motion before and after a blow asks of the joints, from a few steps of it.

#pragma once

#include "plan/strike_problem.h"

/// The constraints of the joints' ranges and speeds on the way.
void strike_constrain_motion(strike_problem *problem);
