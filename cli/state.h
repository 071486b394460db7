// SPDX-License-Identifier: Apache-2.0

/// @file
/// The state of a robot, read from a JSON file. docs/command.md describes the format.

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

#include <stddef.h>

typedef struct robot_state {
    double      *q;           ///< [q_count]
    double      *v, *a, *tau; ///< [v_count] each
    atemi_force *external;    ///< [link_count]
} robot_state;

/// Lays the state out on an arena.
robot_state state_take(atemi_arena *arena, const atemi_model *model);

/// Reads a state from a text, which `name` stands for in messages. Quaternions come out normalized,
/// with a warning on stderr where they were not.
atemi_status state_parse(const char *text, size_t size, const char *name, const atemi_model *model,
                         robot_state *state, atemi_error *error);

/// The same from a file; `path` may be "-" for standard input.
atemi_status state_read(const char *path, const atemi_model *model, robot_state *state,
                        atemi_error *error);
