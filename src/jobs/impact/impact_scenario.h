// SPDX-License-Identifier: Apache-2.0

/// @file
/// The scenario of the job "impact".

#pragma once

#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_servo.h"
#include "io/scenario/scenario_start.h"
#include "io/scenario/scenario_target.h"

/// The reader refuses more values in a list of the sweep, more rows, and more cases.
enum {
    ATEMI_IMPACT_MAX_VALUES = 100,
    ATEMI_IMPACT_MAX_ROWS = 1000001,
    ATEMI_IMPACT_MAX_CASES = 30000, ///< 30 cells each, of those that a recording's tables may have
};

/// What a sweep varies; a count of 0 leaves the scenario's own value.
typedef struct atemi_impact_sweep {
    bool                given;
    int                 speed_count, mass_count, stiffness_count, posture_count;
    double              speeds[ATEMI_IMPACT_MAX_VALUES];      ///< m/s
    double              masses[ATEMI_IMPACT_MAX_VALUES];      ///< kg, of the target
    double              stiffnesses[ATEMI_IMPACT_MAX_VALUES]; ///< N/m, of its surface
    int                 postures[ATEMI_IMPACT_MAX_VALUES];    ///< of the robot
    int                 direction_count;
    atemi_vec3          directions[ATEMI_IMPACT_MAX_VALUES]; ///< of the blow, unit length
    bool                has_places; ///< of the hand: a grid, counts[k] along axis k
    atemi_vec3          from, to;   ///< its corners, m
    int                 counts[3];
    atemi_scenario_mark mark;
} atemi_impact_sweep;

typedef struct atemi_impact_scenario {
    atemi_scenario_robot    robot;
    atemi_scenario_surfaces surfaces;
    atemi_scenario_contacts contacts;
    atemi_scenario_start    start;
    atemi_scenario_hand     hand;
    atemi_scenario_servo    servo;
    atemi_scenario_target   target;
    atemi_ground            ground; ///< all but its links
    double                  duration;
    atemi_scenario_mark     duration_mark;
    double                  every; ///< a row, s
    bool                    wrenches;
    bool                    full; ///< by full dynamics as well
    double                  full_step;
    atemi_impact_sweep      sweep;
    double                 *posture_q; ///< [sweep.posture_count x q_count] put on the surface
} atemi_impact_scenario;

/// How many cases a sweep has; a double, as it may be refused.
double atemi_impact_sweep_cases(const atemi_impact_sweep *sweep);

/// Reads the scenario. Destroy it, whatever the result.
/// @param file whose folder a robot's file is relative to; or NULL
atemi_status atemi_impact_scenario_read(atemi_scenario_reader *reader, const char *file,
                                        atemi_impact_scenario *scenario, atemi_error *error);

void atemi_impact_scenario_destroy(atemi_impact_scenario *scenario);
