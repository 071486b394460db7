// SPDX-License-Identifier: Apache-2.0

/// @file
/// The job "walk" in three dimensions.

#pragma once

#include "jobs/job.h"
#include "jobs/walk/walk_log.h"

/// Walks as the scenario says, and fills the log's recording with rows, results and the outcome.
atemi_status atemi_biped_run(const atemi_walk_scenario *scenario, atemi_scenario_reader *reader,
                             const atemi_job_hooks *hooks, atemi_walk_log *log, atemi_error *error);

/// A few lines about its recording.
void atemi_biped_summarize(atemi_text *text, const atemi_recording *recording);

/// `atemi init walk ROBOT`.
atemi_status atemi_walk_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error);
