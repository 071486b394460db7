// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // stat
#endif

#include "job_of_scenario.h"

#include "output.h"

#include "atemi/allocator.h"
#include "atemi/control.h"
#include "atemi/impact.h"
#include "atemi/simulate.h"
#include "atemi/strike.h"
#include "atemi/walk_job.h"

#include <string.h>
#include <sys/stat.h>

typedef struct job {
    const char *name;
    atemi_status (*explain)(const char *scenario, char **text, atemi_error *error);
} job;

static const job jobs[] = {{"simulate", atemi_simulate_explain},
                           {"impact", atemi_impact_explain},
                           {"strike", atemi_strike_explain},
                           {"control", atemi_control_explain},
                           {"walk", atemi_walk_explain}};

// A pipe has been read to its end, or would be waited for.
static bool is_read_again(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static bool takes(const job *about, const char *path)
{
    char              *text;
    atemi_error        error;
    const atemi_status status = about->explain(path, &text, &error);
    if (!status) {
        atemi_release(text);
    }
    return !status;
}

static const char *find_job(const char *path, const char *preferred)
{
    const char *found = NULL;
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i) {
        const bool is_preferred = preferred && strcmp(jobs[i].name, preferred) == 0;
        if ((!found || is_preferred) && takes(&jobs[i], path)) {
            found = jobs[i].name;
        }
    }
    return found;
}

const char *job_of_scenario(const char *path, const char *preferred)
{
    output_set_quiet(true);
    const char *found = is_read_again(path) ? find_job(path, preferred) : NULL;
    output_set_quiet(false);
    return found;
}
