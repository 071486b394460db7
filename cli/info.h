// SPDX-License-Identifier: Apache-2.0

/// @file
/// What `atemi info` finds out about a robot.

#pragma once

#include "dynamics_check.h"
#include "robot_source.h"

#include "atemi/data.h"
#include "atemi/kinematics.h"

typedef struct robot_info {
    const atemi_model *model;
    const char        *source;      ///< as the user named it
    const char        *base_reason; ///< why it has this base
    const char        *posture;     ///< what the figures below are for: "neutral" or a name
    double            *q;           ///< [q_count] of the posture
    atemi_data        *data;        ///< at q
    bool              *moving;      ///< [link_count] as of robot_mark_moving()
    atemi_inertia      body;        ///< all that moves as one rigid body, in world axes
    dynamics_check     check;
    bool               passed; ///< the check
} robot_info;

/// Prints it for people.
void info_print_text(const robot_info *info);
