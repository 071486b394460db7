// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a scenario asks the job "control" for, in plain structs.

#pragma once

#include "io/scenario/scenario_contacts.h"
#include "io/scenario/scenario_forces.h"
#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_start.h"
#include "jobs/control/control_faults.h"
#include "jobs/control/control_holds.h"
#include "jobs/control/control_people.h"
#include "jobs/control/control_tasks.h"
#include "jobs/control/control_world.h"

/// A load cell in a joint, in which taps are felt.
typedef struct control_cell {
    int    joint;     ///< of the model, or ATEMI_NONE
    double threshold; ///< N, of a change that is a tap
} control_cell;

typedef struct control_scenario {
    atemi_scenario_robot         robot; ///< as it is at first
    control_world                world;
    control_faults               faults;
    atemi_scenario_surfaces      surfaces;
    atemi_scenario_contacts      contacts;
    atemi_scenario_start         start;
    control_holds                holds;
    double                       ground_depth, ground_time, ground_friction; ///< of the loop
    control_rails                rails;
    control_people               people;
    atemi_scenario_forces        forces;
    control_cell                 cell;
    atemi_coordinated_joint     *joints;   ///< [joints]
    atemi_joint_plant_options   *plants;   ///< [joints]
    atemi_joint_control_options *controls; ///< [joints]
    uint64_t                     seed;     ///< of sensors and faults
    bool                         joint_friction;
    double                       brake_time;  ///< s
    atemi_scenario_mark          joints_mark; ///< for what is wrong with them
    atemi_coordination_options   coordination;
    control_tasks                tasks;
    double                       offload;         ///< of the weight at the beginning
    double                       duration, every; ///< s
} control_scenario;

/// Reads all keys and finishes the reader, of which strings and marks remain in use.
/// @param file     the scenario's, for the robot's; or NULL
/// @param scenario to be destroyed, whatever the result
atemi_status atemi_control_scenario_read(atemi_scenario_reader *reader, const char *file,
                                         control_scenario *scenario, atemi_error *error);

/// The robot as its controller believes it to be.
const atemi_model *atemi_control_scenario_believed(const control_scenario *scenario);

void atemi_control_scenario_destroy(control_scenario *scenario);
