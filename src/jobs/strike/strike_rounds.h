// SPDX-License-Identifier: Apache-2.0

/// @file
/// Planning and verification of a strike, round by round: where feet lift or slip by full dynamics,
/// it is planned again with more room for them.

#pragma once

#include "jobs/job.h"
#include "jobs/strike/strike_run.h"

/// Fills the run's round, with the first whose feet hold, or the hardest of those whose robot
/// stands.
/// @param reader says where in the scenario a task is wrong
atemi_status atemi_strike_rounds(atemi_strike_run *run, const atemi_job_hooks *hooks,
                                 atemi_scenario_reader *reader, atemi_error *error);

void atemi_strike_round_destroy(atemi_strike_round *round);
