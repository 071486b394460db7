// SPDX-License-Identifier: Apache-2.0

#include "check.h"
#include "io/bytes/text.h"
#include "job_runs.h"
#include "jobs/registry.h"
#include "recorded.h"

#include "atemi/robots.h"

#include <math.h>
#include <string.h>

// `atemi init walk`, and `atemi walk` in three dimensions.

static atemi_recording *walk_of(const char *text, size_t size)
{
    atemi_recording *recording;
    atemi_error      error = {0};
    if (job_walk_text(text, size, NULL, NULL, &recording, &error)) {
        check_fail(CHECK_PLACE("walk_of"), "%s", error.message);
    }
    return recording;
}

static void refuse(const char *text, const char *part)
{
    atemi_recording *recording = NULL;
    atemi_error      error = {0};
    CHECK(job_walk_text(text, strlen(text), NULL, NULL, &recording, &error) != ATEMI_OK);
    CHECK_CONTAINS(error.message, part);
    CHECK(recording == NULL);
}

TEST(biped_job, runs_the_scenario_that_init_writes)
{
    const atemi_job *job;
    atemi_model     *model;
    atemi_text       yaml = {0};
    CHECK_STATUS(atemi_registry_find("walk", &job, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    const atemi_job_wish wish = {.model = model, .robot = "hrp2_like", .height = NAN, .mass = NAN};
    CHECK_STATUS(job->init(&wish, &yaml, NULL), ATEMI_OK);
    atemi_recording *r = walk_of(yaml.bytes, yaml.size);
    CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
    CHECK(result(r, "steps") >= 20.0);
    CHECK(result(r, "distance") > 2.5);
    CHECK_EQUAL_STRING(atemi_recording_job(r), "walk");
    CHECK_CONTAINS(atemi_recording_outcome(r), "done at ");
    atemi_recording_destroy(r);
    atemi_text_destroy(&yaml);
    atemi_model_destroy(model);
}

TEST(biped_job, ends_after_a_distance_and_knows_the_state_if_ideal)
{
    const char       text[] = "robot: hrp2_like\nbase: floating\ndistance: 0.3 m\n"
                              "faults: {ideal: true}\nrecord: {every: 0.05 s}\n";
    atemi_recording *r = walk_of(text, sizeof text - 1);
    CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
    CHECK_NEAR(result(r, "distance"), 0.3, 0.05);
    atemi_recording_destroy(r);
}

// A push of 1.5 N s/kg, three times the speed of the walk.
TEST(biped_job, a_fall_is_reported)
{
    const char text[] = "robot: hrp2_like\nbase: floating\nsteps: 9\nrecord: {every: 0.05 s}\n"
                        "forces:\n  - {link: waist, force: [0, 900, 0], from: 3 s, until: 3.1 s}\n";
    atemi_recording *r = walk_of(text, sizeof text - 1);
    CHECK_NEAR(result(r, "completed"), 0.0, 0.0);
    CHECK_NEAR(result(r, "fell"), 1.0, 0.0);
    CHECK(result(r, "fall_time") > 3.0);
    CHECK_CONTAINS(atemi_recording_outcome(r), "fell at ");
    atemi_recording_destroy(r);
}

TEST(biped_job, refuses_keys_of_the_plane_and_robots_of_the_plane)
{
    refuse("robot: hrp2_like\nbase: floating\ngait: {step_length: 0.4 m}\n", "gait");
    refuse("robot: hrp2_like\nbase: floating\nslope: 1 deg\n", "slope");
    refuse("robot: humanoid17\nbase: floating\n", "five or more");
    refuse("robot: hrp2_like\nbase: floating\nstride: {double_support: 3, step_time: 2}\n",
           "shorter");
}
