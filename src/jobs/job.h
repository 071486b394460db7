// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the jobs of atemi share: from a scenario to a recording or to an explanation, and how a job
/// talks to its hooks.

#pragma once

#include "atemi/job.h"
#include "atemi/recording.h"
#include "io/scenario/scenario_contacts.h"
#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_surfaces.h"

/// A kind of job.
typedef struct atemi_job {
    /// Reads a scenario and does what it says.
    /// @param file      the scenario's, whose folder a robot's file is relative to; or NULL
    /// @param options   of the job, beside the scenario; or NULL
    /// @param recording the result, NULL beforehand
    atemi_status (*run)(atemi_scenario_reader *reader, const char *file, const void *options,
                        const atemi_job_hooks *hooks, atemi_recording **recording,
                        atemi_error *error);
    /// Reads a scenario only.
    atemi_status (*read)(atemi_scenario_reader *reader, const char *file, atemi_error *error);
    /// What its recordings show over time (jobs/plots.h), ended by NULL; or NULL.
    const atemi_recorded_plot *const *plots;
} atemi_job;

/// Runs the scenario of a file, or of a text. The recording has the warnings of the scenario; where
/// a number that it promises is not finite, the job has failed (io/job_numbers.h); where a contract
/// is broken meanwhile, there is none, and the result is ATEMI_ERROR_CONTRACT.
atemi_status atemi_job_run_file(const atemi_job *job, const char *path, const void *options,
                                const atemi_job_hooks *hooks, atemi_recording **recording,
                                atemi_error *error);
atemi_status atemi_job_run_text(const atemi_job *job, const char *text, size_t size,
                                const char *file, const void *options, const atemi_job_hooks *hooks,
                                atemi_recording **recording, atemi_error *error);

/// Writes a scenario out with all its keys.
/// @param path or NULL for none
/// @param text the result, to be released
atemi_status atemi_job_explain(const atemi_job *job, const char *path, char **text,
                               atemi_error *error);

/// Says where the rows of an empty recording go: into memory, or to the folder of the hooks. Warns
/// where they take more than 200 MB: to be said before a long run.
/// @param rows about how many there will be, NaN if nobody knows
atemi_status atemi_job_expect_rows(const atemi_job_hooks *hooks, atemi_recording *recording,
                                   double rows, atemi_error *error);

/// Adds results to a recording; what is not finite is not known.
atemi_status atemi_job_add_results(atemi_recording *recording, const atemi_recorded_value *values,
                                   size_t count, atemi_error *error);

/// Adds surfaces to a recording: those that a contact may touch, or all without `contacts`.
atemi_status atemi_job_add_surfaces(atemi_recording               *recording,
                                    const atemi_scenario_surfaces *surfaces,
                                    const atemi_scenario_contacts *contacts, atemi_error *error);

/// Says what a recording is of, with the scenario that was read.
atemi_status atemi_job_describe(atemi_recording *recording, const atemi_scenario_reader *reader,
                                const atemi_scenario_robot *robot, const char *name,
                                const char *outcome, atemi_error *error);

/// Tells how much is done, 0 to 1.
/// @return whether the job goes on
bool atemi_job_goes_on(const atemi_job_hooks *hooks, double done);

/// Tells how things stand.
void atemi_job_tell(const atemi_job_hooks *hooks, const char *format, ...) ATEMI_PRINTF(2, 3);
