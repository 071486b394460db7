// SPDX-License-Identifier: Apache-2.0

/// @file
/// The subcommands that run a scenario: one for each job of the registry, and `run`. What differs
/// between jobs is in the registry; options, the way from the scenario to recording, report and
/// figures, the form of the answer and the exit code are here.

#pragma once

#include "arguments.h"

/// What the user asks for.
typedef struct job_request {
    const char *scenario; ///< NULL for none, to be explained
    const char *folder;   ///< for the recording, or NULL
    const char *report;   ///< or NULL
    const char *figures;  ///< their folder, or NULL
    const char *packages; ///< folders that hold packages of meshes, or NULL
    bool        json, explain;
    unsigned    flags;   ///< of the job
    int         threads; ///< 0 for what the scenario says
} job_request;

/// What a subcommand answers beside running its job.
typedef struct job_extra {
    const char     *job;     ///< its name
    const argument *options; ///< ends with a NULL name
    /// Looks at the arguments once they are read.
    /// @return ARGUMENTS_READY to go on with the job, otherwise an exit code
    int (*answer)(job_request *request);
} job_extra;

/// The gait's states: `atemi walk --states`.
extern const job_extra walk_extra;

/// How a strike is searched for: `atemi strike --threads`.
extern const job_extra strike_extra;

/// How a sweep is computed: `atemi impact --threads`.
extern const job_extra impact_extra;
