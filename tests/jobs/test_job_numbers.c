// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "check.h"
#include "jobs/job.h"
#include "recorded.h"

#include <math.h>
#include <string.h>

// Jobs that say they are completed, of which one number or one contract is not as it should be.

typedef struct made_up {
    const char *job;
    double      number, result;
    double      completed;
    bool        breaks_a_contract;
} made_up;

static atemi_status fill(const made_up *what, atemi_recording *recording, atemi_error *error)
{
    const atemi_recorded_value results[] = {{"completed", what->completed, NULL},
                                            {"peak_force", what->result, "N"}};
    const atemi_recorded_job   job = {.name = what->job, .outcome = "all is well"};
    atemi_status status = atemi_recording_append(recording, (double[]){0.0, 1.0, NAN, NAN}, error);
    status =
        status ? status
               : atemi_recording_append(recording, (double[]){0.5, what->number, NAN, NAN}, error);
    status = status ? status : atemi_job_add_results(recording, results, 2, error);
    return status ? status : atemi_recording_describe(recording, &job, error);
}

static const made_up *now; // what the job is to do

static atemi_status run(atemi_scenario_reader *reader, const char *file, unsigned flags,
                        const atemi_job_hooks *hooks, atemi_recording **recording,
                        atemi_error *error)
{
    static const atemi_channel channels[] = {
        {"t", "s", NULL}, {"q.knee", "rad", NULL}, {"zmp.x", "m", NULL}, {"limit.knee", "m", NULL}};
    const made_up *what = now;
    (void)reader, (void)file, (void)hooks, (void)flags;
    atemi_status status = atemi_recording_create(strcmp(what->job, "control") == 0 ? 4 : 3,
                                                 channels, recording, error);
    if (what->breaks_a_contract) {
        CHECK_BREAKS_CONTRACT(atemi_recording_row_count(NULL));
    }
    return status ? status : fill(what, *recording, error);
}

static atemi_status perform(made_up what, atemi_recording **recording, atemi_error *error)
{
    const atemi_job        job = {.name = what.job, .run = run};
    atemi_scenario_reader *reader;
    atemi_error            own;
    now = &what;
    CHECK_STATUS(atemi_scenario_open_text("{}", 2, "a.yaml", &reader, NULL), ATEMI_OK);
    const atemi_status status =
        atemi_job_run_reader(&job, reader, "a.yaml", NULL, recording, error ? error : &own);
    atemi_scenario_close(reader);
    return status;
}

static void check_outcome(made_up what, double completed, const char *says)
{
    atemi_recording *recording = NULL;
    CHECK_STATUS(perform(what, &recording, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(result(recording, "completed"), completed);
    CHECK_CONTAINS(atemi_recording_outcome(recording), says);
    CHECK_EQUAL_STRING(atemi_recording_job(recording), what.job);
    atemi_recording_destroy(recording);
}

TEST(job_numbers, that_are_all_there_are_a_success)
{
    check_outcome((made_up){"simulate", 1.0, 2.0, 1.0, false}, 1.0, "all is well");
}

TEST(job_numbers, that_are_promised_and_not_finite_fail_the_job)
{
    check_outcome((made_up){"simulate", NAN, 2.0, 1.0, false}, 0.0,
                  "failed: 'q.knee' is not a finite number at 0.5 s");
    check_outcome((made_up){"simulate", (double)INFINITY, 2.0, 1.0, false}, 0.0, "'q.knee'");
    check_outcome((made_up){"impact", 1.0, NAN, 1.0, false}, 0.0,
                  "failed: 'peak_force' is not a finite number");
    check_outcome((made_up){"control", 1.0, -(double)INFINITY, 1.0, false}, 0.0, "'peak_force'");
}

// The ZMP of a robot in the air, and the torque limit of a joint without one.
TEST(job_numbers, that_need_not_be_there_do_not)
{
    check_outcome((made_up){"strike", 1.0, 2.0, 1.0, false}, 1.0, "all is well");
    atemi_recording *recording = NULL;
    const made_up    what = {"control", 1.0, 2.0, 1.0, false};
    CHECK_STATUS(perform(what, &recording, NULL), ATEMI_OK);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "failed: 'zmp.x'"); // which control has not
    atemi_recording_destroy(recording);
}

TEST(job_numbers, of_a_job_that_failed_by_itself_leave_its_reason)
{
    check_outcome((made_up){"simulate", NAN, NAN, 0.0, false}, 0.0, "all is well");
}

// ---- Contracts

TEST(job_numbers, after_a_broken_contract_are_none)
{
    const made_up    what = {"simulate", 1.0, 2.0, 1.0, true};
    atemi_recording *recording = NULL;
    atemi_error      error = {0};
    CHECK_STATUS(perform(what, &recording, &error), ATEMI_ERROR_CONTRACT);
    CHECK(!recording);
    CHECK_CONTAINS(error.message, "broken contract of atemi_recording_row_count(): recording");
    CHECK_CONTAINS(error.message, "please report it");
}
