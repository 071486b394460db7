// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a robot carries, and what its controller believes of it: the keys payloads and believed.

#pragma once

#include "atemi/control_loop.h"
#include "io/scenario/scenario_robot.h"

/// The reader refuses more payloads.
enum { CONTROL_MAX_PAYLOADS = 100 };

typedef struct control_world {
    atemi_model       *believed; ///< by the controller; NULL: the robot as it is
    int                change_count;
    atemi_model_change changes[CONTROL_MAX_PAYLOADS]; ///< [change_count] its models are its own
} control_world;

/// Reads the keys. Where there are payloads, the robot becomes one with more links: a solid box for
/// each, fixed to the link that carries it; without mass until it is there. The robot believed in
/// has the same links.
void atemi_control_read_world(atemi_scenario_reader *reader, atemi_scenario_robot *robot,
                              control_world *world);

void atemi_control_world_destroy(control_world *world);
