// SPDX-License-Identifier: Apache-2.0

/// @file
/// What all commands are checked for: who may command (the mode arbiter), joints and poses.

#pragma once

#include "control/coordination_parts.h"

/// Whether the source may change settings now.
atemi_status atemi_command_check_source(const atemi_coordination *c, atemi_command_source source,
                                        atemi_error *error);

/// Whether the source may begin a motion now, and whether there can be one.
atemi_status atemi_command_check_motion(const atemi_coordination *c, atemi_command_source source,
                                        atemi_error *error);

/// Whether there is such a joint.
atemi_status atemi_command_check_joint(const atemi_coordination *c, int joint, atemi_error *error);

/// Whether the pose is finite and its rotation one.
bool atemi_command_is_pose(const atemi_transform *pose);
