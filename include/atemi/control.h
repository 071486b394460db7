// SPDX-License-Identifier: Apache-2.0

/// @file
/// The job "control": a scenario says robot, what holds it, how its joints are controlled, who and
/// what is beside it and what it is to do; Multi-Loop control (atemi/joint_control.h) and
/// coordination (atemi/coordination.h) do it on a simulated robot (atemi/control_plant.h); a
/// recording is what remains.
///
///     atemi_recording *recording;
///     if (atemi_control_file("reach.yaml", NULL, &recording, &error)) { ... }
///     puts(atemi_recording_outcome(recording));
///     atemi_recording_destroy(recording);

#pragma once

#include "atemi/job.h"
#include "atemi/recording.h"

ATEMI_BEGIN

/// Runs a scenario. Its robot, where it is a file, is looked for relative to the scenario's folder.
///
/// Where a task cannot be done, a gripper does not close or a joint stops safely, that is no error:
/// the recording says so, and its result "completed" is 0 instead of 1. Stopped by the hooks, what
/// there is until then is kept.
///
/// @param hooks     or NULL
/// @param recording the result, to be destroyed; NULL on failure
/// @return what is wrong with the scenario, with line and column; ATEMI_ERROR_FILE where it cannot
///         be read; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_control_file(const char *path, const atemi_job_hooks *hooks,
                                          atemi_recording **recording, atemi_error *error);

/// The same for a scenario in memory.
/// @param file what errors name, and whose folder a robot's file is relative to; it need not exist.
///             NULL for none, which is the current folder
ATEMI_API atemi_status atemi_control_text(const char *text, size_t size, const char *file,
                                          const atemi_job_hooks *hooks, atemi_recording **recording,
                                          atemi_error *error);

/// Writes a scenario out with every key, as atemi_simulate_explain().
ATEMI_API atemi_status atemi_control_explain(const char *path, char **text, atemi_error *error);

ATEMI_END
