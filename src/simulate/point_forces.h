// SPDX-License-Identifier: Apache-2.0

/// @file
/// From the forces of contacts to those of points.

#pragma once

#include "simulate/world.h"

/// Hands the forces of the contacts out to their points.
void atemi_point_forces_find(atemi_simulation *s);

/// The force on a point along its surface's normal.
double atemi_world_normal_force(const atemi_simulation *s, int point);
