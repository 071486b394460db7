// SPDX-License-Identifier: Apache-2.0

/// @file
/// The robot of a scenario: the keys robot, base, gravity, mimic and sites.

#pragma once

#include "atemi/model.h"
#include "atemi/robots.h"
#include "io/scenario/scenario_reader.h"

typedef struct atemi_scenario_robot {
    atemi_model *model; ///< NULL where the reader has no file
    char        *urdf;  ///< the description as it was read; not ended by a zero
    size_t       urdf_size;
    char        *file; ///< that it was read from, absolute; NULL for a shipped robot
} atemi_scenario_robot;

/// Reads the keys and loads the robot, as a tree: closed loops are left open, with a warning.
/// @param file the scenario's, whose folder a robot's file is relative to; or NULL
void atemi_scenario_read_robot(atemi_scenario_reader *reader, const char *file,
                               atemi_scenario_robot *robot);

/// The same with closed loops, for what simulates them.
void atemi_scenario_read_looped_robot(atemi_scenario_reader *reader, const char *file,
                                      atemi_scenario_robot *robot);

/// The same with the description that a recording has, wherever the robot was read from.
void atemi_scenario_read_recorded_robot(atemi_scenario_reader *reader, const char *urdf,
                                        size_t size, atemi_scenario_robot *robot);

/// Loads a robot that was named, a shipped one or a file beside the scenario.
/// @param mark where errors are said to be
void atemi_scenario_load_robot(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                               const char *file, const char *name,
                               const atemi_urdf_options *options, atemi_scenario_robot *robot);

void atemi_scenario_robot_destroy(atemi_scenario_robot *robot);
