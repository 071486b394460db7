// SPDX-License-Identifier: Apache-2.0

/// @file
/// The motion of a plan from the inside: while the plan is searched for.

#pragma once

#include "plan/strike_inside.h"

/// By how much less a limit allows in one attempt, at most, than in the one before.
extern const double strike_most_range;  ///< rad, m: of a joint
extern const double strike_most_part;   ///< of a speed or an effort
extern const double strike_most_margin; ///< m: of the ZMP

/// As atemi_strike_motion_make().
atemi_status strike_motion_make(const strike_inside *inside, double step,
                                atemi_strike_motion *motion, atemi_error *error);

/// Whether the plan's motion exists: it is not singular between the instants that the plan looks
/// at. Counts as singular what exceeds a limit by more than the next attempt would allow less, so
/// that attempts could not mend it.
/// Without memory for the motion it is true; who makes the motion in the end says so.
bool strike_motion_exists(const strike_inside *inside);
