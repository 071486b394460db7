// SPDX-License-Identifier: Apache-2.0

/// @file
/// The attempts of a strike job, and what its user hears meanwhile.

#pragma once

#include "jobs/job.h"
#include "jobs/strike/strike_run.h"

/// Fills the run's attempts.
/// @param reader says where in the scenario a task is wrong
atemi_status atemi_strike_run_attempts(atemi_strike_run *run, const atemi_job_hooks *hooks,
                                       atemi_scenario_reader *reader, atemi_error *error);
