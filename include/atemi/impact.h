// SPDX-License-Identifier: Apache-2.0

/// @file
/// The job "impact": a scenario says robot, posture, hand, speed, servos and target; the blow is
/// estimated (atemi/blow.h), exactly and as [SDC] has it, and on request simulated by full dynamics
/// (atemi/full_blow.h); a recording (atemi/recording.h) is what remains.
///
///     atemi_recording *recording;
///     const atemi_impact_options options = {.full = true};
///     if (atemi_impact_file("punch.yaml", &options, NULL, &recording, &error)) { ... }
///     puts(atemi_recording_outcome(recording));
///     atemi_recording_destroy(recording);
///
/// The keys of the scenario stand in docs/scenarios.md, columns, results and tables in
/// docs/recordings.md. A controller that wants nothing but numbers calls atemi_blow() itself.

#pragma once

#include "atemi/job.h"
#include "atemi/recording.h"

ATEMI_BEGIN

/// What is asked for beside the scenario.
typedef struct atemi_impact_options {
    bool full;  ///< by full dynamics as well, as the key full_dynamics.run
    bool sweep; ///< vary what the key sweep says: a table of all cases
} atemi_impact_options;

/// Runs a scenario. Its robot, where it is a file, is looked for relative to the scenario's folder.
///
/// A hand that moves away from its target is no error: the recording says so, and its result
/// "completed" is 0 instead of 1. So it is where the hooks stop a sweep, which then has the cases
/// until then.
///
/// @param options   or NULL for none of them
/// @param hooks     or NULL
/// @param recording the result, to be destroyed; NULL on failure
/// @return what is wrong with the scenario, with line and column; ATEMI_ERROR_SINGULAR where the
///         robot has no freedom to move the hand; ATEMI_ERROR_FILE; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_impact_file(const char *path, const atemi_impact_options *options,
                                         const atemi_job_hooks *hooks, atemi_recording **recording,
                                         atemi_error *error);

/// The same for a scenario in memory.
/// @param file what errors name, and whose folder a robot's file is relative to; it need not exist.
///             NULL for none, which is the current folder
ATEMI_API atemi_status atemi_impact_text(const char *text, size_t size, const char *file,
                                         const atemi_impact_options *options,
                                         const atemi_job_hooks *hooks, atemi_recording **recording,
                                         atemi_error *error);

/// Writes a scenario out with every key, as atemi_simulate_explain().
ATEMI_API atemi_status atemi_impact_explain(const char *path, char **text, atemi_error *error);

ATEMI_END
