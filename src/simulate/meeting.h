// SPDX-License-Identifier: Apache-2.0

/// @file
/// Meeting: what touches its surface and comes nearer bumps.

#pragma once

#include "simulate/world.h"

/// Whether a point within `touching` of its surface, m, comes nearer.
bool atemi_meeting_is_due(const atemi_simulation *s, double touching);

/// Bumps, if that is so, and gives modes to all points in touch.
void atemi_meet(atemi_simulation *s, double touching);
