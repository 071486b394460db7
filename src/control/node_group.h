// SPDX-License-Identifier: Apache-2.0

/// @file
/// The nodes of one command: straight paths, inverse kinematics of all of them together, forces.

#pragma once

#include "control/coordination_parts.h"

/// Lays the nodes out on an arena.
void atemi_nodes_take(atemi_arena *arena, const atemi_coordination *c, node_group *g);

/// Takes a command that was checked: nodes under way go on, otherwise joints stop first.
void atemi_nodes_command(atemi_coordination *c, const atemi_node_target *targets, int count,
                         const atemi_node_motion *motion, int goal, atemi_command_source source);

/// Moves the nodes by one step.
void atemi_nodes_advance(atemi_coordination *c);

/// How far the nodes came, as measured.
void atemi_nodes_describe(atemi_coordination *c, atemi_goal_record *record);

/// Marks the joints between the base and a link: they move it.
/// @param allowed [joints] that may be marked; NULL for all
/// @param joints  [joints] marks are added
void atemi_nodes_mark_path(atemi_coordination *c, int link, const bool *allowed, bool *joints);
