// SPDX-License-Identifier: Apache-2.0

/// @file
/// Modes: how a point takes one, and what is told of that.

#pragma once

#include "simulate/world.h"

/// Slower, in m/s, has no direction.
static const double atemi_creeping = 1e-9;

/// Lets a point go: it is open, and not yet clear of its surface.
void atemi_mode_open(atemi_simulation *s, int point);

/// Keeps a point where it is.
void atemi_mode_stick(atemi_simulation *s, int point);

/// Gives a slipping point the direction in which it slides, if it is fast enough to have one.
void atemi_mode_follow(atemi_simulation *s, int point);

/// Tells the caller's hook of an event, now.
void atemi_mode_tell(atemi_simulation *s, atemi_event event);
