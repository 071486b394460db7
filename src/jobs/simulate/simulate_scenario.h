// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a scenario asks the job "simulate" for, in plain structs.

#pragma once

#include "io/scenario/scenario_bodies.h"
#include "io/scenario/scenario_contacts.h"
#include "io/scenario/scenario_forces.h"
#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_start.h"
#include "io/scenario/scenario_surfaces.h"
#include "io/scenario/scenario_torques.h"
#include "jobs/simulate/simulate_loops.h"
#include "jobs/simulate/simulate_shapes.h"
#include "jobs/simulate/simulate_stop.h"

typedef struct atemi_simulate_scenario {
    atemi_scenario_robot     robot; ///< with the bodies, where there are some
    atemi_scenario_bodies    bodies;
    atemi_simulate_loops     loops;
    atemi_simulate_shapes    shapes;
    atemi_scenario_surfaces  surfaces;
    atemi_scenario_contacts  contacts;
    atemi_scenario_start     start;
    atemi_scenario_torques   torques;
    atemi_scenario_forces    forces;
    atemi_simulation_options options;
    double                   duration; ///< s
    atemi_scenario_mark      duration_mark;
    atemi_stops              stops;
    double                   every;    ///< s; between two rows
    bool                     wrenches; ///< are recorded
} atemi_simulate_scenario;

/// Reads all keys and finishes the reader, of which strings and marks remain in use.
/// @param file     the scenario's, for the robot's; or NULL
/// @param scenario to be destroyed, whatever the result
atemi_status atemi_simulate_scenario_read(atemi_scenario_reader *reader, const char *file,
                                          atemi_simulate_scenario *scenario, atemi_error *error);

void atemi_simulate_scenario_destroy(atemi_simulate_scenario *scenario);
