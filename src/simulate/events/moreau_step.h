// SPDX-License-Identifier: Apache-2.0

/// @file
/// One step of Moreau's: all points in touch are decided together, by a collision at its end.

#pragma once

#include "simulate/events/step.h"
#include "simulate/events/touchdown.h"

/// Moves on by h, without the contacts of what is in touch, and lets that collide. Not done if
/// another point would get inside its surface, or a joint beyond its stop: then `step->touch` is
/// when the first of them got there, s from the start, or 0 where that is not known.
/// @return whether it was done; then modes, velocities and positions are new, and the forces that
/// go
///         with them are the set's distribution
bool atemi_moreau_step(atemi_step *step, atemi_touchdown *touchdown, atemi_simulation_contacts *set,
                       atemi_state *state, atemi_ledger *ledger, double h);
