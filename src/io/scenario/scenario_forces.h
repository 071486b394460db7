// SPDX-License-Identifier: Apache-2.0

/// @file
/// External forces on a robot, each for some time: the key forces.

#pragma once

#include "atemi/simulation.h"
#include "io/scenario/scenario_reader.h"

typedef struct atemi_scenario_forces {
    int                  count;
    atemi_timed_force   *forces; ///< [count]
    atemi_scenario_mark *marks;  ///< [count] of their times
} atemi_scenario_forces;

/// @param model NULL where the reader has no file
void atemi_scenario_read_forces(atemi_scenario_reader *reader, const atemi_model *model,
                                atemi_scenario_forces *forces);

/// Warns of forces that never act: since they begin when all is over, or end before it begins.
/// @param end s, when the job ends
void atemi_scenario_check_forces(atemi_scenario_reader *reader, const atemi_scenario_forces *forces,
                                 double end);

/// The same for one thing that is there from a time until another.
/// @param what it is, such as "the force"
void atemi_scenario_check_times(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                const char *what, double from, double until, double end);

void atemi_scenario_forces_destroy(atemi_scenario_forces *forces);
