// SPDX-License-Identifier: Apache-2.0

#include "jobs/registry.h"

#include "atemi/base.h"
#include "io/syntax/suggestion.h"

#include <string.h>

// All jobs there are. A new one is a folder of src/jobs that defines `atemi_job_NAME`, and a line
// here; the command, Python, the docs, the fuzzers and the tests find it by this list.
#define JOBS(X)                                                                                    \
    X(simulate)                                                                                    \
    X(impact)                                                                                      \
    X(strike)                                                                                      \
    X(control)                                                                                     \
    X(walk)

#define DECLARE(name) extern const atemi_job atemi_job_##name;
#define ENTRY(name) &atemi_job_##name,
#define NAME(name) #name,

JOBS(DECLARE)

static const atemi_job *const jobs[] = {JOBS(ENTRY)};

const char *const atemi_registry_names[] = {JOBS(NAME) NULL};

enum { COUNT = sizeof jobs / sizeof *jobs };

int atemi_job_count(void)
{
    return COUNT;
}

const atemi_job *atemi_registry_at(int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < COUNT, NULL);
    return jobs[index];
}

int atemi_registry_index(const char *name)
{
    int index = 0;
    while (index < COUNT && strcmp(jobs[index]->name, name) != 0) {
        ++index;
    }
    return index < COUNT ? index : ATEMI_NONE;
}

static const char *name_at(const void *nothing, int index)
{
    (void)nothing;
    return jobs[index]->name;
}

atemi_status atemi_registry_find(const char *name, const atemi_job **job, atemi_error *error)
{
    const int index = atemi_registry_index(name);
    *job = index == ATEMI_NONE ? NULL : jobs[index];
    if (!*job) {
        const char *meant = atemi_suggestion_find(name, COUNT, name_at, NULL);
        return atemi_fail(error, ATEMI_ERROR_NOT_FOUND,
                          "there is no job '%.64s'%s%s%s; 'atemi jobs' lists them", name,
                          ATEMI_SUGGESTION_TEXT(meant));
    }
    return ATEMI_OK;
}

// ---- For C and Python

const char *atemi_job_name(int index)
{
    const atemi_job *job = atemi_registry_at(index);
    return job ? job->name : NULL;
}

const char *atemi_job_summary(int index)
{
    const atemi_job *job = atemi_registry_at(index);
    return job ? job->summary : NULL;
}

unsigned atemi_job_flag(const char *job, const char *flag)
{
    const int index = atemi_registry_index(job);
    for (int i = 0; index != ATEMI_NONE && i < jobs[index]->flag_count; ++i) {
        if (strcmp(jobs[index]->flags[i].name, flag) == 0) {
            return 1U << i;
        }
    }
    return 0;
}
