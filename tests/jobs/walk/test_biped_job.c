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

static double sum_of(const atemi_recorded_table *t, int column)
{
    double sum = 0.0;
    for (int i = 0; i < t->row_count; ++i) {
        sum += t->values[i * t->column_count + column];
    }
    return sum;
}

// A metre of ice under the right feet.
TEST(biped_job, walks_as_commanded_over_terrain_and_records_slips)
{
    const char text[] =
        "robot: hrp2_like\nbase: floating\nsteps: 16\nrecord: {every: 0.02 s}\n"
        "surfaces:\n  floor:\n    kind: terrain\n    position: [-1, -2, 0]\n"
        "    size: [6 m, 4 m]\n"
        "    parts: [{kind: rough, from: 0.5 m, to: 4 m, height: 5 mm, seed: 2}]\n"
        "patches: [{from: 0.5 m, to: 1.5 m, right: -2 m, left: 0 m, friction: 0.15}]\n"
        "stride: {commands: [{at: 0 s, forwards: 0.2}, {at: 4 s, forwards: 0.3}]}\n"
        "payloads: [{link: chest, mass: 2 kg}]\nbelieved: {masses: 0.97, friction: 0.5}\n";
    atemi_recording *r = walk_of(text, sizeof text - 1);
    CHECK_NEAR(result(r, "completed"), 1.0, 0.0);
    const atemi_recorded_table *slips = table(r, "slips");
    CHECK(slips && slips->row_count > 0);
    CHECK_NEAR(slips->row_count, result(r, "slips"), 0.0);
    CHECK_NEAR(sum_of(slips, 4), result(r, "slip_time"), 1e-9);
    CHECK_NEAR(sum_of(slips, 5), result(r, "slip_distance"), 1e-9);
    CHECK_CONTAINS(slips->labels[0], "right foot, patch");
    CHECK(sum_of(table(r, "arrows"), 0) >= 2.0 * result(r, "steps") - 2.0); // up and down
    CHECK_EQUAL_INT(table(r, "patches")->row_count, 1);
    atemi_recording_destroy(r);
}

TEST(biped_job, refuses_keys_of_the_plane_and_robots_of_the_plane)
{
    refuse("robot: hrp2_like\nbase: floating\ngait: {step_length: 0.4 m}\n", "gait");
    refuse("robot: hrp2_like\nbase: floating\nslope: 1 deg\n", "slope");
    refuse("robot: humanoid17\nbase: floating\n", "five or more");
    refuse("robot: hrp2_like\nbase: floating\nstride: {double_support: 3, step_time: 2}\n",
           "shorter");
    refuse(
        "robot: hrp2_like\nbase: floating\nsurfaces: {wall: {kind: plane, normal: [-1, 0, 0]}}\n",
        "soles touch one surface");
    refuse("robot: hrp2_like\nbase: floating\nstride: {commands: [{at: 2 s}, {at: 1 s}]}\n",
           "sort them by time");
    refuse("robot: hrp2_like\nbase: floating\npayloads: [{link: chset, mass: 1 kg}]\n",
           "did you mean 'chest'?");
    refuse("robot: hrp2_like\nbase: floating\nbelieved: {masses: 3}\n", "factor of two");
    refuse("robot: hrp2_like\nbase: floating\nfaults: {efforts: {left_knee: 1.5}}\n",
           "no more than its limit");
    refuse("robot: hrp2_like\nbase: floating\npatches: [{from: 1, to: 2, right: 1, left: -1, "
           "friction: 0.1}]\n",
           "is not left of right");
    refuse("robot: humanoid17\npatches: [{from: 1, to: 2, right: 1, friction: 0.1}]\n", "right");
    refuse("robot: humanoid17\npayloads: [{link: waist, mass: 1}]\n", "payloads");
}

static int warnings_of(const char *text, const char *part)
{
    atemi_recording *r = walk_of(text, strlen(text));
    int              found = 0;
    for (int i = 0; i < atemi_recording_warning_count(r); ++i) {
        found += strstr(atemi_recording_warning(r, i)->message, part) != NULL;
    }
    atemi_recording_destroy(r);
    return found;
}

TEST(biped_job, warns_of_keys_without_effect)
{
    CHECK_EQUAL_INT(warnings_of("robot: hrp2_like\nbase: floating\nduration: 0.1 s\n"
                                "faults: {ideal: true, delay: 3 ms, seed: 4}\n",
                                "the world is ideal"),
                    2);
    CHECK_EQUAL_INT(warnings_of("robot: hrp2_like\nbase: floating\nduration: 0.1 s\n"
                                "faults: {delay: 0.4 ms}\n",
                                "rounded to whole ticks"),
                    1);
    CHECK_EQUAL_INT(warnings_of("robot: hrp2_like\nbase: floating\nduration: 0.1 s\n"
                                "stride: {commands: [{at: 1 s, forwards: 0}]}\n",
                                "the command begins at 1 s"),
                    1);
}
