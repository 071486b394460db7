// SPDX-License-Identifier: Apache-2.0

/// @file
/// Projection: held points are brought back onto their constraints where they have drifted.

#pragma once

#include "simulate/world.h"

/// Positions, and positions and velocities, of the state reached, which is what was observed last,
/// before and after.
/// @return whether the state has changed
bool atemi_world_project_positions(atemi_simulation *s);
bool atemi_world_project(atemi_simulation *s);

/// The same at the end of a step, from whose last stage the factor of M is known: as a measure of
/// what is least it is good enough.
void atemi_world_project_step(atemi_simulation *s);
