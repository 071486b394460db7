// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/recording.h"
#include "check.h"
#include "folder.h"
#include "texts.h"

#include <stdio.h>
#include <string.h>

static const char hostile[] = "<b>\"a\\\n,\xe6\x89\x93'";

static const atemi_plot_column columns[] = {{"q.*", NULL}, {"!q.base.*", hostile}, {NULL, NULL}};
static const char *const       states[] = {"open", hostile, NULL};

static const atemi_recorded_plot full = {.figure = "a-B_1",
                                         .title = hostile,
                                         .axis = "position",
                                         .unit = "rad",
                                         .kind = ATEMI_PLOT_STATES,
                                         .columns = columns,
                                         .of_joints = true,
                                         .limits = ATEMI_PLOT_VELOCITY_LIMITS,
                                         .band = ATEMI_PLOT_SUPPORT_Y,
                                         .sum = "total",
                                         .states = states,
                                         .has_idle = true,
                                         .skips_zero = true,
                                         .of_limits = true};

static const atemi_recorded_plot bare = {
    .figure = "forces", .title = "F", .axis = "f", .kind = ATEMI_PLOT_HORIZONTAL_FORCES};

static atemi_recording *create(void)
{
    const atemi_channel channel = {"t", "s", NULL};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(1, &channel, &recording, NULL), ATEMI_OK);
    return recording;
}

static void check_same(const atemi_recorded_plot *a, const atemi_recorded_plot *b)
{
    check_same_text(a->figure, b->figure);
    check_same_text(a->title, b->title);
    check_same_text(a->axis, b->axis);
    check_same_text(a->unit, b->unit);
    check_same_text(a->sum, b->sum);
    CHECK(a->kind == b->kind && a->limits == b->limits && a->band == b->band);
    CHECK(a->of_joints == b->of_joints && a->has_idle == b->has_idle);
    CHECK(a->skips_zero == b->skips_zero && a->of_limits == b->of_limits);
    for (int i = 0; b->columns && i < 3; ++i) {
        check_same_text(a->columns[i].name, b->columns[i].name);
        check_same_text(a->columns[i].label, b->columns[i].label);
    }
    for (int i = 0; b->states && i < 3; ++i) {
        check_same_text(a->states[i], b->states[i]);
    }
}

TEST(recording_plots, come_back_from_a_folder_in_their_order)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_recording *recording = create(), *loaded;
    CHECK_STATUS(atemi_recording_add_plot(recording, &full, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_add_plot(recording, &bare, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_write(recording, path, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_load(path, &loaded, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_recording_plot_count(loaded), 2);
    check_same(atemi_recording_plot(loaded, 0), &full);
    check_same(atemi_recording_plot(loaded, 1), &bare);
    atemi_recording_destroy(loaded);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

static void check_refused(const atemi_recorded_plot *plot, atemi_status wanted, const char *text)
{
    atemi_error      error = {0};
    atemi_recording *recording = create();
    CHECK_STATUS(atemi_recording_add_plot(recording, plot, &error), wanted);
    CHECK_CONTAINS(error.message, text);
    CHECK_EQUAL_INT(atemi_recording_plot_count(recording), 0);
    atemi_recording_destroy(recording);
}

TEST(recording_plots, name_files_that_are_theirs_alone)
{
    static const char *const figures[] = {NULL,  "",    "../a",  "a/b",    "a.b",
                                          "a b", "zmp", "strip", "table-x"};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i) {
        atemi_recorded_plot plot = bare;
        plot.figure = figures[i];
        check_refused(&plot, ATEMI_ERROR_INPUT, "the figure of a plot");
    }
}

TEST(recording_plots, are_refused_without_what_they_need)
{
    atemi_recorded_plot plot = bare;
    plot.title = NULL;
    check_refused(&plot, ATEMI_ERROR_INPUT, "the title of a plot is missing");
    plot = bare;
    plot.axis = "";
    check_refused(&plot, ATEMI_ERROR_INPUT, "the axis of a plot is missing");
    plot = bare;
    plot.unit = "[m]";
    check_refused(&plot, ATEMI_ERROR_INPUT, "unit");
    plot = bare;
    plot.kind = ATEMI_PLOT_LINES;
    check_refused(&plot, ATEMI_ERROR_INPUT, "no columns");
    plot = full;
    plot.states = NULL;
    check_refused(&plot, ATEMI_ERROR_INPUT, "no states");
    plot = full;
    plot.title = "\xff";
    check_refused(&plot, ATEMI_ERROR_INPUT, "UTF-8");
}

TEST(recording_plots, are_limited_in_number)
{
    atemi_plot_column many_columns[ATEMI_RECORDING_MAX_PLOT_COLUMNS + 2] = {0};
    const char       *many_states[ATEMI_RECORDING_MAX_PLOT_STATES + 2] = {0};
    for (int i = 0; i <= ATEMI_RECORDING_MAX_PLOT_COLUMNS; ++i) {
        many_columns[i].name = "x";
    }
    for (int i = 0; i <= ATEMI_RECORDING_MAX_PLOT_STATES; ++i) {
        many_states[i] = "x";
    }
    atemi_recorded_plot plot = full;
    plot.columns = many_columns;
    check_refused(&plot, ATEMI_ERROR_LIMIT, "columns of a plot");
    plot = full;
    plot.states = many_states;
    check_refused(&plot, ATEMI_ERROR_LIMIT, "states of a plot");
    atemi_error      error = {0};
    atemi_recording *recording = create();
    for (int i = 0; i < ATEMI_RECORDING_MAX_PLOTS; ++i) {
        CHECK_STATUS(atemi_recording_add_plot(recording, &bare, &error), ATEMI_OK);
    }
    CHECK_STATUS(atemi_recording_add_plot(recording, &bare, &error), ATEMI_ERROR_LIMIT);
    atemi_recording_destroy(recording);
}

// ---- summary.json of others

static atemi_status load(const char *plots, atemi_recording **recording, atemi_error *error)
{
    char        text[4096];
    folder      home = folder_create();
    const char *csv = folder_path(home.path, "recording.csv");
    folder_put(csv, "t [s]\n");
    snprintf(text, sizeof text,
             "{\"format\": \"atemi-recording\", \"version\": 1, \"atemi\": \"9\", "
             "\"files\": {\"recording.csv\": 6}, \"rows\": 0, "
             "\"columns\": [{\"name\": \"t\", \"unit\": \"s\"}], \"plots\": %s}",
             plots);
    folder_put(folder_path(home.path, "summary.json"), text);
    const atemi_status status = atemi_recording_load(home.path, recording, error);
    folder_remove(home.path);
    return status;
}

TEST(recording_plots, of_a_kind_that_a_later_version_has_are_passed_by)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(load("[{\"kind\": \"surface\"}, {\"figure\": \"a\", \"title\": \"T\", \"axis\": "
                      "\"y\", \"kind\": \"lines\", \"limits\": \"jerk\", \"later\": 1, "
                      "\"columns\": [{\"name\": \"t\", \"dash\": 3}]}]",
                      &recording, &error),
                 ATEMI_OK);
    CHECK_EQUAL_INT(atemi_recording_plot_count(recording), 1);
    CHECK(atemi_recording_plot(recording, 0)->limits == ATEMI_PLOT_NO_LIMITS);
    atemi_recording_destroy(recording);
}

TEST(recording_plots, that_are_wrong_say_where)
{
    static const char *const wrong[][2] = {
        {"{}", "plots"},
        {"[{\"kind\": \"lines\", \"title\": \"T\", \"axis\": \"y\"}]", "figure"},
        {"[{\"kind\": \"lines\", \"figure\": \"a\", \"title\": 3, \"axis\": \"y\"}]", "title"},
        {"[{\"kind\": \"lines\", \"figure\": \"../a\", \"title\": \"T\", \"axis\": \"y\", "
         "\"columns\": [{\"name\": \"t\"}]}]",
         "figure"},
        {"[{\"kind\": \"lines\", \"figure\": \"a\", \"title\": \"T\", \"axis\": \"y\", "
         "\"columns\": [3]}]",
         "name"},
        {"[{\"kind\": \"states\", \"figure\": \"a\", \"title\": \"T\", \"axis\": \"y\", "
         "\"columns\": [{\"name\": \"t\"}], \"states\": [1]}]",
         "states"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        atemi_error      error = {0};
        atemi_recording *recording;
        CHECK_STATUS(load(wrong[i][0], &recording, &error), ATEMI_ERROR_INPUT);
        CHECK_CONTAINS(error.message, wrong[i][1]);
    }
}

TEST(recording_plots, without_memory_lose_none)
{
    bool failed = true;
    for (int calls = 0; failed; ++calls) {
        atemi_recording *recording = create();
        failing_allocator_install(calls + 1);
        const atemi_status status = atemi_recording_add_plot(recording, &full, NULL);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK((status == ATEMI_OK) == !failed);
        CHECK_EQUAL_INT(atemi_recording_plot_count(recording), !failed);
        atemi_recording_destroy(recording);
    }
}
