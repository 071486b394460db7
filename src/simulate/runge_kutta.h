// SPDX-License-Identifier: Apache-2.0

/// @file
/// One step of the classical Runge-Kutta method, with the modes as they are.

#pragma once

#include "simulate/world.h"

/// Keeps time, state and accelerations as the start of a step.
void atemi_runge_kutta_begin(atemi_simulation *s);

/// From there to h later, projected and evaluated there: it may be called again with another h.
atemi_status atemi_runge_kutta_step(atemi_simulation *s, double h);

/// Back to the start; nothing is evaluated.
void atemi_runge_kutta_undo(atemi_simulation *s);
