// SPDX-License-Identifier: Apache-2.0

/// @file
/// How the log of goals is written.

#pragma once

#include "atemi/coordination.h"

/// An empty log over the caller's memory, which is cleared.
atemi_goal_log atemi_goal_log_over(atemi_goal_record *records, int capacity);

/// Enters a goal.
/// @return its id
int atemi_goal_log_begin(atemi_goal_log *log, atemi_goal_motion motion, atemi_command_source source,
                         double time);
