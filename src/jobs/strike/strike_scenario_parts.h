// SPDX-License-Identifier: Apache-2.0

/// @file
/// Parts of the scenario of the job "strike"; the robot is read before them.

#pragma once

#include "jobs/strike/strike_scenario.h"

/// What is decided: ranges of the feet, the joints and the motion. Feet are read before.
void atemi_strike_read_decisions(atemi_scenario_reader *reader, atemi_strike_scenario *scenario);

/// Where hands hit. The hand is read before.
void atemi_strike_read_hits(atemi_scenario_reader *reader, atemi_strike_scenario *scenario);

/// What is asked of a strike: its objective, its constraints, and how far off things may be.
void atemi_strike_read_demands(atemi_scenario_reader *reader, atemi_strike_task *task);
