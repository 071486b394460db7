// SPDX-License-Identifier: Apache-2.0

/// @file
/// Rails that grippers close on, and how jaws do it: the keys rails and jaws.

#pragma once

#include "atemi/control_loop.h"
#include "io/scenario/scenario_reader.h"

/// Where a gripper's frame is when it is closed on a rail: as whoever commands believes, and as it
/// is.
typedef struct control_rails {
    int              count;
    const char     **names;            ///< [count] live as long as the reader
    atemi_transform *believed, *poses; ///< [count]
    atemi_jaws       jaws;
} control_rails;

void atemi_control_read_rails(atemi_scenario_reader *reader, control_rails *rails);

/// As names to pick from.
atemi_scenario_names atemi_control_rail_names(const control_rails *rails);

void atemi_control_rails_destroy(control_rails *rails);
