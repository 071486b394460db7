// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the subcommands that run a scenario share: their options, the way from the scenario to
/// recording, report and figures, the form of the answer, and the exit code. A subcommand says only
/// what differs, a job_kind.

#pragma once

#include "arguments.h"
#include "jobs/job.h"

#include "atemi/job.h"
#include "atemi/recording.h"

#include <jansson.h>

/// What the user asks for.
typedef struct job_request {
    const char *scenario; ///< NULL for none, to be explained
    const char *folder;   ///< for the recording, or NULL
    const char *report;   ///< or NULL
    const char *figures;  ///< their folder, or NULL
    bool        json, explain;
} job_request;

/// A kind of job.
typedef struct job_kind {
    const char     *name;     ///< of the subcommand
    const char     *purpose;  ///< for its help
    const char     *scenario; ///< what its scenario says, for its help
    const argument *options;  ///< beside those that all jobs have; NULL for none
    const char     *notes;    ///< for its help: JOB_NOTES, when it fails, and examples
    atemi_status (*run)(const char *scenario, const atemi_job_hooks *hooks,
                        atemi_recording **recording, atemi_error *error);
    atemi_status (*explain)(const char *scenario, char **text, atemi_error *error);
    /// Prints figures for people, between the heading with the outcome and the tables. `wall_time`
    /// is what it took, s.
    void (*print)(const atemi_recording *recording, double wall_time);
    const char *const *tables; ///< that people are shown, ends with NULL; NULL for none
    /// What the answer as JSON has beside outcome, results and tables; NULL for nothing.
    json_t *(*extend)(json_t *answer, const atemi_recording *recording);
} job_kind;

/// How the notes of every job begin; it goes on with what fails.
#define JOB_NOTES                                                                                  \
    "--explain without a scenario shows all keys there are. Ctrl-C ends the job and\n"             \
    "keeps what there is by then; the exit code is then 130. It is 1 where\n"

/// Reads the arguments.
/// @return ARGUMENTS_READY to go on, otherwise an exit code
int job_read(const job_kind *kind, int argc, char **argv, job_request *request);

/// Does what is asked for.
/// @return an exit code
int job_run(const job_kind *kind, const job_request *request);

/// Both: all that most of these subcommands do.
int job_command(const job_kind *kind, int argc, char **argv);

/// Prints how long was simulated, and how long that took.
void job_print_time(const atemi_recording *recording, double wall_time);

/// Prints how far the ZMP stays inside, where there is one.
void job_print_least_margin(const atemi_recording *recording);
