// SPDX-License-Identifier: Apache-2.0

/// @file
/// The scenario of the job "strike".

#pragma once

#include "atemi/strike_plan.h"
#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_servo.h"
#include "io/scenario/scenario_target.h"

typedef struct atemi_strike_scenario {
    atemi_scenario_robot  robot;
    double               *q; ///< [q_count] joints that are not decided
    atemi_scenario_hand   hand;
    atemi_scenario_servo  servo;
    atemi_scenario_target target;
    int                   feet[ATEMI_STRIKE_MAX_FEET]; ///< sites
    int                   joints[ATEMI_STRIKE_MAX_VARIABLES];
    atemi_strike_range    joint_ranges[ATEMI_STRIKE_MAX_VARIABLES];
    atemi_strike_task     task; ///< refers to all that
    atemi_scenario_mark   mark; ///< of what is decided
    int                   starts, patience, seed, searches, iterations, threads;
    double                budget; ///< s
    bool                  verify;
    int                   attempts;          ///< of planning and verification, at most
    double                friction;          ///< of the floor where the motion is verified
    int                   draws, full_draws; ///< of what is in doubt
    double                step;              ///< of the motion, s
} atemi_strike_scenario;

/// Reads the scenario, which stays where it is. Destroy it, whatever the result.
/// @param file whose folder a robot's file is relative to; or NULL
atemi_status atemi_strike_scenario_read(atemi_scenario_reader *reader, const char *file,
                                        atemi_strike_scenario *scenario, atemi_error *error);

/// The same for a scenario that was recorded, with the robot's description beside it.
atemi_status atemi_strike_scenario_read_recorded(atemi_scenario_reader *reader, const char *urdf,
                                                 size_t size, atemi_strike_scenario *scenario,
                                                 atemi_error *error);

void atemi_strike_scenario_destroy(atemi_strike_scenario *scenario);
