// SPDX-License-Identifier: Apache-2.0

/// @file
/// The closed loops of a simulation: the key `loops`, beside those of the robot's file.

#pragma once

#include "atemi/simulation.h"
#include "io/scenario/scenario_start.h"

typedef struct atemi_simulate_loops {
    int         count;
    atemi_loop *loops; ///< [count]
} atemi_simulate_loops;

/// Reads the key.
/// @param model with the bodies; NULL where the reader has no file
/// @param start where what a loop leaves open on its second link is as on the first
void atemi_simulate_loops_read(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_scenario_start *start, atemi_simulate_loops *loops);

void atemi_simulate_loops_destroy(atemi_simulate_loops *loops);
