// SPDX-License-Identifier: Apache-2.0

/// @file
/// The options of a joint's control.

#pragma once

#include "atemi/joint_control.h"

/// What atemi_joint_control_start() refuses.
atemi_status atemi_joint_control_options_check(const atemi_joint_control_options *options,
                                               atemi_error                       *error);
