// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the subcommands that run a scenario share: their options, the way from the scenario to
/// recording and report, and the exit code.

#pragma once

#include "arguments.h"

#include "atemi/job.h"
#include "atemi/recording.h"

#include <jansson.h>

/// What the user asks for.
typedef struct job_request {
    const char *scenario; ///< NULL for none, to be explained
    const char *folder;   ///< for the recording, or NULL
    const char *report;   ///< or NULL
    bool        json, explain;
} job_request;

/// A kind of job.
typedef struct job_kind {
    const char *name; ///< of the subcommand
    atemi_status (*run)(const char *scenario, const void *options, const atemi_job_hooks *hooks,
                        atemi_recording **recording, atemi_error *error);
    atemi_status (*explain)(const char *scenario, char **text, atemi_error *error);
    /// Prints the answer for people. `wall_time` is what it took, s.
    void (*print)(const atemi_recording *recording, double wall_time);
    /// What the answer as JSON has beside job_json(); NULL for nothing.
    json_t *(*extend)(json_t *answer, const atemi_recording *recording);
} job_kind;

/// The options that all jobs have, in an array of arguments.
#define JOB_OPTIONS(request)                                                                       \
    {.name = "out",                                                                                \
     .value = "DIR",                                                                               \
     .help = "keep the recording in this folder: recording.csv,\n"                                 \
             "summary.json, robot.urdf, scenario.yaml",                                            \
     .text = &(request)->folder},                                                                  \
        {.name = "report",                                                                         \
         .value = "FILE.html",                                                                     \
         .help = "write a page that opens in any browser",                                         \
         .text = &(request)->report},                                                              \
        {.name = "json", .help = "print one JSON object", .flag = &(request)->json},               \
    {                                                                                              \
        .name = "explain",                                                                         \
        .help = "do nothing; print every key with its value,\n"                                    \
                "default, unit, range and help",                                                   \
        .flag = &(request)->explain                                                                \
    }

/// Does what is asked for.
/// @param options of the job; or NULL
/// @return an exit code
int job_run(const job_kind *kind, const job_request *request, const void *options);

/// A result of a recording by its name; NaN where there is none.
double job_result(const atemi_recording *recording, const char *name);
