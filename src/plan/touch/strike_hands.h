// SPDX-License-Identifier: Apache-2.0

/// @file
/// The hands at first touch: where they hit, how they aim and how they move.

#pragma once

#include "dynamics/kinematics.h"
#include "plan/problem/strike_constraints.h"

/// [STRIKE] eq. 14 part 1, of each hand.
/// @param kinematics of first touch, with velocities
void strike_constrain_hands(const atemi_strike_task *task, const atemi_kinematics *kinematics,
                            strike_rows *rows);
