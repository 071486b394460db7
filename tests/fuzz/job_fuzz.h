// SPDX-License-Identifier: Apache-2.0

/// @file
/// Fuzzing a job's scenario: any bytes end in a scenario or in an error that says something and
/// where; the job itself is not run. What is a scenario is explained by what is one.

#pragma once

#include "atemi/base.h"
#include "io/scenario/scenario_reader.h"
#include "jobs/job_choice.h"
#include "require.h"

#include <string.h>

enum { JOB_FUZZ_MAX_BYTES = 1 << 13 };

// Robots in files are not for a fuzzer: it would open whatever it makes up.
static inline int job_fuzz_may_name_a_file(const uint8_t *data, size_t size)
{
    static const char ending[] = ".urdf";
    const size_t      length = sizeof ending - 1;
    for (size_t i = 0; i < size; ++i) {
        if (data[i] == '/' || data[i] == '\\' ||
            (size - i >= length && memcmp(data + i, ending, length) == 0)) {
            return 1;
        }
    }
    return 0;
}

/// Reads a scenario, checks what it holds, and destroys it.
typedef atemi_status job_fuzz_reader(atemi_scenario_reader *reader, const char *file,
                                     atemi_error *error);

// The explanation of a text that is a scenario; NULL for any other.
static inline char *job_fuzz_explain(const char *job, job_fuzz_reader *read, const char *text,
                                     size_t size)
{
    atemi_scenario_reader *reader;
    atemi_error            error = {0};
    char                  *explanation = NULL;
    atemi_status status = atemi_scenario_open_text(text, size, "fuzz.yaml", &reader, &error);
    if (!status) {
        atemi_job_choice_read(reader, job);
        status = read(reader, "fuzz.yaml", &error);
        if (!status) {
            explanation = atemi_scenario_explain(reader);
            require(explanation != NULL);
        }
        atemi_scenario_close(reader);
    }
    require(status == error.status);
    require(status == ATEMI_OK || strlen(error.message) > 0);
    require(status != ATEMI_ERROR_INPUT || (error.line > 0 && error.column > 0));
    return explanation;
}

/// One input of libFuzzer.
static inline int job_fuzz(const char *job, job_fuzz_reader *read, const uint8_t *data, size_t size)
{
    if (size > JOB_FUZZ_MAX_BYTES || job_fuzz_may_name_a_file(data, size)) {
        return -1;
    }
    atemi_set_contract_handler(require_no_violation, NULL);
    char *first = job_fuzz_explain(job, read, (const char *)data, size);
    if (first) {
        char *second = job_fuzz_explain(job, read, first, strlen(first));
        require(second != NULL);
        atemi_release(second);
    }
    atemi_release(first);
    return 0;
}
