// SPDX-License-Identifier: Apache-2.0

/// @file
/// Event location: the instant within a step at which the first condition of the modes breaks.

#pragma once

#include "simulate/events/step.h"

/// Takes a step of h, by Runge-Kutta or extrapolation, and finds how far its end is from breaking,
/// into the margins.
atemi_status atemi_event_location_step(atemi_step *step, atemi_simulation_contacts *set,
                                       atemi_state *state, double h);

/// Shortens the step, which was broken after `h`, until its end is where the first condition
/// breaks, or just before that, where it leaps. Where no step is possible beyond, there may be no
/// event yet.
/// @param measured whether the state is that of `h`, and the margins are known; otherwise no step
///                 is possible to there
/// @return ATEMI_ERROR_SINGULAR where the contacts jam: the state is that of the step's start
atemi_status atemi_event_location_find(atemi_step *step, atemi_simulation_contacts *set,
                                       atemi_state *state, double h, bool measured, bool *event);
