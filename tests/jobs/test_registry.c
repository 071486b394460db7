// SPDX-License-Identifier: Apache-2.0

#include "jobs/registry.h"

#include "atemi/base.h"
#include "atemi/robots.h"
#include "check.h"
#include "io/scenario/scenario_reader.h"

#include <stdio.h>
#include <string.h>

// What holds for every entry of the registry, so that whoever reads it needs no case of its own.

TEST(registry, entries_are_whole_and_found_by_their_names)
{
    for (int i = 0; i < atemi_job_count(); ++i) {
        const atemi_job *job = atemi_registry_at(i), *found;
        CHECK_EQUAL_STRING(job->name, atemi_registry_names[i]);
        CHECK_EQUAL_STRING(job->name, atemi_job_name(i));
        CHECK_EQUAL_STRING(job->summary, atemi_job_summary(i));
        CHECK(job->purpose && job->keys && job->fails && job->examples);
        CHECK(job->run && job->read && job->summarize && job->columns);
        CHECK_STATUS(atemi_registry_find(job->name, &found, NULL), ATEMI_OK);
        CHECK(found == job);
    }
    CHECK(atemi_registry_names[atemi_job_count()] == NULL);
}

TEST(registry, refuses_a_job_that_does_not_exist_and_says_which_was_meant)
{
    atemi_recording *recording;
    atemi_error      error;
    CHECK_STATUS(atemi_job_run_text("wlak", "{}", 2, NULL, NULL, &recording, &error),
                 ATEMI_ERROR_NOT_FOUND);
    CHECK_CONTAINS(error.message,
                   "there is no job 'wlak' (did you mean 'walk'?); 'atemi jobs' lists them");
    CHECK(recording == NULL);
}

TEST(registry, flags_are_bits_by_their_names)
{
    CHECK_EQUAL_INT((int)atemi_job_flag("impact", "full"), ATEMI_IMPACT_BY_FULL_DYNAMICS);
    CHECK_EQUAL_INT((int)atemi_job_flag("impact", "sweep"), ATEMI_IMPACT_SWEEP);
    CHECK_EQUAL_INT((int)atemi_job_flag("walk", "sweep"), 0);
    CHECK_EQUAL_INT((int)atemi_job_flag("no_such_job", "sweep"), 0);
}

TEST(registry, every_schema_begins_with_the_key_job_and_is_explained)
{
    for (int i = 0; i < atemi_job_count(); ++i) {
        char *text, first[64];
        CHECK_STATUS(atemi_job_explain(atemi_job_name(i), NULL, &text, NULL), ATEMI_OK);
        const int length = snprintf(first, sizeof first, "job: %s ", atemi_job_name(i));
        CHECK(strncmp(text, first, (size_t)length) == 0);
        atemi_release(text);
    }
}

// Every column is explained; those of an enumeration have the names of its values.
static void check_column(void *context, const char *pattern, const atemi_column *column)
{
    const size_t length = strlen(pattern), mode = strlen(".mode");
    (void)context;
    CHECK(length > 0 && column->help && column->help[0]);
    CHECK(column->label || length < mode || strcmp(pattern + length - mode, ".mode") != 0);
    if (column->label) {
        CHECK(column->label(0) && column->label(1) && !column->label(-1) && !column->label(100));
    }
}

TEST(registry, columns_have_help_and_enumerations_names)
{
    for (int i = 0; i < atemi_job_count(); ++i) {
        atemi_columns_describe(atemi_registry_at(i)->columns, check_column, NULL);
    }
}

// ---- Which job a scenario is for

static void check_refusal(const char *job, const char *text, int line, int column, const char *says)
{
    atemi_recording *recording;
    atemi_error      error = {0};
    CHECK_STATUS(atemi_job_run_text(job, text, strlen(text), "a.yaml", NULL, &recording, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, says);
    CHECK_EQUAL_STRING(error.file, "a.yaml");
    CHECK_EQUAL_INT(error.line, line);
    CHECK_EQUAL_INT(error.column, column);
    CHECK(recording == NULL);
}

static void check_job(const char *text, const char *job)
{
    atemi_recording   *recording;
    atemi_error        error = {0};
    const atemi_status status =
        atemi_job_run_text(NULL, text, strlen(text), NULL, NULL, &recording, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    CHECK_EQUAL_STRING(atemi_recording_job(recording), job);
    atemi_recording_destroy(recording);
}

TEST(registry, the_key_job_decides_what_keys_leave_open)
{
    check_job("robot: two_link\ncontacts: []\nduration: 0.01\njob: simulate\n", "simulate");
    check_job("job: control\nrobot: two_link\ngravity: [0, 0, 0]\nduration: 0.01\n"
              "drives: [{of: all, spring: 5000, torque_constant: 0.3, back_emf: 0.3}]\n",
              "control");
}

TEST(registry, without_the_key_the_only_job_with_all_keys_is_found)
{
    check_job("robot: two_link\ncontacts: []\nduration: 0.01\ntorques: []\n", "simulate");
    check_job("steps: 1\n", "walk");
}

TEST(registry, scenarios_of_several_jobs_and_of_none_are_refused_with_their_line)
{
    check_refusal(NULL, "# a\nrobot: two_link\ncontacts: []\n", 2, 1,
                  "2 jobs take this scenario, among them simulate and control; say which by a line "
                  "such as 'job: simulate'");
    check_refusal(NULL, "steps: 1\nhops: 3\n", 2, 1,
                  "no job takes this scenario; the nearest is walk, which has no key 'hops'");
    check_refusal(NULL, "torques: []\n", 1, 1,
                  "the nearest is simulate, which also needs the key 'robot'");
    check_refusal(NULL, "steps: 1\njob: wlak\n", 2, 6, "'wlak' is not known here (did you mean");
    check_refusal(NULL, "job: [walk]\n", 1, 6, "got a list");
}

TEST(registry, a_job_that_is_not_the_scenarios_is_refused_with_its_line_and_what_to_do)
{
    check_refusal("simulate", "steps: 1\njob: walk\n", 2, 6,
                  "job: the scenario is for the job walk, not for simulate; run 'atemi walk', or "
                  "change this key");
    check_refusal("strike", "steps: 1\n", 1, 1, "; its keys are those of the job walk");
}

TEST(registry, writes_a_scenario_for_a_robot)
{
    atemi_model   *model;
    atemi_error    error;
    char          *text;
    atemi_job_wish wish = atemi_job_wish_default();
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, &error), ATEMI_OK);
    wish.model = model;
    wish.robot = "hrp2_like";
    wish.mass = 3.0;
    CHECK_STATUS(atemi_job_init("strike", &wish, &text, &error), ATEMI_OK);
    CHECK_CONTAINS(text, "robot: hrp2_like");
    CHECK_CONTAINS(text, "mass: 3");
    atemi_release(text);
    CHECK_STATUS(atemi_job_init("control", &wish, &text, &error), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_job_init("jump", &wish, &text, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK(!text);
    atemi_model_destroy(model);
}
