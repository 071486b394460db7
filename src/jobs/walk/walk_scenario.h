// SPDX-License-Identifier: Apache-2.0

/// @file
/// The scenario of the job "walk". docs/scenarios.md explains the keys.

#pragma once

#include "atemi/biped.h"
#include "atemi/walk.h"
#include "io/scenario/scenario_forces.h"
#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_surfaces.h"

typedef struct atemi_walk_scenario {
    atemi_scenario_robot robot;
    bool                 floats; ///< it walks in three dimensions, by the biped's task
    atemi_walk_task      task;
    atemi_biped_task     biped;
    double               sole[2];  ///< side lengths, m; 0: found
    double               distance; ///< after which it ends, m; infinite where steps count
    double               every;    ///< between rows, s
    atemi_floor_patch   *patches;  ///< of the task

    atemi_scenario_forces forces; ///< of the task

    // In three dimensions
    atemi_scenario_surfaces surfaces; ///< the floor
    atemi_biped_order      *orders;   ///< of the task
    atemi_scenario_mark    *order_marks;
    atemi_biped_footstep   *footsteps; ///< likewise
    atemi_scenario_mark    *footstep_marks;
    atemi_scenario_mark     localization; ///< where it is given
    double                 *efforts;      ///< likewise
    atemi_model            *believed;     ///< likewise
} atemi_walk_scenario;

/// Reads all keys and loads the robot. Destroy the scenario, whatever the result.
atemi_status atemi_walk_scenario_read(atemi_scenario_reader *reader, const char *file,
                                      atemi_walk_scenario *scenario, atemi_error *error);

/// Reads the keys of a walk in three dimensions: stride, faults, sole, surfaces, payloads and
/// believed. The robot then carries the payloads.
void atemi_biped_scenario_read(atemi_scenario_reader *reader, atemi_walk_scenario *scenario);

/// Warns of commands that never hold.
/// @param end s, when the walk ended
void atemi_biped_scenario_check(atemi_scenario_reader *reader, const atemi_walk_scenario *scenario,
                                double end);

/// Reads the key footsteps of the gait. Surfaces are read.
void atemi_biped_footsteps_read(atemi_scenario_reader *reader, atemi_walk_scenario *scenario);

/// Refuses footsteps that the robot cannot make, with line and column.
atemi_status atemi_biped_footsteps_check(atemi_scenario_reader     *reader,
                                         const atemi_walk_scenario *scenario, atemi_error *error);

/// Reads the keys payloads and believed.
void atemi_biped_world_read(atemi_scenario_reader *reader, atemi_walk_scenario *scenario);

/// What the scenario says of the robot's parts.
atemi_humanoid_options atemi_biped_scenario_parts(const atemi_walk_scenario *scenario);

void atemi_walk_scenario_destroy(atemi_walk_scenario *scenario);
