// SPDX-License-Identifier: Apache-2.0

/// @file
/// Events: what comes after a mode of a contact has ended.

#pragma once

#include "simulate/simulation.h"

/// Keeps the sliding directions up to date after a step, and notes which points are clear of their
/// surfaces.
void atemi_events_follow(atemi_simulation_contacts *set);

/// Handles what is broken by the margins: changes modes, and velocities in a collision.
atemi_status atemi_events_handle(atemi_simulation *s);

/// Lets what approaches collide and gives modes to all points in touch.
atemi_status atemi_events_touch(atemi_simulation *s);

/// Moves on by a moment in which all points in touch are decided together; where another point
/// touches within it, until then, and lets that collide.
/// @return whether that could be done; then `status` says how it ended
bool atemi_events_jump(atemi_simulation *s, double moment, atemi_status *status);

/// Goes on where no sliding motion agrees with friction: with an impulse.
atemi_status atemi_events_jam(atemi_simulation *s);

/// Asks the hooks again for the state reached, after a jump or when a run begins. If they answer
/// otherwise, the state is evaluated anew, and modes that cannot last are changed.
atemi_status atemi_events_renew(atemi_simulation *s);
