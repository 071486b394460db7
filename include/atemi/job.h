// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer jobs. Jobs: a scenario (YAML) in, a recording (atemi/recording.h) out.
///
///     atemi_recording *recording;
///     if (atemi_job_run("strike", "strike.yaml", NULL, &recording, &error)) { ... }
///     puts(atemi_recording_outcome(recording));
///     atemi_recording_write(recording, "run1", &error);
///     atemi_recording_destroy(recording);
///
/// The registry (src/jobs/registry.c) lists all jobs; the command, Python, the docs, the fuzzers
/// and the tests read it. docs/scenarios.md has the keys of the scenarios, docs/recordings.md the
/// columns, results and tables of the recordings. A recording depends on the scenario, the robot's
/// file and the flags alone.

#pragma once

#include "atemi/recording.h"

#include <stdbool.h>

ATEMI_BEGIN

// ---- The registry

/// How many jobs there are.
ATEMI_API int atemi_job_count(void);

/// The name of a job, which is also its subcommand, and one line about it. NULL with a broken
/// contract if there is no such index.
ATEMI_API const char *atemi_job_name(int index);
ATEMI_API const char *atemi_job_summary(int index);

/// The flag of a job by its name, for atemi_job_options; 0 if the job has no such flag.
ATEMI_API unsigned atemi_job_flag(const char *job, const char *flag);

/// The job that a scenario is for: the one that its key `job` names, or else the only one that
/// takes all its keys. The file is parsed once, and nothing is run.
/// @param job the name, static
/// @return ATEMI_ERROR_INPUT if no job or several jobs fit, with file, line and what to do
ATEMI_API atemi_status atemi_job_of_scenario(const char *path, const char **job,
                                             atemi_error *error);

// ---- Running

/// What a job asks its user for. NULL in place of a function is no interest.
typedef struct atemi_job_hooks {
    /// Hears how much is done, from 0 to 1, in the thread of the job and many times a second.
    /// @return false to stop early: the job then ends in good order with what it has so far, and
    ///         its outcome says so
    bool (*progress)(void *context, double done);
    void *context;
    /// Hears how things stand, such as "480 N, all constraints met", before `progress`.
    void (*tell)(void *context, const char *text);
    /// Where the rows of a job that may be long (simulate, control, walk) go as they come, as
    /// atemi_recording_stream_to() has it, for the atemi_recording_write() to the same folder that
    /// ends it; NULL for memory.
    const char *folder;
    int         threads; ///< of a job that can use several (strike, a sweep of impact); 0 for what
                         ///< its scenario says, or the processors
    /// Hears of the recording of such a job before its first row. It says which robot and scenario
    /// it is of, with the outcome "under way", and grows until the job ends; read it in `progress`,
    /// and never afterwards.
    void (*begun)(void *context, const atemi_recording *recording);
} atemi_job_hooks;

/// The flags of the job impact.
enum {
    ATEMI_IMPACT_BY_FULL_DYNAMICS = 1 << 0, ///< as well, like the key full_dynamics.run
    ATEMI_IMPACT_SWEEP = 1 << 1,            ///< vary what the key sweep says: a table of all cases
};

/// What is asked for beside the scenario; all zero for nothing.
typedef struct atemi_job_options {
    unsigned        flags; ///< of the job
    atemi_job_hooks hooks;
} atemi_job_options;

/// Runs a scenario. If its robot is a file, the path is relative to the scenario's folder.
///
/// A job that does not work out (the robot falls, no strike meets all constraints, contacts jam, a
/// task cannot be done), or that the hooks stop, is no error: the recording holds what there was
/// until then, its outcome says why it ended, and its result "completed" is 0 instead of 1.
///
/// @param job       its name; NULL for the job that the scenario is for, as atemi_job_of_scenario()
/// @param options   or NULL
/// @param recording the result, to be destroyed; NULL on failure
/// @return what is wrong with the scenario, with file, line and column; ATEMI_ERROR_NOT_FOUND for a
///         job that does not exist; ATEMI_ERROR_SINGULAR if a hand has no freedom to move;
///         ATEMI_ERROR_FILE if a file cannot be read; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_job_run(const char *job, const char *path,
                                     const atemi_job_options *options, atemi_recording **recording,
                                     atemi_error *error);

/// The same for a scenario in memory.
/// @param file what errors name, and whose folder a robot's file is relative to; it need not exist.
///             NULL for none, which is the current folder
ATEMI_API atemi_status atemi_job_run_text(const char *job, const char *text, size_t size,
                                          const char *file, const atemi_job_options *options,
                                          atemi_recording **recording, atemi_error *error);

/// Writes a scenario out: every key with the value in force, and in a comment whether it was given,
/// its default, unit, range and help. It is a scenario again that says the same.
/// @param job  its name; NULL for the job that the scenario is for
/// @param path or NULL for all keys of the job, with their defaults
/// @param text the result, to be released with atemi_release(); NULL on failure
ATEMI_API atemi_status atemi_job_explain(const char *job, const char *path, char **text,
                                         atemi_error *error);

/// What a scenario is to be written for. Start from atemi_job_wish_default().
typedef struct atemi_job_wish {
    const atemi_model *model;
    const char        *robot;   ///< as the scenario names it
    const char        *feet[2]; ///< links or sites by name; NULL: found
    const char        *hand;    ///< likewise
    double             sole[2]; ///< side lengths, m; 0: found
    double             height;  ///< of the target above the floor, m; NaN: chosen
    double             mass;    ///< of the target, kg; NaN: chosen
    bool               stands;  ///< for control: on its feet, which are not held
} atemi_job_wish;

/// Everything found and chosen; model and robot are missing.
ATEMI_API atemi_job_wish atemi_job_wish_default(void);

/// Writes a scenario for a robot that runs as it is, with comments.
/// @param job  its name
/// @param text the result, to be released with atemi_release(); NULL on failure
/// @return ATEMI_ERROR_NOT_FOUND for a job that does not exist, ATEMI_ERROR_INPUT for one without
///         such a scenario, and what the robot lacks for it
ATEMI_API atemi_status atemi_job_init(const char *job, const atemi_job_wish *wish, char **text,
                                      atemi_error *error);

// ---- Verifying a strike again

/// What a planned strike meets in its verification. NaN is what the scenario says.
typedef struct atemi_strike_conditions {
    double friction; ///< of the floor
    double mass;     ///< of the target, kg; infinite for a wall
    double distance; ///< by which the target is farther than planned, m; negative: nearer
} atemi_strike_conditions;

/// All as in the scenario, the target where it was planned to be.
ATEMI_API atemi_strike_conditions atemi_strike_conditions_default(void);

/// Simulates a strike that was planned before by full dynamics, as the job strike does after
/// planning: the same motion, the same bits where the conditions are the same.
///
/// @param planned    a recording of the job strike, also one that was loaded, or was not verified
/// @param conditions NULL for the default
/// @param recording  the result, to be destroyed: the same plan with this verification. Where the
///                   robot falls, that is no error: its outcome says so
/// @return ATEMI_ERROR_INPUT where the recording is not of a strike, or has no feasible one, and
///         for conditions that make no sense; ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_strike_verify_recording(const atemi_recording         *planned,
                                                     const atemi_strike_conditions *conditions,
                                                     atemi_recording              **recording,
                                                     atemi_error                   *error);

ATEMI_END
