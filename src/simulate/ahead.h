// SPDX-License-Identifier: Apache-2.0

/// @file
/// Looking ahead: how points in touch would move a moment later, all of them together.

#pragma once

#include "simulate/world.h"

/// Finds the velocities of the points that are `foreseen`, with the friction `rubs`, `moment` s
/// after the state (q, v), which was evaluated last, into `s->ahead`. Tied points do not count.
void atemi_look_ahead(atemi_simulation *s, const double *q, const double *v, double moment);
