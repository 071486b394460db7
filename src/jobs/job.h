// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a job is made of, and what the jobs share on the way from a scenario to a recording.

#pragma once

#include "atemi/job.h"
#include "atemi/recording.h"
#include "io/bytes/text.h"
#include "io/scenario/scenario_contacts.h"
#include "io/scenario/scenario_robot.h"
#include "io/scenario/scenario_surfaces.h"
#include "jobs/columns.h"
#include "jobs/job_story.h"

/// Something a job can be asked for beside its scenario: an option of its subcommand.
typedef struct atemi_job_switch {
    const char *name, *help;
} atemi_job_switch;

/// What a scenario can be wished to have, beside its robot.
enum {
    ATEMI_WISH_FEET = 1,
    ATEMI_WISH_HAND = 2,
    ATEMI_WISH_SOLE = 4,
    ATEMI_WISH_HEIGHT = 8, ///< of the target, like its mass
    ATEMI_WISH_MASS = 16,
    ATEMI_WISH_STANDS = 32,
};

/// Refuses a wish that a job's scenario has no use for.
/// @param used bits of those that it has
atemi_status atemi_job_wish_check(const atemi_job_wish *wish, const char *job, unsigned used,
                                  atemi_error *error);

/// What a run took, for its summary.
typedef struct atemi_job_effort {
    double      wall_time; ///< s
    const char *message;   ///< what the job told last; "" for nothing
} atemi_job_effort;

/// A job: an entry of the registry. Whatever differs between jobs is here; the command adds nothing
/// but what all jobs share.
typedef struct atemi_job {
    const char *name;    ///< also of the subcommand
    const char *summary; ///< one line for the list of commands
    const char *purpose; ///< one sentence for its help
    const char *keys;    ///< what its scenario says, for its help
    const char *notes;   ///< for its help, or NULL
    const char *fails;   ///< when its exit code is 1, for its help
    const char *examples;
    /// Its flags, from the lowest bit on, and how many.
    const atemi_job_switch   *flags;
    int                       flag_count;
    const char *const        *tables;  ///< that people are shown, up to NULL; NULL for none
    bool                      final;   ///< the state at the end is part of the answer
    const atemi_column_table *columns; ///< of its recordings
    /// Names of results and columns that may be missing, NaN in a recording, up to NULL; NULL for
    /// none. `*` at one end stands for any text.
    const char *const *absent;

    /// Reads a scenario and does what it says.
    /// @param file      the scenario's, whose folder a robot's file is relative to; or NULL
    /// @param flags     of the job
    /// @param recording the result, NULL beforehand
    atemi_status (*run)(atemi_scenario_reader *reader, const char *file, unsigned flags,
                        const atemi_job_hooks *hooks, atemi_recording **recording,
                        atemi_error *error);
    /// Reads a scenario only. What it asks a blank reader for is the schema of its scenarios.
    atemi_status (*read)(atemi_scenario_reader *reader, const char *file, atemi_error *error);
    /// Adds to an explained scenario, as comments, what follows from it; or NULL.
    /// @param reader of the scenario, opened again
    atemi_status (*annotate)(atemi_scenario_reader *reader, const char *file, atemi_text *text,
                             atemi_error *error);
    /// Writes a few lines about a recording for people.
    void (*summarize)(atemi_text *text, const atemi_recording *recording,
                      const atemi_job_effort *effort);
    /// Writes a scenario for a robot that runs as it is, with comments; NULL where there is none to
    /// write.
    atemi_status (*init)(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error);
    /// What its recordings show over time (jobs/plots.h), ended by NULL; or NULL.
    const atemi_recorded_plot *const *plots;
    const atemi_job_story            *story; ///< NULL for none
} atemi_job;

/// Runs a job on a scenario that was opened. The recording has the warnings of the scenario; where
/// a number that it promises is not finite, the job has failed (jobs/job_numbers.h); where a
/// contract is broken meanwhile, there is none, and the result is ATEMI_ERROR_CONTRACT.
atemi_status atemi_job_run_reader(const atemi_job *job, atemi_scenario_reader *reader,
                                  const char *file, const atemi_job_options *options,
                                  atemi_recording **recording, atemi_error *error);

/// Adds to a recording what all recordings of a job have: its plots and its story.
atemi_status atemi_job_add_story(const atemi_job *job, atemi_recording *recording,
                                 atemi_error *error);

/// What a recording is of: the robot and the scenario that was read, by a job.
typedef struct atemi_job_subject {
    const char                  *job; ///< its name
    const atemi_scenario_reader *reader;
    const atemi_scenario_robot  *robot;
} atemi_job_subject;

/// Says where the rows of an empty recording go: into memory, or to the folder of the hooks. Warns
/// where they take more than 200 MB: to be said before a long run. Those who follow the job hear of
/// the recording.
/// @param rows about how many there will be, NaN if unknown
atemi_status atemi_job_expect_rows(const atemi_job_hooks *hooks, const atemi_job_subject *subject,
                                   double rows, atemi_recording *recording, atemi_error *error);

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

/// The name of the robot of a wish as a comment holds it: on one line, with escapes where needed.
/// @return name
enum { ATEMI_JOB_ROBOT_NAME = 256 };
const char *atemi_job_robot_name(const atemi_job_wish *wish, char name[ATEMI_JOB_ROBOT_NAME]);

/// Tells how much is done, 0 to 1.
/// @return whether the job goes on
bool atemi_job_goes_on(const atemi_job_hooks *hooks, double done);

/// Tells how things stand.
void atemi_job_message(const atemi_job_hooks *hooks, const char *format, ...) ATEMI_PRINTF(2, 3);

/// Lines that several summaries have: how long was simulated and how long that took; how far the
/// ZMP stays inside, if there is one.
void atemi_job_summarize_time(atemi_text *text, const atemi_recording *recording,
                              const atemi_job_effort *effort);
void atemi_job_summarize_margin(atemi_text *text, const atemi_recording *recording);
