// SPDX-License-Identifier: Apache-2.0

/// @file
/// The job "simulate": a scenario says robot, start, torques, surfaces, contacts and duration; the
/// hybrid simulation (atemi/simulation.h) runs it; a recording (atemi/recording.h) is what remains.
///
///     atemi_recording *recording;
///     if (atemi_simulate_file("stand.yaml", NULL, &recording, &error)) { ... }
///     puts(atemi_recording_outcome(recording));
///     atemi_recording_write(recording, "run1", &error);
///     atemi_recording_destroy(recording);
///
/// The keys of the scenario stand in docs/scenarios.md, the columns in docs/recordings.md. The
/// recording is a function of the scenario and the robot's file alone.

#pragma once

#include "atemi/job.h"
#include "atemi/recording.h"

ATEMI_BEGIN

/// Runs a scenario. Its robot, where it is a file, is looked for relative to the scenario's folder.
///
/// A simulation that cannot go on (the contacts jam or contradict each other), or that the hooks
/// stop, is no error: the recording holds what there was until then, its outcome says why it ended,
/// and the result "completed" is 0 instead of 1.
///
/// @param hooks     or NULL
/// @param recording the result, to be destroyed; NULL on failure
/// @return what is wrong with the scenario, with line and column; ATEMI_ERROR_FILE where it cannot
///         be read; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_simulate_file(const char *path, const atemi_job_hooks *hooks,
                                           atemi_recording **recording, atemi_error *error);

/// The same for a scenario in memory.
/// @param file what errors name, and whose folder a robot's file is relative to; it need not exist.
///             NULL for none, which is the current folder
ATEMI_API atemi_status atemi_simulate_text(const char *text, size_t size, const char *file,
                                           const atemi_job_hooks *hooks,
                                           atemi_recording **recording, atemi_error *error);

/// Writes a scenario out: every key with the value in force, and in a comment whether it was given,
/// its default, unit, range and help. It is a scenario again that says the same.
/// @param path or NULL for all keys there are, with their defaults, which is none
/// @param text the result, to be released with atemi_release(); NULL on failure
ATEMI_API atemi_status atemi_simulate_explain(const char *path, char **text, atemi_error *error);

ATEMI_END
