// SPDX-License-Identifier: Apache-2.0

/// @file
/// Rails that grippers close on, and how jaws do it: the keys rails and jaws.

#pragma once

#include "atemi/spatial.h"
#include "io/scenario/scenario_reader.h"

/// Where a gripper's frame is when it is closed on the rail.
typedef struct control_rail {
    atemi_transform believed; ///< by whoever commands
    atemi_transform pose;     ///< as it is
} control_rail;

/// Jaws pull the gripper onto the rail, and lock there.
typedef struct control_jaws {
    double force, moment;  ///< N and N m at most
    double stiffness;      ///< N/m
    double turn_stiffness; ///< N m/rad
    double within;         ///< s: they lock until then, or give up
    double distance, turn; ///< m and rad that may be left when they lock
} control_jaws;

typedef struct control_rails {
    int           count;
    const char  **names; ///< [count] live as long as the reader
    control_rail *rails; ///< [count]
    control_jaws  jaws;
} control_rails;

void atemi_control_read_rails(atemi_scenario_reader *reader, control_rails *rails);

/// As names to pick from.
atemi_scenario_names atemi_control_rail_names(const control_rails *rails);

void atemi_control_rails_destroy(control_rails *rails);
