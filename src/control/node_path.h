// SPDX-License-Identifier: Apache-2.0

/// @file
/// The path of a node through space: seven trapezoidal profiles, of its position and of its
/// quaternion, which is normalized at every point ([R2] III-A).

#pragma once

#include "control/coordination_parts.h"

/// A node at rest, with its frame here.
void atemi_node_path_rest(const atemi_transform *pose, guided_node *node);

/// What is asked of the seven axes from where the node is now.
void atemi_node_path_tasks(guided_node *node, const atemi_node_motion *motion,
                           atemi_trapezoid_task tasks[PATH_AXES]);

/// Moves the node to a time of its path.
void atemi_node_path_advance(guided_node *node, double time);

/// Where the node shall be now, with what its force axes added.
atemi_transform atemi_node_path_pose(const guided_node *node);
