// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/visible.h"
#include "jobs/job.h"
#include "jobs/registry.h"

#include <math.h>

atemi_job_wish atemi_job_wish_default(void)
{
    return (atemi_job_wish){.height = (double)NAN, .mass = (double)NAN};
}

atemi_status atemi_job_wish_check(const atemi_job_wish *wish, const char *job, unsigned used,
                                  atemi_error *error)
{
    const struct {
        unsigned    what;
        bool        given;
        const char *option;
    } wishes[] = {{ATEMI_WISH_FEET, wish->feet[0] || wish->feet[1], "--feet"},
                  {ATEMI_WISH_HAND, wish->hand != NULL, "--hand"},
                  {ATEMI_WISH_SOLE, wish->sole[0] > 0.0, "--sole"},
                  {ATEMI_WISH_HEIGHT, !isnan(wish->height), "--target"},
                  {ATEMI_WISH_MASS, !isnan(wish->mass), "--target"},
                  {ATEMI_WISH_STANDS, wish->stands, "--stand"}};
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; ++i) {
        if (wishes[i].given && !(wishes[i].what & used)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "a scenario of %s has no use for %s; leave it out", job,
                              wishes[i].option);
        }
    }
    return ATEMI_OK;
}

const char *atemi_job_robot_name(const atemi_job_wish *wish, char name[ATEMI_JOB_ROBOT_NAME])
{
    atemi_visible_text(atemi_model_name(wish->model), name, ATEMI_JOB_ROBOT_NAME);
    return name;
}

atemi_status atemi_job_init(const char *job, const atemi_job_wish *wish, char **text,
                            atemi_error *error)
{
    ATEMI_REQUIRE_OR(job && wish && wish->model && wish->robot && text, ATEMI_ERROR_CONTRACT);
    const atemi_job *found;
    atemi_text       yaml = {0};
    *text = NULL;
    atemi_status status = atemi_registry_find(job, &found, error);
    if (!status && !found->init) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "no scenario can be written for the job '%s' yet; begin with one of the "
                          "folder scenarios",
                          job);
    }
    status = status ? status : found->init(wish, &yaml, error);
    if (!status && yaml.failed) {
        status = atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a scenario");
    }
    if (status) {
        atemi_text_destroy(&yaml);
        return status;
    }
    *text = yaml.bytes;
    return ATEMI_OK;
}
