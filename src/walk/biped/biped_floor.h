// SPDX-License-Identifier: Apache-2.0

/// @file
/// The floor that a biped's soles are on.

#pragma once

#include "atemi/biped.h"

/// The corners of the soles, as points of a simulation whose only surface is the floor.
void biped_floor_points(const atemi_humanoid *humanoid, double friction,
                        atemi_simulation_point points[ATEMI_BIPED_POINTS]);

/// The friction of the floor at a place: that of the last patch there, or the floor's.
double biped_floor_friction(const atemi_biped_task *task, atemi_vec3 place);

/// Gives the points the friction of where they are.
atemi_status biped_floor_lay(const atemi_biped_task *task, atemi_simulation *simulation,
                             atemi_error *error);
