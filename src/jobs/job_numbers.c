// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_numbers.h"

#include "io/recording/recording_parts.h"
#include "jobs/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Recordings hold NaN for what there is not. A job lists what may be missing; all else is promised.
// A pattern ends or begins with '*' where it stands for many names.

static bool fits(const char *pattern, const char *name)
{
    const size_t length = strlen(pattern), size = strlen(name);
    if (pattern[0] == '*') {
        return size >= length - 1 && strcmp(name + size - (length - 1), pattern + 1) == 0;
    }
    return pattern[length - 1] == '*' ? strncmp(pattern, name, length - 1) == 0
                                      : strcmp(pattern, name) == 0;
}

static bool may_be_absent(const char *job, const char *name)
{
    const int          index = atemi_registry_index(job);
    const char *const *absent = index == ATEMI_NONE ? NULL : atemi_registry_at(index)->absent;
    for (; absent && *absent; ++absent) {
        if (fits(*absent, name)) {
            return true;
        }
    }
    return false;
}

// ---- Finding

static bool find_result(const atemi_recording *recording, char what[ATEMI_JOB_NUMBERS_TEXT])
{
    for (int i = 0; i < atemi_recording_result_count(recording); ++i) {
        const atemi_recorded_result *result = atemi_recording_result(recording, i);
        if (!isfinite(result->value) && !may_be_absent(recording->job, result->name)) {
            snprintf(what, ATEMI_JOB_NUMBERS_TEXT, "'%s' is not a finite number", result->name);
            return true;
        }
    }
    return false;
}

static bool find_channel(const atemi_recording *recording, char what[ATEMI_JOB_NUMBERS_TEXT])
{
    for (int i = 0; i < atemi_recording_channel_count(recording); ++i) {
        const char *name = atemi_recording_channel(recording, i)->name;
        if (!isnan(recording->absences[i]) && !may_be_absent(recording->job, name)) {
            snprintf(what, ATEMI_JOB_NUMBERS_TEXT, "'%s' is not a finite number at %.6g s", name,
                     recording->absences[i]);
            return true;
        }
    }
    return false;
}

bool atemi_job_numbers_missing(const atemi_recording *recording, char what[ATEMI_JOB_NUMBERS_TEXT])
{
    return recording->job && (find_result(recording, what) || find_channel(recording, what));
}

// ---- Judging

atemi_status atemi_job_judge_numbers(atemi_recording *recording, atemi_error *error)
{
    enum { OUTCOME_SIZE = ATEMI_JOB_NUMBERS_TEXT + 128 };
    char what[ATEMI_JOB_NUMBERS_TEXT], outcome[OUTCOME_SIZE];
    if (atemi_recording_result_value(recording, "completed") != 1.0 ||
        !atemi_job_numbers_missing(recording, what)) {
        return ATEMI_OK;
    }
    const atemi_recorded_value failed = {.name = "completed", .value = 0.0};
    snprintf(outcome, sizeof outcome,
             "failed: %s; some quantity is beyond what can be computed with, look for numbers of "
             "the scenario that are very large or very small",
             what);
    const atemi_status status = atemi_job_add_results(recording, &failed, 1, error);
    return status ? status : atemi_recording_set_job(recording, recording->job, outcome, error);
}
