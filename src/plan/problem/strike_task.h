// SPDX-License-Identifier: Apache-2.0

/// @file
/// Tasks that make sense.

#pragma once

#include "atemi/strike_plan.h"

/// Refuses a task that makes no sense; the message names the field, the joint or the site.
atemi_status strike_task_check(const atemi_strike_task *task, atemi_error *error);
