// SPDX-License-Identifier: Apache-2.0

/// @file
/// Events: what comes after a mode of a contact has ended.

#pragma once

#include "simulate/world.h"

/// Keeps the sliding directions up to date after a step, and notes which points are clear of their
/// surfaces.
void atemi_events_follow(atemi_simulation *s);

/// Handles what is broken by the margins: changes modes, and velocities in a bump.
atemi_status atemi_events_handle(atemi_simulation *s);

/// Bumps what approaches and gives modes to all points in touch.
atemi_status atemi_events_touch(atemi_simulation *s);

/// Moves on by a moment in which all points in touch are decided together.
/// @return whether that could be done; then `status` says how it ended
bool atemi_events_jump(atemi_simulation *s, double moment, atemi_status *status);

/// Goes on where no sliding motion agrees with friction: with a blow.
atemi_status atemi_events_jam(atemi_simulation *s);
