// SPDX-License-Identifier: Apache-2.0

/// @file
/// Breadcrumbs: positions of joints that are taken one a step.

#pragma once

#include "control/coordination_parts.h"

/// Lays the trail out on an arena.
void atemi_trail_take(atemi_arena *arena, const atemi_coordination *c, breadcrumbs *trail);

/// Whether the trail is for just these joints.
bool atemi_trail_is_of(const breadcrumbs *trail, const int *joints, int joint_count);

/// Begins an empty trail.
void atemi_trail_begin(atemi_coordination *c, const int *joints, int joint_count, int goal,
                       atemi_command_source source);

/// Adds breadcrumbs, for which there is room.
void atemi_trail_add(atemi_coordination *c, const double *positions, int count);

/// Takes the next one.
void atemi_trail_advance(atemi_coordination *c);
