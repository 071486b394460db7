// SPDX-License-Identifier: Apache-2.0

/// @file
/// Foresight: the modes of all points in touch at once, from how they would move a moment later.

#pragma once

#include "simulate/world.h"

/// Whether the accelerations that were evaluated last agree with the modes: open points in touch do
/// not accelerate into their surfaces, slipping points that stand accelerate where they slip.
/// @param touching gap within which a point is in touch, m
bool atemi_foresight_agrees(atemi_simulation *s, double touching);

/// Gives all points in touch the modes in which they move a moment later. The state reached is the
/// one that was evaluated last.
void atemi_foresight_decide(atemi_simulation *s, double touching);

/// Moves on by a moment: what is in touch is decided together, by a bump at its end, as Moreau's.
/// Not done if another point would get inside its surface.
/// @return whether it was done; then modes, velocities and positions are new
bool atemi_foresight_jump(atemi_simulation *s, double touching, double moment);

/// How long a step may be while points turn as they slide: where they are slow, short, so that
/// friction's direction is followed.
double atemi_foresight_stride(atemi_simulation *s, double h);

/// Whether points that turn as they slide are about to stop, within less than a step.
bool atemi_foresight_stops(atemi_simulation *s);

/// Whether a point that slid straight when the step began did not go on so, though the step changed
/// it much: friction had another direction than it should then. The end of the step is what was
/// observed last.
bool atemi_foresight_strayed(const atemi_simulation *s);
