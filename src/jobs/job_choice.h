// SPDX-License-Identifier: Apache-2.0

/// @file
/// Which job a scenario is for, from one parse: by its key `job`, or else by the keys at its top.

#pragma once

#include "jobs/job.h"

/// Declares the key `job` of a scenario that a job, by its name, reads. A scenario that names
/// another job has failed.
void atemi_job_choice_read(atemi_scenario_reader *reader, const char *job);

/// The job that the scenario is for; a reader that was asked for nothing yet.
/// @return ATEMI_ERROR_INPUT if none or several fit, with file and line
atemi_status atemi_job_choice_find(atemi_scenario_reader *reader, const atemi_job **job,
                                   atemi_error *error);

/// Adds to the error of a job that refused a scenario which other job has all its keys, if exactly
/// one does.
void atemi_job_choice_hint(const atemi_scenario_reader *reader, const atemi_job *job,
                           atemi_error *error);
