// SPDX-License-Identifier: Apache-2.0

/// @file
/// The robot of a walk and the way its weight points: the keys robot, base, gravity and slope.

#pragma once

#include "io/scenario/scenario_robot.h"

/// Reads the keys and loads the robot. World axes are those of the floor: x along it, z across it;
/// a slope tilts the weight.
/// @param file  the scenario's, whose folder a robot's file is relative to; or NULL
/// @param robot NULL as its model where the reader has no file
/// @param mark  result: of the robot
/// @return whether it walks in three dimensions: its base floats
bool atemi_walk_read_robot(atemi_scenario_reader *reader, const char *file,
                           atemi_scenario_robot *robot, atemi_scenario_mark *mark);
