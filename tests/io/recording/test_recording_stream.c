// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "allocations.h"
#include "atemi/base.h"
#include "atemi/recording.h"
#include "atemi/robots.h"
#include "check.h"
#include "folder.h"
#include "job_runs.h"
#include "random.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// The rows of all these recordings are the same function of their number.
enum { CHANNELS = 6 };

static atemi_recording *create_empty(void)
{
    static const atemi_channel channels[CHANNELS] = {{"t", "s", NULL},
                                                     {"q.a,b", "rad", NULL},
                                                     {"=1+1", "N, \"m\"", NULL},
                                                     {"q.two\nlines", NULL, NULL},
                                                     {"v.\xe6\x89\x93", "m/s", NULL},
                                                     {"gone", "-", NULL}};
    atemi_error                error = {0};
    atemi_recording           *recording;
    CHECK_STATUS(atemi_recording_create(CHANNELS, channels, &recording, &error), ATEMI_OK);
    return recording;
}

// The time stands still now and then; a number may be any, and not finite or absent.
static void fill_row(int index, double row[CHANNELS])
{
    random_stream random = random_seeded((uint64_t)index);
    row[0] = 1e-3 * floor(0.5 * index);
    row[1] = random_uniform(&random, -100.0, 100.0);
    row[2] = index % 3 ? index : -(double)INFINITY;
    row[3] = index % 5 ? 1e-300 * row[1] : (double)NAN;
    row[4] = -0.0;
    row[5] = (double)NAN;
}

static void append_rows(atemi_recording *recording, int count)
{
    const int first = atemi_recording_row_count(recording);
    for (int i = first; i < first + count; ++i) {
        double row[CHANNELS];
        fill_row(i, row);
        CHECK_STATUS(atemi_recording_append(recording, row, NULL), ATEMI_OK);
    }
}

// What stands beside the rows.
static void add_parts(atemi_recording *recording)
{
    const atemi_recorded_event   event = {.t = 0.1, .kind = "touchdown", .what = "sole.0"};
    const atemi_recorded_result  result = {"feasible", 1.0 / 3.0, "N", NAN, NAN, NULL, false};
    const atemi_recorded_surface floor = {"floor", atemi_surface_floor()};
    const atemi_recorded_column  column = {"force", "N"};
    const double                 cells[] = {1.0, NAN};
    const atemi_recorded_table   table = {
          .name = "cases", .row_count = 2, .column_count = 1, .columns = &column, .values = cells};
    atemi_recorded_job job = {.name = "strike", .scenario = "a: 1\n"};
    atemi_model       *model;
    CHECK_STATUS(atemi_robots_load("three_link", NULL, &model, NULL), ATEMI_OK);
    job.robot = model;
    job.urdf = atemi_robots_urdf("three_link", &job.urdf_size);
    job.scenario_size = strlen(job.scenario);
    CHECK_STATUS(atemi_recording_add_event(recording, &event, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_add_result(recording, &result, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_add_surface(recording, &floor, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_add_table(recording, &table, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_describe(recording, &job, NULL), ATEMI_OK);
    atemi_model_destroy(model);
}

static atemi_recording *create_streamed(const char *path, int rows)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_empty();
    CHECK_STATUS(atemi_recording_stream_to(recording, path, &error), ATEMI_OK);
    append_rows(recording, rows);
    return recording;
}

static void write_and_destroy(atemi_recording *recording, const char *path)
{
    atemi_error error = {0};
    CHECK_STATUS(atemi_recording_write(recording, path, &error), ATEMI_OK);
    atemi_recording_destroy(recording);
}

static void write_from_memory(const char *path, int rows)
{
    atemi_recording *recording = create_empty();
    append_rows(recording, rows);
    write_and_destroy(recording, path);
}

static int rows_in(const char *path)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(atemi_recording_load(path, &recording, &error), ATEMI_OK);
    const int rows = atemi_recording_row_count(recording);
    atemi_recording_destroy(recording);
    return rows;
}

static bool same_files(const char *a, const char *b, const char *name)
{
    FILE *first = fopen(folder_path(a, name), "rb");
    FILE *second = fopen(folder_path(b, name), "rb");
    bool  same = first && second;
    for (int c = 0; same && c != EOF;) {
        c = fgetc(first);
        same = c == fgetc(second);
    }
    if (first) {
        fclose(first);
    }
    if (second) {
        fclose(second);
    }
    return same;
}

// ---- What is written

// 30,000 rows are 2 MB of text, several times what any buffer holds.
TEST(recording_stream, writes_the_same_bytes_as_from_memory)
{
    const char *const names[] = {"recording.csv", "summary.json", "robot.urdf", "scenario.yaml"};
    const int         rows[] = {0, 1, 2, 30000};
    folder            home = folder_create();
    const char       *streamed = folder_path(home.path, "streamed");
    const char       *memory = folder_path(home.path, "memory");
    for (int i = 0; i < 4; ++i) {
        atemi_recording *first = create_streamed(streamed, rows[i]);
        atemi_recording *second = create_empty();
        append_rows(second, rows[i]);
        add_parts(first);
        add_parts(second);
        write_and_destroy(first, streamed);
        write_and_destroy(second, memory);
        for (int k = 0; k < 4; ++k) {
            CHECK(same_files(streamed, memory, names[k]));
        }
        CHECK_EQUAL_INT(folder_count(streamed), 4);
        CHECK_EQUAL_INT(folder_count(home.path), 2);
        CHECK_EQUAL_INT(rows_in(streamed), rows[i]);
    }
    folder_remove(home.path);
}

TEST(recording_stream, takes_no_memory_for_rows)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_recording *recording = create_streamed(path, 1);
    allocations_begin();
    append_rows(recording, 20000);
    CHECK_EQUAL_INT(allocations_end(), 0);
    write_and_destroy(recording, path);
    CHECK_EQUAL_INT(rows_in(path), 20001);
    folder_remove(home.path);
}

TEST(recording_stream, keeps_the_last_row)
{
    folder           home = folder_create();
    atemi_recording *recording = create_streamed(folder_path(home.path, "run"), 0);
    CHECK(isnan(atemi_recording_last(recording, 0)));
    append_rows(recording, 8);
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 8);
    CHECK(atemi_recording_last(recording, 0) == 1e-3 * 3.0);
    CHECK(atemi_recording_last(recording, 2) == 7.0);
    CHECK(isnan(atemi_recording_last(recording, 5)));
    CHECK(atemi_recording_values(recording, 2) == NULL);
    const double early[CHANNELS] = {0.002};
    atemi_error  error = {0};
    CHECK_STATUS(atemi_recording_append(recording, early, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "before the 0.003 s of the row before it");
    CHECK_BREAKS_CONTRACT(atemi_recording_last(recording, CHANNELS));
    atemi_recording_destroy(recording);

    atemi_recording *memory = create_empty();
    append_rows(memory, 8);
    CHECK(atemi_recording_last(memory, 2) == 7.0);
    atemi_recording_destroy(memory);
    folder_remove(home.path);
}

// Whatever is written can be loaded, so both have the same end.
TEST(recording_stream, holds_no_more_rows_than_memory)
{
    folder           home = folder_create();
    atemi_error      error = {0};
    atemi_recording *recording = create_streamed(folder_path(home.path, "run"), 1);
    const int        most = ATEMI_RECORDING_MAX_VALUES / CHANNELS;
    allocations_begin();
    CHECK_STATUS(atemi_recording_reserve(recording, most, &error), ATEMI_OK);
    CHECK_EQUAL_INT(allocations_end(), 0);
    CHECK_STATUS(atemi_recording_reserve(recording, most + 1, &error), ATEMI_ERROR_LIMIT);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// ---- Who needs all rows

static void check_needs_rows(atemi_status status, const atemi_error *error)
{
    CHECK_STATUS(status, ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error->message, "not in memory");
    CHECK_CONTAINS(error->message, "run'; load it from there");
}

TEST(recording_stream, sends_those_who_need_all_rows_to_the_folder)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    const char      *other = folder_path(home.path, "other");
    atemi_error      error = {0};
    atemi_recording *recording = create_streamed(path, 3), *verified = NULL;
    add_parts(recording);
    check_needs_rows(atemi_recording_write(recording, other, &error), &error);
    check_needs_rows(atemi_report_write_figures(recording, other, &error), &error);
    check_needs_rows(atemi_strike_verify_recording(recording, NULL, &verified, &error), &error);
    if (atemi_report_available()) {
        check_needs_rows(atemi_report_write(recording, other, &error), &error);
    }
    CHECK_STATUS(atemi_recording_write(recording, path, &error), ATEMI_OK);
    check_needs_rows(atemi_recording_write(recording, path, &error), &error);
    CHECK_EQUAL_INT(rows_in(path), 3);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(recording_stream, begins_once_and_before_the_first_row)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_recording *streamed = create_streamed(path, 0), *filled = create_empty();
    append_rows(filled, 1);
    CHECK_BREAKS_CONTRACT(atemi_recording_stream_to(streamed, path, NULL));
    CHECK_BREAKS_CONTRACT(atemi_recording_stream_to(filled, path, NULL));
    CHECK_BREAKS_CONTRACT(atemi_recording_stream_to(NULL, path, NULL));
    atemi_recording_destroy(streamed);
    atemi_recording_destroy(filled);
    folder_remove(home.path);
}

// ---- The folder meanwhile

TEST(recording_stream, leaves_the_folder_as_it_was_until_it_is_written)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    atemi_recording_destroy(create_streamed(path, 10000));
    CHECK_EQUAL_INT(folder_count(home.path), 0);

    write_from_memory(path, 5);
    atemi_recording *recording = create_streamed(path, 10000);
    CHECK_EQUAL_INT(rows_in(path), 5);
    CHECK_EQUAL_INT(folder_count(home.path), 2);
    write_and_destroy(recording, path);
    CHECK_EQUAL_INT(rows_in(path), 10000);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

TEST(recording_stream, replaces_a_recording_that_was_written_meanwhile)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_recording *recording = create_streamed(path, 7);
    write_from_memory(path, 5);
    CHECK_EQUAL_INT(folder_count(home.path), 2); // a stream that lives is no leftover
    write_and_destroy(recording, path);
    CHECK_EQUAL_INT(rows_in(path), 7);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

TEST(recording_stream, does_not_overwrite_files_of_others_that_came_meanwhile)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_error      error = {0};
    atemi_recording *recording = create_streamed(path, 7);
    CHECK(mkdir(path, 0755) == 0);
    folder_put(folder_path(path, "thesis.tex"), "precious");
    for (int i = 0; i < 2; ++i) { // the second time as well
        error = (atemi_error){0};
        CHECK_STATUS(atemi_recording_write(recording, path, &error), ATEMI_ERROR_FILE);
        CHECK_CONTAINS(error.message, "no recording, so it is not overwritten");
        CHECK_EQUAL_STRING(error.file, path);
        CHECK_EQUAL_INT(folder_count(home.path), 1);
    }
    CHECK_EQUAL_STRING(folder_get(folder_path(path, "thesis.tex")), "precious");
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(recording_stream, refuses_what_no_recording_can_be_written_to)
{
    folder           home = folder_create();
    atemi_error      error = {0};
    atemi_recording *recording = create_empty();
    const char      *file = folder_path(home.path, "file");
    folder_put(file, "mine");
    CHECK_STATUS(atemi_recording_stream_to(recording, file, &error), ATEMI_ERROR_FILE);
    CHECK_CONTAINS(error.message, "there is a file of this name");
    CHECK_STATUS(
        atemi_recording_stream_to(recording, folder_path(home.path, "missing/run"), &error),
        ATEMI_ERROR_FILE);
    CHECK_CONTAINS(error.message, "does not exist");
    // It goes on in memory.
    append_rows(recording, 2);
    CHECK(atemi_recording_values(recording, 2)[1] == 1.0);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// ---- What goes wrong

static int warnings;

static void count_warnings(void *context, atemi_log_level level, const char *message)
{
    (void)context;
    warnings += level == ATEMI_LOG_WARNING && strstr(message, "the job continues without it");
}

// As a full disk does: a file cannot grow beyond a size.
static int stream_on_a_small_disk(const char *home)
{
    const struct rlimit limit = {100000, 100000};
    atemi_error         error = {0};
    const char         *path = folder_path(home, "run");
    signal(SIGXFSZ, SIG_IGN);
    atemi_set_log_hook(count_warnings, NULL);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return 1;
    }
    atemi_recording *recording = create_streamed(path, 30000);
    const bool       stopped =
        folder_count(home) == 0 && warnings == 1 && atemi_recording_row_count(recording) == 30000;
    const bool failed = atemi_recording_write(recording, path, &error) == ATEMI_ERROR_FILE &&
                        strcmp(error.file, path) == 0 && strstr(error.message, "larger than");
    atemi_recording_destroy(recording);
    return stopped ? (failed ? 0 : 3) : 2;
}

TEST(recording_stream, on_a_full_disk_warns_removes_its_rows_at_once_and_fails_in_the_end)
{
    folder home = folder_create();
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        _exit(stream_on_a_small_disk(home.path));
    }
    int result = -1;
    CHECK(waitpid(child, &result, 0) == child);
    CHECK(WIFEXITED(result));
    CHECK_EQUAL_INT(WEXITSTATUS(result), 0);
    CHECK_EQUAL_INT(folder_count(home.path), 0);
    folder_remove(home.path);
}

TEST(recording_stream, of_a_killed_process_is_removed_by_the_next_writer)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        create_streamed(path, 30000);
        raise(SIGKILL);
    }
    int result = -1;
    CHECK(waitpid(child, &result, 0) == child);
    CHECK(WIFSIGNALED(result));
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    write_and_destroy(create_streamed(path, 3), path);
    CHECK_EQUAL_INT(rows_in(path), 3);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

static atemi_status stream_all(const char *path)
{
    const atemi_channel channel = {"t", "s", NULL};
    atemi_error         error = {0};
    atemi_recording    *recording;
    atemi_status        status = atemi_recording_create(1, &channel, &recording, &error);
    if (!status) {
        status = atemi_recording_stream_to(recording, path, &error);
    }
    if (!status) {
        status = atemi_recording_append(recording, (double[]){1.0}, &error);
    }
    if (!status) {
        status = atemi_recording_write(recording, path, &error);
    }
    CHECK_STATUS(error.status, status);
    atemi_recording_destroy(recording);
    return status;
}

TEST(recording_stream, without_memory_loses_none_and_leaves_nothing)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    bool        failed = true;
    int         calls = 0;
    for (; failed; ++calls) {
        failing_allocator_install(calls + 1);
        const atemi_status status = stream_all(path);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK((status == ATEMI_OK) == !failed);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
        CHECK(folder_count(home.path) == (failed ? 0 : 1));
    }
    CHECK(calls > 10);
    folder_remove(home.path);
}
