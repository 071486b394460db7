// SPDX-License-Identifier: Apache-2.0

/// @file
/// The impulses of a step: the system of all points near their surfaces, joints near their stops
/// and joints that rub, and its solution.

#pragma once

#include "simulate/time_step.h"

/// Gathers the rows at the middle of a step of h, from the velocities at its end without impulses.
void atemi_step_system_gather(struct atemi_simulation *s, double h);

/// Finds the impulses, the velocities at the end, and the correction of positions.
void atemi_step_system_solve(struct atemi_simulation *s, double h);
