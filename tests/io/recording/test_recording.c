// SPDX-License-Identifier: Apache-2.0

#include "atemi/recording.h"

#include "allocations.h"
#include "atemi/robots.h"
#include "check.h"
#include "random.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const atemi_channel two_channels[] = {{"t", "s", NULL}, {"q.knee", "rad", NULL}};

static atemi_recording *create_two(void)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(atemi_recording_create(2, two_channels, &recording, &error), ATEMI_OK);
    return recording;
}

static void check_refused(int count, const atemi_channel *channels, atemi_status status,
                          const char *part)
{
    atemi_error      error = {0};
    atemi_recording *recording = NULL;
    CHECK_STATUS(atemi_recording_create(count, channels, &recording, &error), status);
    CHECK(recording == NULL);
    CHECK_CONTAINS(error.message, part);
}

TEST(recording, holds_every_row_in_columns)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_two();
    for (int i = 0; i < 10000; ++i) {
        const double row[] = {1e-3 * i, sin(1e-3 * i)};
        CHECK_STATUS(atemi_recording_append(recording, row, &error), ATEMI_OK);
    }
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 10000);
    const double *t = atemi_recording_values(recording, 0);
    const double *q =
        atemi_recording_values(recording, atemi_recording_find_channel(recording, "q.knee"));
    for (int i = 0; i < 10000; ++i) {
        CHECK(t[i] == 1e-3 * i && q[i] == sin(1e-3 * i));
    }
    atemi_recording_destroy(recording);
}

TEST(recording, names_its_channels_and_their_groups)
{
    const atemi_channel channels[] = {{"t", "s", NULL},
                                      {"contact.right_sole.0.mode", NULL, NULL},
                                      {"wrench.knee.moment_z", "N m", "ignored"}};
    atemi_error         error = {0};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(3, channels, &recording, &error), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_recording_channel_count(recording), 3);
    CHECK_EQUAL_STRING(atemi_recording_channel(recording, 0)->group, "t");
    CHECK_EQUAL_STRING(atemi_recording_channel(recording, 1)->group, "contact");
    CHECK_EQUAL_STRING(atemi_recording_channel(recording, 1)->name, "contact.right_sole.0.mode");
    CHECK_EQUAL_STRING(atemi_recording_channel(recording, 1)->unit, "-");
    CHECK_EQUAL_STRING(atemi_recording_channel(recording, 2)->group, "wrench");
    CHECK_EQUAL_INT(atemi_recording_find_channel(recording, "wrench.knee.moment_z"), 2);
    CHECK_EQUAL_INT(atemi_recording_find_channel(recording, "wrench"), ATEMI_NONE);
    atemi_recording_destroy(recording);
}

TEST(recording, refuses_channels_that_cannot_be_told_apart_or_written)
{
    const atemi_channel no_time[] = {{"q", "rad", NULL}};
    const atemi_channel no_seconds[] = {{"t", "ms", NULL}};
    const atemi_channel twice[] = {{"t", "s", NULL}, {"q", "rad", NULL}, {"q", "m", NULL}};
    const atemi_channel no_name[] = {{"t", "s", NULL}, {"", "rad", NULL}};
    const atemi_channel latin1[] = {{"t", "s", NULL}, {"caf\xe9", "rad", NULL}};
    const atemi_channel surrogate[] = {{"t", "s", NULL}, {"\xed\xa0\x80", "rad", NULL}};
    const atemi_channel bracket[] = {{"t", "s", NULL}, {"q", "[rad", NULL}};
    check_refused(1, no_time, ATEMI_ERROR_INPUT, "must be 't' in 's'");
    check_refused(1, no_seconds, ATEMI_ERROR_INPUT, "must be 't' in 's'");
    check_refused(3, twice, ATEMI_ERROR_INPUT, "two channels have the name 'q'");
    check_refused(2, no_name, ATEMI_ERROR_INPUT, "is missing");
    check_refused(2, latin1, ATEMI_ERROR_INPUT, "not UTF-8");
    check_refused(2, surrogate, ATEMI_ERROR_INPUT, "not UTF-8");
    check_refused(2, bracket, ATEMI_ERROR_INPUT, "bracket");
    check_refused(ATEMI_RECORDING_MAX_CHANNELS + 1, no_time, ATEMI_ERROR_LIMIT, "at most");
}

TEST(recording, has_time_that_never_runs_back)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_two();
    const double     rows[][2] = {{1.0, 0.0}, {1.0, 1.0}, {0.5, 2.0}, {NAN, 3.0}, {INFINITY, 4.0}};
    CHECK_STATUS(atemi_recording_append(recording, rows[0], &error), ATEMI_OK);
    CHECK_STATUS(atemi_recording_append(recording, rows[1], &error), ATEMI_OK);
    for (int i = 2; i < 5; ++i) {
        CHECK_STATUS(atemi_recording_append(recording, rows[i], &error), ATEMI_ERROR_INPUT);
    }
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 2);
    atemi_recording_destroy(recording);
}

TEST(recording, has_nan_for_whatever_is_not_finite)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_two();
    const double     rows[][2] = {{0.0, NAN}, {0.0, INFINITY}, {0.0, -INFINITY}};
    for (int i = 0; i < 3; ++i) {
        CHECK_STATUS(atemi_recording_append(recording, rows[i], &error), ATEMI_OK);
        CHECK(isnan(atemi_recording_values(recording, 1)[i]));
    }
    atemi_recording_destroy(recording);
}

TEST(recording, takes_no_memory_for_rows_that_are_reserved)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_two();
    CHECK_STATUS(atemi_recording_reserve(recording, 5000, &error), ATEMI_OK);
    allocations_begin();
    for (int i = 0; i < 5000; ++i) {
        const double row[] = {i, i};
        atemi_recording_append(recording, row, &error);
    }
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 5000);
    atemi_recording_destroy(recording);
}

TEST(recording, refuses_more_numbers_than_it_may_hold)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_two();
    CHECK_STATUS(atemi_recording_reserve(recording, ATEMI_RECORDING_MAX_VALUES / 2 + 1, &error),
                 ATEMI_ERROR_LIMIT);
    CHECK_STATUS(atemi_recording_reserve(recording, INT_MAX, &error), ATEMI_ERROR_LIMIT);
    atemi_recording_destroy(recording);
}

TEST(recording, keeps_events_as_they_were_added)
{
    atemi_error                error = {0};
    atemi_recording           *recording = create_two();
    const atemi_recorded_value values[] = {{"speed", 0.25, "m/s"}, {"impulse", NAN, NULL}};
    for (int i = 0; i < 100; ++i) {
        const atemi_recorded_event event = {.t = 0.1 * i,
                                            .kind = "touchdown",
                                            .what = i % 2 ? "right_sole.0" : NULL,
                                            .text = i % 3 ? NULL : "hit hard",
                                            .value_count = i % 4 ? 2 : 0,
                                            .values = values};
        CHECK_STATUS(atemi_recording_add_event(recording, &event, &error), ATEMI_OK);
    }
    CHECK_EQUAL_INT(atemi_recording_event_count(recording), 100);
    for (int i = 0; i < 100; ++i) {
        const atemi_recorded_event *event = atemi_recording_event(recording, i);
        CHECK(event->t == 0.1 * i);
        CHECK_EQUAL_STRING(event->kind, "touchdown");
        CHECK((event->what != NULL) == (i % 2 == 1));
        CHECK((event->text != NULL) == (i % 3 == 0));
        CHECK_EQUAL_INT(event->value_count, i % 4 ? 2 : 0);
        if (event->value_count) {
            CHECK_EQUAL_STRING(event->values[0].name, "speed");
            CHECK_EQUAL_STRING(event->values[0].unit, "m/s");
            CHECK(event->values[0].value == 0.25 && isnan(event->values[1].value));
            CHECK_EQUAL_STRING(event->values[1].unit, "-");
        }
    }
    atemi_recording_destroy(recording);
}

TEST(recording, refuses_events_and_results_without_name_or_time)
{
    atemi_error                 error = {0};
    atemi_recording            *recording = create_two();
    const atemi_recorded_event  no_kind = {.t = 0.0};
    const atemi_recorded_event  no_time = {.t = NAN, .kind = "slip"};
    const atemi_recorded_event  not_utf8 = {.t = 0.0, .kind = "slip", .text = "\xff"};
    const atemi_recorded_value  values[ATEMI_RECORDING_MAX_EVENT_VALUES + 1] = {{"a", 1.0, NULL}};
    const atemi_recorded_event  crowded = {.t = 0.0,
                                           .kind = "slip",
                                           .value_count = ATEMI_RECORDING_MAX_EVENT_VALUES + 1,
                                           .values = values};
    const atemi_recorded_result no_name = {.value = 1.0};
    CHECK_STATUS(atemi_recording_add_event(recording, &no_kind, &error), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_recording_add_event(recording, &no_time, &error), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_recording_add_event(recording, &not_utf8, &error), ATEMI_ERROR_INPUT);
    CHECK_STATUS(atemi_recording_add_event(recording, &crowded, &error), ATEMI_ERROR_LIMIT);
    CHECK_STATUS(atemi_recording_add_result(recording, &no_name, &error), ATEMI_ERROR_INPUT);
    CHECK_EQUAL_INT(atemi_recording_event_count(recording), 0);
    CHECK_EQUAL_INT(atemi_recording_result_count(recording), 0);
    atemi_recording_destroy(recording);
}

TEST(recording, has_one_result_of_a_name)
{
    atemi_error           error = {0};
    atemi_recording      *recording = create_two();
    atemi_recorded_result result = {"peak_force", 1.0, "N", NAN, NAN, NULL, false};
    CHECK_STATUS(atemi_recording_add_result(recording, &result, &error), ATEMI_OK);
    result = (atemi_recorded_result){"speed", 2.0, "m/s", 2.1, 0.05, "[SDC] Table 2", false};
    CHECK_STATUS(atemi_recording_add_result(recording, &result, &error), ATEMI_OK);
    result = (atemi_recorded_result){"peak_force", 3.0, "kN", INFINITY, NAN, NULL, false};
    CHECK_STATUS(atemi_recording_add_result(recording, &result, &error), ATEMI_OK);

    CHECK_EQUAL_INT(atemi_recording_result_count(recording), 2);
    const atemi_recorded_result *first = atemi_recording_result(recording, 0);
    const atemi_recorded_result *second = atemi_recording_result(recording, 1);
    CHECK(first->value == 3.0 && isnan(first->printed));
    CHECK_EQUAL_STRING(first->unit, "kN");
    CHECK(second->printed == 2.1 && second->tolerance == 0.05);
    CHECK_EQUAL_STRING(second->source, "[SDC] Table 2");
    atemi_recording_destroy(recording);
}

TEST(recording, knows_its_robot_and_can_load_it_again)
{
    atemi_error        error = {0};
    atemi_recording   *recording = create_two();
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *model, *again;
    options.model.base = ATEMI_BASE_SAGITTAL;
    options.model.gravity = (atemi_vec3){0.0, 0.0, -9.8};
    CHECK_STATUS(atemi_robots_load("humanoid17", &options, &model, &error), ATEMI_OK);
    CHECK_STATUS(atemi_recording_robot_load(recording, NULL, &again, &error),
                 ATEMI_ERROR_NOT_FOUND);
    CHECK(atemi_recording_robot(recording) == NULL);

    atemi_recorded_job job = {.name = "simulate", .outcome = "done", .robot = model};
    job.urdf = atemi_robots_urdf("humanoid17", &job.urdf_size);
    job.scenario = "robot: humanoid17\n";
    job.robot_file = "/\xff/humanoid17.urdf";
    job.scenario_size = strlen(job.scenario);
    CHECK_STATUS(atemi_recording_describe(recording, &job, &error), ATEMI_OK);
    CHECK_STATUS(atemi_recording_describe(recording, &job, &error), ATEMI_OK);

    const atemi_recorded_robot *robot = atemi_recording_robot(recording);
    CHECK_EQUAL_STRING(robot->name, atemi_model_name(model));
    CHECK(robot->file == NULL); // left out, as it is no text
    CHECK_EQUAL_INT(robot->base, ATEMI_BASE_SAGITTAL);
    CHECK_EQUAL_INT(robot->link_count, atemi_model_link_count(model));
    CHECK_EQUAL_STRING(robot->joints[3], atemi_model_joint(model, 3)->name);
    size_t size;
    CHECK_EQUAL_STRING(atemi_recording_scenario(recording, &size), "robot: humanoid17\n");
    CHECK_EQUAL_INT(size, strlen("robot: humanoid17\n"));

    CHECK_STATUS(atemi_recording_robot_load(recording, NULL, &again, &error), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_model_v_count(again), atemi_model_v_count(model));
    CHECK(atemi_model_gravity(again).z == -9.8);
    atemi_model_destroy(again);
    atemi_model_destroy(model);
    atemi_recording_destroy(recording);
}

TEST(recording, answers_broken_contracts_with_nothing)
{
    atemi_recording *recording = create_two();
    CHECK_BREAKS_CONTRACT(CHECK(atemi_recording_channel(recording, 2) == NULL));
    CHECK_BREAKS_CONTRACT(CHECK(atemi_recording_values(recording, -1) == NULL));
    CHECK_BREAKS_CONTRACT(CHECK(atemi_recording_event(recording, 0) == NULL));
    CHECK_BREAKS_CONTRACT(CHECK(atemi_recording_result(recording, 0) == NULL));
    CHECK_BREAKS_CONTRACT(
        CHECK_STATUS(atemi_recording_append(recording, NULL, NULL), ATEMI_ERROR_CONTRACT));
    CHECK_BREAKS_CONTRACT(CHECK_STATUS(atemi_recording_create(0, two_channels, &recording, NULL),
                                       ATEMI_ERROR_CONTRACT));
    atemi_recording_destroy(recording);
    atemi_recording_destroy(NULL);
}

// Everything that takes memory, once.
static atemi_status fill(const atemi_model *model)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    atemi_status     status = atemi_recording_create(2, two_channels, &recording, &error);
    for (int i = 0; i < 600 && !status; ++i) {
        const double row[] = {i, i};
        status = atemi_recording_append(recording, row, &error);
    }
    for (int i = 0; i < 40 && !status; ++i) {
        const atemi_recorded_value value = {"speed", 1.0, "m/s"};
        const atemi_recorded_event event = {.t = i,
                                            .kind = "touchdown",
                                            .what = "sole",
                                            .text = "hit",
                                            .value_count = 1,
                                            .values = &value};
        status = atemi_recording_add_event(recording, &event, &error);
    }
    const char *names[] = {"a", "b", "a", "c"};
    for (int i = 0; i < 4 && !status; ++i) {
        const atemi_recorded_result result = {names[i], i, "N", 1.0, 2.0, "[ENE]", false};
        status = atemi_recording_add_result(recording, &result, &error);
    }
    for (int i = 0; i < 2 && !status; ++i) {
        const atemi_recorded_job job = {"simulate", "done", model, "<robot/>", 8, "a: b", 4, NULL};
        status = atemi_recording_describe(recording, &job, &error);
    }
    CHECK_STATUS(error.status, status);
    atemi_recording_destroy(recording);
    return status;
}

TEST(recording, without_memory_loses_none)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("three_link", NULL, &model, NULL), ATEMI_OK);
    int calls = 0;
    for (bool failed = true; failed; ++calls) {
        failing_allocator_install(calls + 1);
        const atemi_status status = fill(model);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    CHECK(calls > 20);
    atemi_model_destroy(model);
}
