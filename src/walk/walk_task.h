// SPDX-License-Identifier: Apache-2.0

/// @file
/// The task of a walk: floor and external forces.

#pragma once

#include "atemi/walk.h"

atemi_status atemi_walk_task_check(const atemi_walk_task *task, const atemi_model *model,
                                   atemi_error *error);

/// The friction of the floor at x.
double atemi_walk_task_friction(const atemi_walk_task *task, double x);
