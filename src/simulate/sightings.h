// SPDX-License-Identifier: Apache-2.0

/// @file
/// Sightings: where points are, how they move, and what they see of their surfaces.

#pragma once

#include "simulate/world.h"

/// Looks at all points in the state (q, v).
void atemi_world_observe(atemi_simulation *s, const double *q, const double *v);

/// The same where only velocities are others than when it was observed last.
void atemi_world_observe_velocities(atemi_simulation *s, const double *v);

/// The part of a vector along the surface at a point.
atemi_vec3 atemi_world_along(const atemi_simulation *s, int point, atemi_vec3 vector);

/// How fast a point comes nearer to its surface, and how fast its link slides along it, m/s.
double atemi_world_approach(const atemi_simulation *s, int point);
double atemi_world_slide_speed(const atemi_simulation *s, int point);
