// SPDX-License-Identifier: Apache-2.0

/// @file
/// What of a command is taken.

#pragma once

#include "atemi/joint_control.h"

/// Takes a command, clipped to the limits, or leaves the one before where it is unfit. The
/// control's `command_faults` say so.
void atemi_joint_command_take(atemi_joint_control *control, const atemi_joint_command *command);
