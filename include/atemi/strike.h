// SPDX-License-Identifier: Apache-2.0

/// @file
/// The job "strike": a scenario says robot, feet, hand, target, what is decided and within which
/// limits; the hardest blow that the robot stands is planned (atemi/strike_plan.h), its motion made
/// (atemi/strike_motion.h) and verified by full dynamics (atemi/full_blow.h); a recording is what
/// remains.
///
///     atemi_recording *recording;
///     if (atemi_strike_file("strike.yaml", NULL, &recording, &error)) { ... }
///     puts(atemi_recording_outcome(recording));
///     atemi_recording_destroy(recording);

#pragma once

#include "atemi/job.h"
#include "atemi/recording.h"

ATEMI_BEGIN

/// Runs a scenario. Its robot, where it is a file, is looked for relative to the scenario's folder.
///
/// Where no strike meets all constraints, or the robot does not stand it in the verification, that
/// is no error: the recording says which, and its result "completed" is 0 instead of 1. Stopped by
/// the hooks, the best so far is kept.
///
/// @param hooks     or NULL
/// @param recording the result, to be destroyed; NULL on failure
/// @return what is wrong with the scenario, with line and column; ATEMI_ERROR_FILE where it cannot
///         be read; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_strike_file(const char *path, const atemi_job_hooks *hooks,
                                         atemi_recording **recording, atemi_error *error);

/// The same for a scenario in memory.
/// @param file what errors name, and whose folder a robot's file is relative to; it need not exist.
///             NULL for none, which is the current folder
ATEMI_API atemi_status atemi_strike_text(const char *text, size_t size, const char *file,
                                         const atemi_job_hooks *hooks, atemi_recording **recording,
                                         atemi_error *error);

/// What a planned strike meets in its verification. NaN is what the scenario says.
typedef struct atemi_strike_conditions {
    double friction; ///< of the floor
    double mass;     ///< of the target, kg; infinite for a wall
    double distance; ///< by which the target is farther than planned, m; negative: nearer
} atemi_strike_conditions;

/// All as in the scenario, the target where it was planned to be.
ATEMI_API atemi_strike_conditions atemi_strike_conditions_default(void);

/// Simulates a strike that was planned before by full dynamics, as atemi_strike_file() does after
/// planning: the same motion, the same bits where the conditions are the same.
///
/// @param planned    a recording of this job, also one that was loaded, or was not verified
/// @param conditions NULL for the default
/// @param recording  the result, to be destroyed: the same plan with this verification. Where the
///                   robot falls, that is no error: its outcome says so
/// @return ATEMI_ERROR_INPUT where the recording is not of a strike, or has no feasible one, and
///         for conditions that make no sense; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_strike_verify_recording(const atemi_recording         *planned,
                                                     const atemi_strike_conditions *conditions,
                                                     atemi_recording              **recording,
                                                     atemi_error                   *error);

/// Writes a scenario out with every key, as atemi_simulate_explain().
ATEMI_API atemi_status atemi_strike_explain(const char *path, char **text, atemi_error *error);

ATEMI_END
