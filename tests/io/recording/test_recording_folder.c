// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "allocations.h"
#include "atemi/recording.h"
#include "atemi/robots.h"
#include "bits.h"
#include "check.h"
#include "folder.h"
#include "random.h"
#include "texts.h"

#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void check_same_events(const atemi_recording *a, const atemi_recording *b)
{
    CHECK_EQUAL_INT(atemi_recording_event_count(a), atemi_recording_event_count(b));
    for (int i = 0; i < atemi_recording_event_count(a); ++i) {
        const atemi_recorded_event *x = atemi_recording_event(a, i);
        const atemi_recorded_event *y = atemi_recording_event(b, i);
        CHECK(same_number(x->t, y->t));
        check_same_text(x->kind, y->kind);
        check_same_text(x->what, y->what);
        check_same_text(x->text, y->text);
        CHECK_EQUAL_INT(x->value_count, y->value_count);
        for (int k = 0; k < x->value_count; ++k) {
            check_same_text(x->values[k].name, y->values[k].name);
            check_same_text(x->values[k].unit, y->values[k].unit);
            CHECK(same_number(x->values[k].value, y->values[k].value));
        }
    }
}

static void check_same_results(const atemi_recording *a, const atemi_recording *b)
{
    CHECK_EQUAL_INT(atemi_recording_result_count(a), atemi_recording_result_count(b));
    for (int i = 0; i < atemi_recording_result_count(a); ++i) {
        const atemi_recorded_result *x = atemi_recording_result(a, i);
        const atemi_recorded_result *y = atemi_recording_result(b, i);
        check_same_text(x->name, y->name);
        check_same_text(x->unit, y->unit);
        check_same_text(x->source, y->source);
        CHECK(same_number(x->value, y->value) && same_number(x->printed, y->printed) &&
              same_number(x->tolerance, y->tolerance));
    }
}

static void check_same_robots(const atemi_recording *a, const atemi_recording *b)
{
    const atemi_recorded_robot *x = atemi_recording_robot(a);
    const atemi_recorded_robot *y = atemi_recording_robot(b);
    CHECK((x == NULL) == (y == NULL));
    if (!x) {
        return;
    }
    check_same_text(x->name, y->name);
    check_same_text(x->file, y->file);
    CHECK(x->base == y->base && x->mimic_as_coupled == y->mimic_as_coupled);
    CHECK(same_number(x->gravity.z, y->gravity.z) && same_number(x->gravity.x, y->gravity.x));
    CHECK_EQUAL_INT(x->link_count, y->link_count);
    CHECK_EQUAL_INT(x->joint_count, y->joint_count);
    for (int i = 0; i < x->link_count; ++i) {
        check_same_text(x->links[i], y->links[i]);
    }
    for (int i = 0; i < x->joint_count; ++i) {
        check_same_text(x->joints[i], y->joints[i]);
    }
}

static void check_same(const atemi_recording *a, const atemi_recording *b)
{
    CHECK_EQUAL_INT(atemi_recording_row_count(a), atemi_recording_row_count(b));
    CHECK_EQUAL_INT(atemi_recording_channel_count(a), atemi_recording_channel_count(b));
    for (int i = 0; i < atemi_recording_channel_count(a); ++i) {
        check_same_text(atemi_recording_channel(a, i)->name, atemi_recording_channel(b, i)->name);
        check_same_text(atemi_recording_channel(a, i)->unit, atemi_recording_channel(b, i)->unit);
        check_same_text(atemi_recording_channel(a, i)->group, atemi_recording_channel(b, i)->group);
        for (int row = 0; row < atemi_recording_row_count(a); ++row) {
            CHECK(
                same_number(atemi_recording_values(a, i)[row], atemi_recording_values(b, i)[row]));
        }
    }
    check_same_events(a, b);
    check_same_results(a, b);
    check_same_robots(a, b);
    check_same_text(atemi_recording_job(a), atemi_recording_job(b));
    check_same_text(atemi_recording_outcome(a), atemi_recording_outcome(b));
    check_same_text(atemi_recording_version(a), atemi_recording_version(b));
    size_t size_a, size_b;
    check_same_text(atemi_recording_urdf(a, &size_a), atemi_recording_urdf(b, &size_b));
    CHECK_EQUAL_INT(size_a, size_b);
    check_same_text(atemi_recording_scenario(a, &size_a), atemi_recording_scenario(b, &size_b));
    CHECK_EQUAL_INT(size_a, size_b);
}

// Names that quoting, escaping and spreadsheets may stumble over.
static const char *const hostile[] = {
    "q.a,b",       "q.\"quoted\"", "q.two\nlines", "=1+1",    "+1",           "-1",
    "@sum",        " space",       "\ttab",        "q.[rad]", "\xe6\x89\x93", "q.\\back\x01",
    "q.</script>", "q.\r\n",       "\"",           ",",       "q.\x7f",       "q..",
};
enum { HOSTILE_COUNT = sizeof hostile / sizeof hostile[0] };

static double any_number(random_stream *random)
{
    switch (random_index(random, 5)) {
    case 0:
        return NAN;
    case 1:
        return random_index(random, 3) - 1.0;
    case 2: {
        const uint64_t bits = random_bits(random);
        double         value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    default:
        return random_uniform(random, -100.0, 100.0);
    }
}

static void add_parts(atemi_recording *recording, random_stream *random)
{
    atemi_error error = {0};
    for (int i = 0; i < HOSTILE_COUNT; ++i) {
        const atemi_recorded_value  value = {hostile[i], any_number(random), "N,\"s\""};
        const atemi_recorded_event  event = {.t = i,
                                             .kind = hostile[i],
                                             .what = hostile[HOSTILE_COUNT - 1 - i],
                                             .text = i % 2 ? hostile[i] : NULL,
                                             .value_count = i % 3 ? 1 : 0,
                                             .values = &value};
        const atemi_recorded_result result = {
            hostile[i],         any_number(random),        "N m", any_number(random),
            any_number(random), i % 2 ? hostile[i] : NULL, false};
        CHECK_STATUS(atemi_recording_add_event(recording, &event, &error), ATEMI_OK);
        CHECK_STATUS(atemi_recording_add_result(recording, &result, &error), ATEMI_OK);
    }
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("three_link", NULL, &model, &error), ATEMI_OK);
    atemi_recorded_job job = {.name = "simulate", .outcome = "fell\n at \"1\" s", .robot = model};
    job.urdf = atemi_robots_urdf("three_link", &job.urdf_size);
    job.scenario = "robot: three_link\n# \xff is no UTF-8\n";
    job.robot_file = "/some \"where\"/three_link.urdf";
    job.scenario_size = strlen(job.scenario);
    CHECK_STATUS(atemi_recording_describe(recording, &job, &error), ATEMI_OK);
    atemi_model_destroy(model);
}

// A recording with everything in it; another seed, another recording.
static atemi_recording *create_any(uint64_t seed, int rows)
{
    random_stream    random = random_seeded(seed);
    atemi_channel    channels[HOSTILE_COUNT + 1] = {{"t", "s", NULL}};
    atemi_error      error = {0};
    atemi_recording *recording;
    for (int i = 0; i < HOSTILE_COUNT; ++i) {
        channels[i + 1] = (atemi_channel){hostile[i], i % 2 ? "rad/s^2" : "N, \"m\"", NULL};
    }
    CHECK_STATUS(atemi_recording_create(HOSTILE_COUNT + 1, channels, &recording, &error), ATEMI_OK);
    for (int i = 0; i < rows; ++i) {
        double row[HOSTILE_COUNT + 1] = {1e-3 * (double)(i / 2)};
        for (int k = 1; k <= HOSTILE_COUNT; ++k) {
            row[k] = any_number(&random);
        }
        CHECK_STATUS(atemi_recording_append(recording, row, &error), ATEMI_OK);
    }
    add_parts(recording, &random);
    return recording;
}

// One of two channels and three rows.
static atemi_recording *create_small(double last)
{
    const atemi_channel channels[] = {{"t", "s", NULL}, {"q.knee", "rad", NULL}};
    const double        rows[][2] = {{0.0, 0.1}, {0.001, NAN}, {0.002, last}};
    atemi_error         error = {0};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(2, channels, &recording, &error), ATEMI_OK);
    for (int i = 0; i < 3; ++i) {
        CHECK_STATUS(atemi_recording_append(recording, rows[i], &error), ATEMI_OK);
    }
    return recording;
}

static void write_and_destroy(atemi_recording *recording, const char *path)
{
    atemi_error error = {0};
    CHECK_STATUS(atemi_recording_write(recording, path, &error), ATEMI_OK);
    atemi_recording_destroy(recording);
}

static void check_load_fails(const char *path, atemi_status status, const char *part)
{
    atemi_error      error = {0};
    atemi_recording *recording = NULL;
    CHECK_STATUS(atemi_recording_load(path, &recording, &error), status);
    CHECK(recording == NULL);
    CHECK_STATUS(error.status, status);
    CHECK_CONTAINS(error.message, part);
}

static double last_value(const char *path)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(atemi_recording_load(path, &recording, &error), ATEMI_OK);
    const double value =
        atemi_recording_values(recording, 1)[atemi_recording_row_count(recording) - 1];
    atemi_recording_destroy(recording);
    return value;
}

// ---- What is written

TEST(recording_folder, is_loaded_bit_by_bit)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    const int   rows[] = {0, 1, 2, 700};
    for (int i = 0; i < 4; ++i) {
        atemi_error      error = {0};
        atemi_recording *written = create_any((uint64_t)i, rows[i]);
        atemi_recording *loaded;
        CHECK_STATUS(atemi_recording_write(written, path, &error), ATEMI_OK);
        CHECK_STATUS(atemi_recording_load(path, &loaded, &error), ATEMI_OK);
        check_same(written, loaded);
        CHECK_EQUAL_INT(folder_count(path), 4);
        CHECK_EQUAL_INT(folder_count(home.path), 1);
        atemi_recording_destroy(written);
        atemi_recording_destroy(loaded);
    }
    folder_remove(home.path);
}

TEST(recording_folder, has_a_table_that_people_can_read)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    write_and_destroy(create_small(-1.5), path);
    CHECK_EQUAL_STRING(folder_get(folder_path(path, "recording.csv")),
                       "t [s],q.knee [rad]\n0,0.1\n0.001,\n0.002,-1.5\n");
    CHECK_EQUAL_INT(folder_count(path), 2);
    folder_remove(home.path);
}

// RFC 4180 by the letter: fields in quotes, quotes doubled.
TEST(recording_folder, quotes_names_that_spreadsheets_misread)
{
    const atemi_channel channels[] = {{"t", "s", NULL},      {"=1+1", "-", NULL},
                                      {"a,b", "rad", NULL},  {"say \"hi\"", "m", NULL},
                                      {"a\nb", "rad", NULL}, {"a-b", "rad", NULL}};
    folder              home = folder_create();
    const char         *path = folder_path(home.path, "run");
    atemi_error         error = {0};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(6, channels, &recording, &error), ATEMI_OK);
    write_and_destroy(recording, path);
    CHECK_EQUAL_STRING(folder_get(folder_path(path, "recording.csv")),
                       "t [s],\"=1+1 [-]\",\"a,b [rad]\",\"say \"\"hi\"\" [m]\",\"a\nb [rad]\","
                       "a-b [rad]\n");
    folder_remove(home.path);
}

TEST(recording_folder, has_a_summary_that_says_everything_else)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    write_and_destroy(create_any(1, 5), path);
    json_error_t fault;
    json_t      *summary = json_load_file(folder_path(path, "summary.json"), 0, &fault);
    CHECK(summary != NULL);
    CHECK_EQUAL_STRING(json_string_value(json_object_get(summary, "format")), "atemi-recording");
    CHECK_EQUAL_INT(json_integer_value(json_object_get(summary, "version")), 1);
    CHECK_EQUAL_INT(json_integer_value(json_object_get(summary, "rows")), 5);
    CHECK_EQUAL_STRING(json_string_value(json_object_get(summary, "job")), "simulate");
    CHECK_EQUAL_INT(json_array_size(json_object_get(summary, "columns")), HOSTILE_COUNT + 1);
    const json_t *column = json_array_get(json_object_get(summary, "columns"), 1);
    CHECK_EQUAL_STRING(json_string_value(json_object_get(column, "name")), "q.a,b");
    CHECK_EQUAL_STRING(json_string_value(json_object_get(column, "unit")), "N, \"m\"");
    CHECK_EQUAL_STRING(json_string_value(json_object_get(column, "group")), "q");
    const json_t *files = json_object_get(summary, "files");
    CHECK_EQUAL_INT(json_object_size(files), 3);
    const char *names[] = {"recording.csv", "robot.urdf", "scenario.yaml"};
    for (int i = 0; i < 3; ++i) {
        struct stat about;
        CHECK(stat(folder_path(path, names[i]), &about) == 0);
        CHECK_EQUAL_INT(json_integer_value(json_object_get(files, names[i])), about.st_size);
    }
    json_decref(summary);
    folder_remove(home.path);
}

// ---- Where it is written

TEST(recording_folder, may_be_new_or_empty_or_an_older_recording)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    write_and_destroy(create_small(1.0), path);
    CHECK(last_value(path) == 1.0);
    write_and_destroy(create_small(2.0), path);
    CHECK(last_value(path) == 2.0);

    const char *empty = folder_path(home.path, "empty");
    CHECK(mkdir(empty, 0755) == 0);
    write_and_destroy(create_small(3.0), empty);
    CHECK(last_value(empty) == 3.0);

    const char *slashes = folder_path(home.path, "slashes//");
    write_and_destroy(create_small(4.0), slashes);
    CHECK(last_value(slashes) == 4.0);
    CHECK_EQUAL_INT(folder_count(home.path), 3);
    folder_remove(home.path);
}

TEST(recording_folder, loses_files_that_the_new_recording_does_not_have)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    write_and_destroy(create_any(1, 3), path);
    CHECK_EQUAL_INT(folder_count(path), 4);
    write_and_destroy(create_small(1.0), path);
    CHECK_EQUAL_INT(folder_count(path), 2);
    folder_remove(home.path);
}

TEST(recording_folder, keeps_files_of_other_origin)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    write_and_destroy(create_small(1.0), path);
    folder_put(folder_path(path, "report.html"), "report");
    CHECK(mkdir(folder_path(path, "figures"), 0755) == 0);
    folder_put(folder_path(path, "figures/a.svg"), "figure");
    write_and_destroy(create_small(2.0), path);
    CHECK(last_value(path) == 2.0);
    CHECK_EQUAL_STRING(folder_get(folder_path(path, "report.html")), "report");
    CHECK_EQUAL_STRING(folder_get(folder_path(path, "figures/a.svg")), "figure");
    CHECK_EQUAL_INT(folder_count(path), 4);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

static void check_refused(const char *path, const char *part)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_small(9.0);
    CHECK_STATUS(atemi_recording_check_folder(path, &error), ATEMI_ERROR_FILE);
    CHECK_CONTAINS(error.message, part);
    error = (atemi_error){0};
    CHECK_STATUS(atemi_recording_write(recording, path, &error), ATEMI_ERROR_FILE);
    CHECK_CONTAINS(error.message, part);
    atemi_recording_destroy(recording);
}

TEST(recording_folder, with_files_and_no_recording_is_not_overwritten)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "thesis");
    CHECK(mkdir(path, 0755) == 0);
    folder_put(folder_path(path, "chapter1.tex"), "precious");
    check_refused(path, "no recording, so it is not overwritten");
    folder_put(folder_path(path, "summary.json"), "{\"format\": \"other\"}");
    check_refused(path, "no recording, so it is not overwritten");
    folder_put(folder_path(path, "summary.json"), "not JSON");
    check_refused(path, "no recording, so it is not overwritten");
    CHECK_EQUAL_STRING(folder_get(folder_path(path, "chapter1.tex")), "precious");
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

TEST(recording_folder, that_cannot_be_is_refused_before_the_job)
{
    folder      home = folder_create();
    atemi_error error = {0};
    const char *file = folder_path(home.path, "file");
    folder_put(file, "x");
    check_refused(file, "file of this name");
    check_refused(folder_path(home.path, "missing/run"), "does not exist");
    check_refused(folder_path(file, "run"), "not a folder");
    check_refused("", "does not exist");
    check_refused("/", "give a folder inside it");
    check_refused("/proc", "mount point");
    CHECK_STATUS(atemi_recording_check_folder(folder_path(home.path, "new"), &error), ATEMI_OK);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

TEST(recording_folder, that_is_the_current_one_is_refused)
{
    folder home = folder_create();
    char   before[4096];
    CHECK(getcwd(before, sizeof before) != NULL);
    CHECK(chdir(home.path) == 0);
    check_refused(".", "current folder");
    check_refused(home.path, "current folder");
    write_and_destroy(create_small(1.0), "run");
    CHECK(last_value("run") == 1.0);
    CHECK(chdir(before) == 0);
    folder_remove(home.path);
}

TEST(recording_folder, behind_a_symbolic_link_is_replaced_there)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    const char *link = folder_path(home.path, "latest");
    struct stat about;
    write_and_destroy(create_small(1.0), path);
    CHECK(symlink("run", link) == 0);
    write_and_destroy(create_small(2.0), link);
    CHECK(last_value(path) == 2.0);
    CHECK(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
    CHECK_EQUAL_INT(folder_count(home.path), 2);
    folder_remove(home.path);
}

// ---- What goes wrong while it is written

static int run_in_child(int (*job)(const char *path), const char *path)
{
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        _exit(job(path));
    }
    int result = -1;
    CHECK(waitpid(child, &result, 0) == child);
    CHECK(WIFEXITED(result));
    return WEXITSTATUS(result);
}

// As a full disk does: a file cannot grow beyond a size.
static int write_on_a_small_disk(const char *path)
{
    const struct rlimit limit = {4096, 4096};
    atemi_error         error = {0};
    atemi_recording    *recording = create_any(1, 1000);
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return 1;
    }
    const bool failed = atemi_recording_write(recording, path, &error) == ATEMI_ERROR_FILE &&
                        strcmp(error.file, path) == 0 && strstr(error.message, "larger than");
    atemi_recording_destroy(recording);
    return failed ? 0 : 2;
}

TEST(recording_folder, on_a_full_disk_stays_as_it_was)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    CHECK_EQUAL_INT(run_in_child(write_on_a_small_disk, path), 0);
    CHECK_EQUAL_INT(folder_count(home.path), 0);
    write_and_destroy(create_small(1.0), path);
    CHECK_EQUAL_INT(run_in_child(write_on_a_small_disk, path), 0);
    CHECK(last_value(path) == 1.0);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    folder_remove(home.path);
}

static int write_as_nobody(const char *path)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_small(1.0);
    if (geteuid() == 0 && setuid(65534) != 0) {
        return 1;
    }
    const bool refused = atemi_recording_check_folder(path, &error) == ATEMI_ERROR_FILE &&
                         strstr(error.message, "no permission") &&
                         atemi_recording_write(recording, path, &error) == ATEMI_ERROR_FILE &&
                         strstr(error.message, "no permission");
    atemi_recording_destroy(recording);
    return refused ? 0 : 2;
}

TEST(recording_folder, without_permission_is_refused)
{
    folder home = folder_create();
    CHECK(chmod(home.path, 0555) == 0);
    CHECK_EQUAL_INT(run_in_child(write_as_nobody, folder_path(home.path, "run")), 0);
    folder_remove(home.path);
}

static int write_for_ever(atemi_recording *const recordings[2], const char *path)
{
    for (int i = 1;; ++i) {
        if (atemi_recording_write(recordings[i % 2], path, NULL)) {
            return 1;
        }
    }
}

static void sleep_for(long nanoseconds)
{
    const struct timespec time = {0, nanoseconds};
    nanosleep(&time, NULL);
}

static bool is_of(const atemi_recording *loaded, const atemi_recording *recording)
{
    return same_number(atemi_recording_result(loaded, 1)->value,
                       atemi_recording_result(recording, 1)->value);
}

// A child replaces one recording by another again and again until it is killed, somewhere in the
// middle. Each time the folder holds one of the two, whole, and what is left beside it is gone when
// somebody has written to the end.
TEST(recording_folder, holds_the_old_or_the_new_recording_when_the_writer_is_killed)
{
    enum { KILLS = 25 };
    folder           home = folder_create();
    random_stream    random = random_seeded(7);
    atemi_recording *recordings[2] = {create_any(1, 300), create_any(2, 300)};
    const char      *path = folder_path(home.path, "run");
    int              left = 0;
    CHECK_STATUS(atemi_recording_write(recordings[0], path, NULL), ATEMI_OK);
    fflush(NULL);
    for (int i = 0; i < KILLS; ++i) {
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            _exit(write_for_ever(recordings, path));
        }
        sleep_for(20000000 + (long)(random_bits(&random) % 20000000));
        CHECK(kill(child, SIGKILL) == 0);
        int result;
        CHECK(waitpid(child, &result, 0) == child);
        CHECK(WIFSIGNALED(result));
        left += folder_count(home.path) - 1;

        atemi_error      error = {0};
        atemi_recording *loaded;
        CHECK_STATUS(atemi_recording_load(path, &loaded, &error), ATEMI_OK);
        check_same(loaded, recordings[is_of(loaded, recordings[0]) ? 0 : 1]);
        atemi_recording_destroy(loaded);
    }
    CHECK(left > 0); // some were killed in the middle
    CHECK_STATUS(atemi_recording_write(recordings[0], path, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    CHECK(!same_number(atemi_recording_result(recordings[0], 1)->value,
                       atemi_recording_result(recordings[1], 1)->value));
    atemi_recording_destroy(recordings[0]);
    atemi_recording_destroy(recordings[1]);
    folder_remove(home.path);
}

// ---- Several writers

enum { WRITERS = 4, WRITTEN = 20 };

typedef struct writer {
    pthread_t        thread;
    const char      *path;
    atemi_recording *recording;
    int              failures;
} writer;

static void *write_again_and_again(void *context)
{
    writer *self = (writer *)context;
    for (int i = 0; i < WRITTEN; ++i) {
        self->failures += atemi_recording_write(self->recording, self->path, NULL) != ATEMI_OK;
    }
    return NULL;
}

TEST(recording_folder, of_several_writers_at_once_is_of_one_of_them)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    writer      writers[WRITERS];
    for (int i = 0; i < WRITERS; ++i) {
        writers[i] = (writer){.path = path, .recording = create_any((uint64_t)i + 1, 100)};
    }
    CHECK_STATUS(atemi_recording_write(writers[0].recording, path, NULL), ATEMI_OK);
    for (int i = 0; i < WRITERS; ++i) {
        CHECK(pthread_create(&writers[i].thread, NULL, write_again_and_again, &writers[i]) == 0);
    }
    atemi_recording *loaded;
    int              owners = 0;
    for (int i = 0; i < WRITERS; ++i) {
        CHECK(pthread_join(writers[i].thread, NULL) == 0);
        CHECK_EQUAL_INT(writers[i].failures, 0);
    }
    CHECK_STATUS(atemi_recording_load(path, &loaded, NULL), ATEMI_OK);
    for (int i = 0; i < WRITERS; ++i) {
        owners += is_of(loaded, writers[i].recording);
        atemi_recording_destroy(writers[i].recording);
    }
    CHECK_EQUAL_INT(owners, 1);
    CHECK_EQUAL_INT(folder_count(home.path), 1);
    atemi_recording_destroy(loaded);
    folder_remove(home.path);
}

// ---- What is no recording

TEST(recording_folder, that_holds_none_says_so)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    check_load_fails(path, ATEMI_ERROR_FILE, "no such folder");
    CHECK(mkdir(path, 0755) == 0);
    check_load_fails(path, ATEMI_ERROR_FILE, "no summary.json");
    folder_put(folder_path(path, "summary.json"), "{}");
    check_load_fails(path, ATEMI_ERROR_INPUT, "not the summary of a recording");
    check_load_fails(folder_path(path, "summary.json"), ATEMI_ERROR_FILE, "not a folder");
    folder_put(folder_path(path, "summary.json"), "[1, 2");
    check_load_fails(path, ATEMI_ERROR_SYNTAX, "ends too early");
    folder_put(folder_path(path, "summary.json"), "");
    check_load_fails(path, ATEMI_ERROR_SYNTAX, "");
    folder_remove(home.path);
}

// Replaces a part of a file by another of any length.
static void change(const char *path, const char *part, const char *by)
{
    char        text[1 << 14];
    const char *before = folder_get(path);
    const char *found = strstr(before, part);
    CHECK(found != NULL);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(found - before), before, by,
             found + strlen(part));
    folder_put(path, text);
}

static void check_changed_summary(const char *part, const char *by, atemi_status status,
                                  const char *message)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    write_and_destroy(create_small(1.0), path);
    change(folder_path(path, "summary.json"), part, by);
    check_load_fails(path, status, message);
    folder_remove(home.path);
}

TEST(recording_folder, of_a_newer_version_says_so)
{
    check_changed_summary("\"version\": 1", "\"version\": 2", ATEMI_ERROR_INPUT,
                          "newer format, version 2");
}

TEST(recording_folder, with_nonsense_in_the_summary_says_what)
{
    check_changed_summary("\"version\": 1", "\"version\": 0", ATEMI_ERROR_INPUT, "\"version\"");
    check_changed_summary("\"rows\": 3", "\"rows\": -3", ATEMI_ERROR_INPUT, "\"rows\"");
    check_changed_summary("\"rows\": 3", "\"rows\": 999999999", ATEMI_ERROR_LIMIT, "at most");
    check_changed_summary("\"rows\": 3", "\"rows\": 99999999", ATEMI_ERROR_SYNTAX, "truncated");
    check_changed_summary("\"rows\": 3", "\"rows\": 4", ATEMI_ERROR_SYNTAX,
                          "truncated: rows are missing; 3 rows of 4");
    check_changed_summary("\"rows\": 3", "\"rows\": 2", ATEMI_ERROR_SYNTAX, "more rows than the 2");
    check_changed_summary("\"name\": \"t\"", "\"name\": 5", ATEMI_ERROR_INPUT,
                          "\"name\" of entry 1 of \"columns\" is not a string");
    check_changed_summary("\"name\": \"t\"", "\"name\": \"x\"", ATEMI_ERROR_INPUT, "first channel");
    check_changed_summary("q.knee", "q.elbow", ATEMI_ERROR_SYNTAX, "header");
    check_changed_summary("\"events\": []", "\"events\": [{\"t\": null, \"kind\": \"a\"}]",
                          ATEMI_ERROR_INPUT, "time of an event");
    check_changed_summary("\"events\": []", "\"events\": {}", ATEMI_ERROR_INPUT, "an array");
    check_changed_summary("\"events\": []", "\"events\": [7]", ATEMI_ERROR_INPUT, "entry 1");
    check_changed_summary("\"results\": {}", "\"results\": {\"a\": {\"value\": \"b\"}}",
                          ATEMI_ERROR_INPUT, "\"value\" in \"a\" is not a number");
    check_changed_summary("\"recording.csv\": ", "\"other.csv\": ", ATEMI_ERROR_INPUT,
                          "recording.csv");
    check_changed_summary("\"rows\": 3", "\"rows\": 3, \"rows\": 3", ATEMI_ERROR_SYNTAX,
                          "duplicate");
    check_changed_summary("\"rows\": 3", "\"rows\": 3,\n  \"robot\": {\"name\": \"a\"}",
                          ATEMI_ERROR_INPUT, "\"base\" in \"robot\"");
}

// Cut anywhere, a file is not what the summary says it is; a cut summary is no JSON.
TEST(recording_folder, that_is_truncated_says_so_wherever_it_is_cut)
{
    folder      home = folder_create();
    const char *names[] = {"recording.csv", "summary.json"};
    const char *path = folder_path(home.path, "run");
    write_and_destroy(create_small(1.0), path);
    for (int i = 0; i < 2; ++i) {
        const char *file = folder_path(path, names[i]);
        char       *whole = strdup(folder_get(file));
        CHECK(whole != NULL);
        // Without the newline at its end, summary.json is still whole.
        for (int length = (int)strlen(whole) - (i == 1 ? 2 : 1); length >= 0; --length) {
            CHECK(truncate(file, length) == 0);
            check_load_fails(path, ATEMI_ERROR_SYNTAX, "");
        }
        folder_put(file, whole);
        free(whole);
    }
    CHECK(last_value(path) == 1.0);
    CHECK(truncate(folder_path(path, "recording.csv"), 30) == 0);
    check_load_fails(path, ATEMI_ERROR_SYNTAX, "truncated: the file has 30 bytes of the 40");
    CHECK(remove(folder_path(path, "recording.csv")) == 0);
    check_load_fails(path, ATEMI_ERROR_FILE, "missing");
    folder_remove(home.path);
}

static void check_table(const char *text, int line, int column, const char *part)
{
    folder           home = folder_create();
    atemi_error      error = {0};
    atemi_recording *recording;
    const char      *path = folder_path(home.path, "run");
    char             size[64];
    write_and_destroy(create_small(1.0), path);
    snprintf(size, sizeof size, "\"recording.csv\": %d", (int)strlen(text));
    change(folder_path(path, "summary.json"), "\"recording.csv\": 40", size);
    folder_put(folder_path(path, "recording.csv"), text);
    const atemi_status status = atemi_recording_load(path, &recording, &error);
    CHECK_CONTAINS(error.message, part);
    CHECK_STATUS(status, ATEMI_ERROR_SYNTAX);
    CHECK_EQUAL_INT(error.line, line);
    CHECK_EQUAL_INT(error.column, column);
    CHECK_CONTAINS(error.file, "recording.csv");
    folder_remove(home.path);
}

TEST(recording_folder, with_a_bad_number_says_in_which_line_and_column)
{
    const char *header = "t [s],q.knee [rad]\n";
    char        text[256];
    snprintf(text, sizeof text, "%s0,1\n0.1,1.5x\n0.2,3\n", header);
    check_table(text, 3, 5, "the field of 'q.knee' is not a number");
    snprintf(text, sizeof text, "%s0,1\n0.1,nan\n0.2,3\n", header);
    check_table(text, 3, 5, "not finite");
    snprintf(text, sizeof text, "%s0,1\n0.1,1e999\n0.2,3\n", header);
    check_table(text, 3, 5, "beyond double precision");
    snprintf(text, sizeof text, "%s0,1\n,2\n0.2,3\n", header);
    check_table(text, 3, 1, "time of the row is missing");
    snprintf(text, sizeof text, "%s0,1\n0.3,2\n0.2,3\n", header);
    check_table(text, 4, 1, "before that of the row above");
    snprintf(text, sizeof text, "%s0,1\n0.1\n0.2,3\n", header);
    check_table(text, 3, 4, "fewer than the 2 fields");
    snprintf(text, sizeof text, "%s0,1\n0.1,2,3\n0.2,3\n", header);
    check_table(text, 3, 6, "more than the 2 fields");
    snprintf(text, sizeof text, "%s0,1\n\n0.2,3\n", header);
    check_table(text, 3, 1, "fewer than the 2 fields");
    snprintf(text, sizeof text, "%s0,1\n0.1,2\n0.2,%0100d\n", header, 1);
    check_table(text, 4, 5, "not a number");
    snprintf(text, sizeof text, "%s0,1\n0.1,2\n0.2,3", header);
    check_table(text, 4, 0, "truncated: the last line is incomplete; 2 rows of 3");
    snprintf(text, sizeof text, "%s0,1\n0.1,2\n", header);
    check_table(text, 4, 0, "truncated: rows are missing; 2 rows of 3");
    check_table("t [s],q.hips [rad]\n0,1\n0.1,2\n0.2,3\n", 1, 9, "header");
}

TEST(recording_folder, with_a_line_without_end_is_refused)
{
    enum { LENGTH = 3 << 20 };
    folder      home = folder_create();
    const char *path = folder_path(home.path, "run");
    char       *text = malloc(LENGTH + 1);
    CHECK(text != NULL);
    memset(text, '1', LENGTH);
    memcpy(text, "t [s],q.knee [rad]\n", 19);
    text[LENGTH] = '\0';
    write_and_destroy(create_small(1.0), path);
    char size[64];
    snprintf(size, sizeof size, "\"recording.csv\": %d", LENGTH);
    change(folder_path(path, "summary.json"), "\"recording.csv\": 40", size);
    folder_put(folder_path(path, "recording.csv"), text);
    check_load_fails(path, ATEMI_ERROR_SYNTAX, "longer than any row");
    free(text);
    folder_remove(home.path);
}

// ---- Memory

static atemi_status write_and_load(const atemi_recording *recording, const char *path)
{
    atemi_error      error = {0};
    atemi_recording *loaded = NULL;
    atemi_status     status = atemi_recording_write(recording, path, &error);
    if (!status) {
        status = atemi_recording_load(path, &loaded, &error);
    }
    CHECK_STATUS(error.status, status);
    atemi_recording_destroy(loaded);
    return status;
}

TEST(recording_folder, without_memory_loses_none_and_leaves_the_old_recording)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_recording *recording = create_any(1, 3);
    bool             failed = true;
    int              calls = 0;
    for (; failed; ++calls) {
        failing_allocator_install(calls + 1);
        const atemi_status status = write_and_load(recording, path);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK((status == ATEMI_OK) == !failed);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
        CHECK(folder_count(home.path) <= 1);
    }
    CHECK(calls > 20);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// jansson takes memory by its own hook.
static struct {
    int calls_before_failure, outstanding;
} jansson;

static void *jansson_allocate(size_t size)
{
    if (jansson.calls_before_failure-- == 0) {
        return NULL;
    }
    void *block = malloc(size);
    jansson.outstanding += block != NULL;
    return block;
}

static void jansson_release(void *block)
{
    jansson.outstanding -= block != NULL;
    free(block);
}

TEST(recording_folder, whose_summary_finds_no_memory_is_an_error)
{
    folder       home = folder_create();
    const char  *path = folder_path(home.path, "run");
    atemi_status status = ATEMI_ERROR_MEMORY;
    write_and_destroy(create_any(1, 3), path);
    int calls = 0;
    for (; status; ++calls) {
        jansson.calls_before_failure = calls;
        json_set_alloc_funcs(jansson_allocate, jansson_release);
        atemi_error      error = {0};
        atemi_recording *loaded = NULL;
        status = atemi_recording_load(path, &loaded, &error);
        json_set_alloc_funcs(malloc, free);
        CHECK(status == ATEMI_OK || calls < 10000);
        CHECK((status == ATEMI_OK) == (loaded != NULL));
        CHECK_EQUAL_INT(jansson.outstanding, 0);
        atemi_recording_destroy(loaded);
    }
    CHECK(calls > 50);
    folder_remove(home.path);
}

// ---- Surfaces

static void check_same_surface(const atemi_surface *a, const atemi_surface *b)
{
    CHECK(a->kind == b->kind && a->radius == b->radius);
    CHECK(a->position.x == b->position.x && a->position.y == b->position.y &&
          a->position.z == b->position.z);
    CHECK(a->axis.x == b->axis.x && a->axis.y == b->axis.y && a->axis.z == b->axis.z);
    CHECK(a->table.columns == b->table.columns && a->table.rows == b->table.rows);
    CHECK(a->table.spacing_x == b->table.spacing_x && a->table.spacing_y == b->table.spacing_y);
    for (int i = 0; i < a->table.columns * a->table.rows; ++i) {
        CHECK(a->table.heights[i] == b->table.heights[i]);
    }
}

TEST(recording_folder, has_its_surfaces_back)
{
    const double                 heights[] = {0.0, 0.1, 1.0 / 3.0, -1e-17, 5e-324, 2.0};
    const atemi_recorded_surface surfaces[] = {
        {"floor", atemi_surface_floor()},
        {"slope \"1\"",
         {.kind = ATEMI_SURFACE_PLANE, .position = {1.0, 2.0, 3.0}, .axis = {0.6, 0.0, 0.8}}},
        {"ball", {.kind = ATEMI_SURFACE_SPHERE, .radius = -0.3}},
        {"pipe", {.kind = ATEMI_SURFACE_CYLINDER, .axis = {0.0, 1.0, 0.0}, .radius = 0.1}},
        {"ridge", {.kind = ATEMI_SURFACE_HEIGHTS, .table = {3, 2, 0.1, 1.0 / 7.0, heights}}}};
    const int        count = sizeof surfaces / sizeof surfaces[0];
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_error      error = {0};
    atemi_recording *recording = create_any(1, 3), *loaded;
    for (int i = 0; i < count; ++i) {
        CHECK_STATUS(atemi_recording_add_surface(recording, &surfaces[i], &error), ATEMI_OK);
    }
    CHECK_STATUS(atemi_recording_write(recording, path, &error), ATEMI_OK);
    CHECK_STATUS(atemi_recording_load(path, &loaded, &error), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_recording_surface_count(loaded), count);
    for (int i = 0; i < count; ++i) {
        const atemi_recorded_surface *here = atemi_recording_surface(recording, i);
        const atemi_recorded_surface *there = atemi_recording_surface(loaded, i);
        CHECK_EQUAL_STRING(there->name, surfaces[i].name);
        check_same_surface(&here->surface, &there->surface);
    }
    check_same_surface(&atemi_recording_surface(loaded, 4)->surface,
                       &(atemi_surface){.kind = ATEMI_SURFACE_HEIGHTS,
                                        .axis = {0.0, 0.0, 1.0},
                                        .table = {3, 2, 0.1, 1.0 / 7.0, heights}});
    atemi_recording_destroy(loaded);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(recording_folder, refuses_surfaces_that_make_no_sense)
{
    static const char *const entries[][2] = {
        {"{\"kind\": \"plane\"}", "\"name\""},
        {"{\"name\": \"a\", \"kind\": \"cube\"}", "plane, sphere"},
        {"{\"name\": \"a\", \"kind\": \"plane\", \"position\": [0, 0]}", "3 numbers"},
        {"{\"name\": \"a\", \"kind\": \"plane\", \"position\": [0, 0, 0], \"axis\": [0, 0, 2]}",
         "length 1"},
        {"{\"name\": \"a\", \"kind\": \"heights\", \"position\": [0, 0, 0], \"columns\": 99999, "
         "\"rows\": 99999, \"spacing\": [1, 1], \"heights\": []}",
         "\"rows\""},
        {"{\"name\": \"a\", \"kind\": \"heights\", \"position\": [0, 0, 0], \"columns\": 2, "
         "\"rows\": 2, \"spacing\": [1, 1], \"heights\": [1, 2, 3]}",
         "4 numbers"},
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; ++i) {
        folder      home = folder_create();
        atemi_error error = {0};
        char        summary[600];
        snprintf(summary, sizeof summary,
                 "{\"format\": \"atemi-recording\", \"version\": 1, \"atemi\": \"0.1.0\", "
                 "\"files\": {\"recording.csv\": 6}, \"rows\": 0, "
                 "\"columns\": [{\"name\": \"t\", \"unit\": \"s\"}], \"surfaces\": [%s]}",
                 entries[i][0]);
        folder_put(folder_path(home.path, "summary.json"), summary);
        folder_put(folder_path(home.path, "recording.csv"), "t [s]\n");
        atemi_recording *loaded;
        CHECK_STATUS(atemi_recording_load(home.path, &loaded, &error), ATEMI_ERROR_INPUT);
        CHECK_CONTAINS(error.message, entries[i][1]);
        folder_remove(home.path);
    }
}
