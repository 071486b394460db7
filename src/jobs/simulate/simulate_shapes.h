// SPDX-License-Identifier: Apache-2.0

/// @file
/// The shapes of a simulation: the keys `contacts: shapes` and `shapes`, and the collision
/// geometries of the robot and the bodies.

#pragma once

#include "atemi/robots.h"
#include "atemi/simulation.h"
#include "io/scenario/scenario_bodies.h"

typedef struct atemi_simulate_shapes {
    bool                    touch; ///< they do
    atemi_scenario_mark     mark;
    atemi_simulation_shapes shapes;
    atemi_robot_shapes      loaded;
    atemi_link_pair        *excluded;
} atemi_simulate_shapes;

/// Whether `contacts` is the word shapes, which is read then.
bool atemi_simulate_shapes_wanted(atemi_scenario_reader *reader, atemi_simulate_shapes *shapes);

/// Reads the key `shapes`, and finds all shapes where they touch.
void atemi_simulate_shapes_read(atemi_scenario_reader *reader, const atemi_model *model,
                                const atemi_scenario_bodies *bodies, atemi_simulate_shapes *shapes);

/// Refuses shapes that the method of the options does not know.
void atemi_simulate_shapes_check(atemi_scenario_reader *reader, const atemi_model *model,
                                 const atemi_simulation_options *options,
                                 const atemi_simulate_shapes    *shapes);

void atemi_simulate_shapes_destroy(atemi_simulate_shapes *shapes);
