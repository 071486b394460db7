// SPDX-License-Identifier: Apache-2.0

/// @file
/// The bodies of a scenario: the key bodies, free or fixed things and further robots around the
/// robot, in one model with it.

#pragma once

#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_start.h"

/// What a body is made of where it touches; negative: as all shapes.
typedef struct atemi_scenario_body_touch {
    const char *link;
    double      friction, restitution;
} atemi_scenario_body_touch;

typedef struct atemi_scenario_bodies {
    int                        count;
    atemi_scenario_robot      *robots;  ///< [count] of bodies that are robots
    atemi_scenario_body_touch *touches; ///< [count]
} atemi_scenario_bodies;

/// Reads the key. With bodies, the robot becomes the scene of the robot and them, and the start
/// that of all.
/// @param file the scenario's, or NULL
void atemi_scenario_read_bodies(atemi_scenario_reader *reader, const char *file,
                                atemi_scenario_robot *robot, atemi_scenario_start *start,
                                atemi_scenario_bodies *bodies);

void atemi_scenario_bodies_destroy(atemi_scenario_bodies *bodies);
