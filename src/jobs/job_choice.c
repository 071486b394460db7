// SPDX-License-Identifier: Apache-2.0

#include "jobs/job_choice.h"

#include "io/scenario/scenario_fit.h"
#include "jobs/registry.h"

#include <stdio.h>
#include <string.h>

// A job's schema is what it asks a blank reader for. A scenario fits it if the file has no other
// keys at its top, and all that are required. The file itself is parsed once.

// ---- The key

// With its index as the default, the key says the same as no key.
static int read_key(atemi_scenario_reader *reader, int fallback)
{
    return atemi_scenario_choice(
        reader, "job",
        (atemi_choice_key){.words = atemi_registry_names,
                           .fallback = fallback,
                           .help = "that runs the scenario; atemi run FILE goes by it"});
}

void atemi_job_choice_read(atemi_scenario_reader *reader, const char *job)
{
    const int asked = atemi_registry_index(job), named = read_key(reader, asked);
    if (named != asked) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the scenario is for the job %s, not for %s; run 'atemi %s', or change "
                            "this key",
                            atemi_registry_names[named], job, atemi_registry_names[named]);
    }
}

// ---- The keys

// How a scenario fits the jobs.
typedef struct fits {
    const atemi_job   *only, *second; ///< the first two that it fits
    const atemi_job   *nearest;       ///< the one with the fewest misfits
    atemi_scenario_fit misfit;        ///< of that one
    char               key[64];       ///< its key, cut to fit
    int                count;         ///< that it fits
} fits;

static void judge(const atemi_job *job, atemi_scenario_fit fit, fits *all)
{
    if (fit.misfits == 0) {
        all->second = all->count == 1 ? job : all->second;
        all->only = all->count == 0 ? job : all->only;
        ++all->count;
    }
    if (!all->nearest || fit.misfits < all->misfit.misfits) {
        all->nearest = job;
        all->misfit = fit;
        snprintf(all->key, sizeof all->key, "%s", fit.key ? fit.key : "");
    }
}

static atemi_status compare(const atemi_scenario_reader *reader, const atemi_job *job, fits *all,
                            atemi_error *error)
{
    atemi_scenario_reader *schema;
    atemi_status           status = atemi_scenario_open_blank(&schema, error);
    if (!status) {
        atemi_job_choice_read(schema, job->name);
        status = job->read(schema, NULL, error);
        if (!status) {
            judge(job, atemi_scenario_fit_find(reader, schema), all);
        }
        atemi_scenario_close(schema);
    }
    return status;
}

static atemi_status compare_all(const atemi_scenario_reader *reader, fits *all, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    *all = (fits){0};
    for (int i = 0; i < atemi_job_count() && !status; ++i) {
        status = compare(reader, atemi_registry_at(i), all, error);
    }
    return status;
}

static void fail_on_none(atemi_scenario_reader *reader, const fits *all)
{
    const atemi_scenario_mark mark = {"", all->misfit.place};
    if (all->misfit.missing) {
        atemi_scenario_fail(reader, mark,
                            "no job takes this scenario; the nearest is %s, which also needs the "
                            "key '%s'; add it, or the key job with another job's name",
                            all->nearest->name, all->key);
    } else {
        atemi_scenario_fail(reader, mark,
                            "no job takes this scenario; the nearest is %s, which has no key '%s'; "
                            "change it, or add the key job with another job's name",
                            all->nearest->name, all->key);
    }
}

static void fail_on_several(atemi_scenario_reader *reader, const fits *all)
{
    const atemi_scenario_mark mark = {"", all->misfit.place};
    atemi_scenario_fail(reader, mark,
                        "%d jobs take this scenario, among them %s and %s; say which by a line "
                        "such as 'job: %s'",
                        all->count, all->only->name, all->second->name, all->only->name);
}

// ---- Both

// A name that no job has is reported as every word that is not known.
static atemi_status find_by_name(atemi_scenario_reader *reader, const atemi_job **job,
                                 atemi_error *error)
{
    const char *name = atemi_scenario_text(reader, "job");
    const int   index = name ? atemi_registry_index(name) : ATEMI_NONE;
    if (index == ATEMI_NONE) {
        (void)read_key(reader, 0);
        return atemi_scenario_finish(reader, error);
    }
    *job = atemi_registry_at(index);
    return ATEMI_OK;
}

static atemi_status find_by_keys(atemi_scenario_reader *reader, const atemi_job **job,
                                 atemi_error *error)
{
    fits               all;
    const atemi_status status = compare_all(reader, &all, error);
    if (status) {
        return status;
    }
    *job = all.only;
    if (all.count == 1) {
        return ATEMI_OK;
    }
    if (all.count == 0) {
        fail_on_none(reader, &all);
    } else {
        fail_on_several(reader, &all);
    }
    return atemi_scenario_finish(reader, error);
}

atemi_status atemi_job_choice_find(atemi_scenario_reader *reader, const atemi_job **job,
                                   atemi_error *error)
{
    return atemi_scenario_fit_has(reader, "job") ? find_by_name(reader, job, error)
                                                 : find_by_keys(reader, job, error);
}

void atemi_job_choice_hint(const atemi_scenario_reader *reader, const atemi_job *job,
                           atemi_error *error)
{
    fits         all;
    atemi_error  own;
    const size_t length = strlen(error->message);
    if (error->status == ATEMI_ERROR_INPUT && !atemi_scenario_fit_has(reader, "job") &&
        !compare_all(reader, &all, &own) && all.count == 1 && all.only != job) {
        snprintf(error->message + length, sizeof error->message - length,
                 "; its keys are those of the job %s: run 'atemi %s'", all.only->name,
                 all.only->name);
    }
}
