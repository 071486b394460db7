// SPDX-License-Identifier: Apache-2.0

/// @file
/// The impulses of a step: the system of all points near their surfaces, joints near their stops
/// and joints that rub, and its solution.

#pragma once

#include "simulate/steps/time_step.h"

/// Gathers the rows at the middle of a step of h, from the velocities at its end without impulses.
/// @param again the same step was solved before, and its impulses are the guess
void atemi_step_system_gather(struct atemi_simulation *s, double h, bool again);

/// Finds the impulses and the velocities at the end.
void atemi_step_system_solve(struct atemi_simulation *s, double h);

/// Then the correction of positions.
void atemi_step_system_lift(struct atemi_simulation *s, double h);

/// Whether impulses or correction take joints beyond stops that were out of reach without them.
/// Those are within reach from now on, and the system is to be gathered and solved again.
bool atemi_step_system_throws(struct atemi_simulation *s, double h);
