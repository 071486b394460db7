// SPDX-License-Identifier: Apache-2.0

/// @file
/// The jobs as functions of their own, for tests that hand them around: job_NAME_text(),
/// job_NAME_file() and job_NAME_explain().

#pragma once

#include "atemi/job.h"

static inline atemi_job_options job_run_options(unsigned flags, const atemi_job_hooks *hooks)
{
    return (atemi_job_options){.flags = flags,
                               .hooks = hooks ? *hooks : (atemi_job_hooks){.progress = NULL}};
}

#define JOB_RUNS(name)                                                                             \
    static inline atemi_status job_##name##_text(const char *text, size_t size, const char *file,  \
                                                 const atemi_job_hooks *hooks,                     \
                                                 atemi_recording **recording, atemi_error *error)  \
    {                                                                                              \
        const atemi_job_options options = job_run_options(0, hooks);                               \
        return atemi_job_run_text(#name, text, size, file, &options, recording, error);            \
    }                                                                                              \
    static inline atemi_status job_##name##_file(const char *path, const atemi_job_hooks *hooks,   \
                                                 atemi_recording **recording, atemi_error *error)  \
    {                                                                                              \
        const atemi_job_options options = job_run_options(0, hooks);                               \
        return atemi_job_run(#name, path, &options, recording, error);                             \
    }                                                                                              \
    static inline atemi_status job_##name##_explain(const char *path, char **text,                 \
                                                    atemi_error *error)                            \
    {                                                                                              \
        return atemi_job_explain(#name, path, text, error);                                        \
    }

JOB_RUNS(simulate)
JOB_RUNS(impact)
JOB_RUNS(strike)
JOB_RUNS(control)
JOB_RUNS(walk)
