// SPDX-License-Identifier: Apache-2.0

/// @file
/// The task of a walk: floor and pushes.

#pragma once

#include "atemi/walk.h"

atemi_status atemi_walk_task_check(const atemi_walk_task *task, const atemi_model *model,
                                   atemi_error *error);

/// The friction of the floor at x.
double atemi_walk_task_friction(const atemi_walk_task *task, double x);

/// Whether somebody pushes at a time.
bool atemi_walk_task_is_pushed(const atemi_walk_task *task, double time);

/// Adds the pushes at a time to the forces on the links.
void atemi_walk_task_push(const atemi_walk_task *task, double time, atemi_force *forces);

/// The first instant after a time at which a push begins or ends, or infinity.
double atemi_walk_task_next_jump(const atemi_walk_task *task, double time);
