// SPDX-License-Identifier: Apache-2.0

/// @file
/// The scenario of the job "walk". docs/scenarios.md explains the keys.

#pragma once

#include "atemi/walk.h"
#include "io/scenario/scenario_forces.h"
#include "io/scenario/scenario_robot.h"

typedef struct atemi_walk_scenario {
    atemi_scenario_robot robot;
    atemi_walk_task      task;
    double               distance; ///< after which it ends, m; infinite where steps count
    double               every;    ///< between rows, s
    atemi_floor_patch   *patches;  ///< of the task

    atemi_scenario_forces forces; ///< of the task
} atemi_walk_scenario;

/// Reads all keys and loads the robot. Destroy the scenario, whatever the result.
atemi_status atemi_walk_scenario_read(atemi_scenario_reader *reader, const char *file,
                                      atemi_walk_scenario *scenario, atemi_error *error);
void         atemi_walk_scenario_destroy(atemi_walk_scenario *scenario);
