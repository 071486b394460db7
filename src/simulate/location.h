// SPDX-License-Identifier: Apache-2.0

/// @file
/// Location: the instant within a step at which the first condition of the modes breaks.

#pragma once

#include "simulate/world.h"

/// From the start of the step to h after it, and what holds there, into the margins.
atemi_status atemi_location_step(atemi_simulation *s, double h);

/// Whether a condition is broken by these margins.
bool atemi_location_is_broken(const atemi_simulation *s, const double *margins);

/// Shortens the step, which was broken after `h`, until its end is where the first condition
/// breaks, or just before that, where it leaps. Where no step is possible beyond, there may be no
/// event yet.
/// @param measured whether the state is that of `h`, and the margins are known; otherwise no step
///                 is possible to there
/// @return ATEMI_ERROR_SINGULAR where the contacts jam: the state is that of the step's start
atemi_status atemi_location_find(atemi_simulation *s, double h, bool measured, bool *event);
