// SPDX-License-Identifier: Apache-2.0

/// @file
/// Events: when a mode of a contact ends, and what comes after it.

#pragma once

#include "simulate/world.h"

/// A condition that does not hold (any more).
typedef struct atemi_broken {
    bool             broken;
    atemi_event_kind kind;
    int              point; ///< touchdown, lift-off of a single point
    int              patch;
} atemi_broken;

/// Looks for a broken condition in the state that was evaluated last.
atemi_broken atemi_events_find(const atemi_simulation *s);

/// Keeps the sliding directions up to date after a step.
void atemi_events_follow(atemi_simulation *s);

/// Handles the condition that is broken now: changes modes, and velocities in a bump.
atemi_status atemi_events_handle(atemi_simulation *s);

/// Bumps and gives modes to all points in touch.
atemi_status atemi_events_touch(atemi_simulation *s);
