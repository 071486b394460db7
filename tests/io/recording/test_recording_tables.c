// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/recording.h"
#include "bits.h"
#include "check.h"
#include "folder.h"
#include "random.h"
#include "texts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hostile[] = "<b>\"a\\\n,\xe6\x89\x93'";

static const atemi_recorded_column columns[] = {
    {"speed", "m/s"}, {"force", "N"}, {"friction", NULL}, {hostile, "-"}};
static const char *const labels[] = {"C-3", "", hostile};
static const double      values[] = {
    0.1, 310.2, 0.5, NAN, -0.0, 1.0 / 3.0, 0.5, 1e300, 0.2, 4.9406564584e-324, 0.7, -1e-7};
static const int force[] = {1, 3};

static const atemi_recorded_table sweep = {
    .name = "sweep",
    .title = "The force of the strike by its speed.",
    .row_count = 3,
    .column_count = 4,
    .columns = columns,
    .labels = labels,
    .values = values,
    .plot = {.y_count = 2, .y = force, .x = 0, .series = 2},
};

static atemi_recording *create_without_rows(void)
{
    const atemi_channel channel = {"t", "s", NULL};
    atemi_error         error = {0};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(1, &channel, &recording, &error), ATEMI_OK);
    return recording;
}

static void add(atemi_recording *recording, const atemi_recorded_table *table)
{
    atemi_error error = {0};
    CHECK_STATUS(atemi_recording_add_table(recording, table, &error), ATEMI_OK);
}

static void check_same_plot(const atemi_table_plot *a, const atemi_table_plot *b)
{
    CHECK_EQUAL_INT(a->y_count, b->y_count);
    CHECK_EQUAL_INT(a->x, b->x);
    CHECK_EQUAL_INT(a->series, b->series);
    CHECK_EQUAL_INT(a->by_rows, b->by_rows);
    CHECK_EQUAL_INT(a->is_map, b->is_map);
    CHECK(!a->is_map || a->tile == b->tile);
    for (int i = 0; i < a->y_count; ++i) {
        CHECK_EQUAL_INT(a->y[i], b->y[i]);
    }
}

static void check_same(const atemi_recorded_table *a, const atemi_recorded_table *b)
{
    check_same_text(a->name, b->name);
    check_same_text(a->title, b->title);
    CHECK_EQUAL_INT(a->row_count, b->row_count);
    CHECK_EQUAL_INT(a->column_count, b->column_count);
    CHECK((a->labels == NULL) == (b->labels == NULL));
    for (int i = 0; i < a->column_count; ++i) {
        check_same_text(a->columns[i].name, b->columns[i].name);
        check_same_text(a->columns[i].unit ? a->columns[i].unit : "-", b->columns[i].unit);
    }
    for (int i = 0; i < a->row_count; ++i) {
        check_same_text(a->labels ? a->labels[i] : NULL, b->labels ? b->labels[i] : NULL);
    }
    for (int i = 0; i < a->row_count * a->column_count; ++i) {
        CHECK(same_number(a->values[i], b->values[i]));
    }
    check_same_plot(&a->plot, &b->plot);
}

// Writes the recording to a folder and loads it again; it is destroyed.
static atemi_recording *through_a_folder(atemi_recording *recording)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_error      error = {0};
    atemi_recording *loaded;
    CHECK_STATUS(atemi_recording_write(recording, path, &error), ATEMI_OK);
    CHECK_STATUS(atemi_recording_load(path, &loaded, &error), ATEMI_OK);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
    return loaded;
}

// ---- In memory

TEST(recording_tables, are_kept_as_they_were_added)
{
    atemi_recording *recording = create_without_rows();
    CHECK_EQUAL_INT(atemi_recording_table_count(recording), 0);
    add(recording, &sweep);
    CHECK_EQUAL_INT(atemi_recording_table_count(recording), 1);
    check_same(&sweep, atemi_recording_table(recording, 0));
    atemi_recording_destroy(recording);
}

TEST(recording_tables, have_one_of_a_name)
{
    atemi_recording     *recording = create_without_rows();
    atemi_recorded_table other = sweep;
    other.name = "other";
    add(recording, &sweep);
    add(recording, &other);
    other.name = "sweep";
    other.title = NULL;
    other.labels = NULL;
    other.row_count = 2;
    add(recording, &other);
    CHECK_EQUAL_INT(atemi_recording_table_count(recording), 2);
    check_same(&other, atemi_recording_table(recording, 0));
    CHECK_EQUAL_STRING(atemi_recording_table(recording, 1)->name, "other");
    atemi_recording_destroy(recording);
}

TEST(recording_tables, have_nan_for_whatever_is_not_finite)
{
    const atemi_recorded_column column = {"x", NULL};
    const double                three[] = {INFINITY, -INFINITY, NAN};
    const atemi_recorded_table  table = {
         .name = "a", .row_count = 3, .column_count = 1, .columns = &column, .values = three};
    atemi_recording *recording = create_without_rows();
    add(recording, &table);
    for (int i = 0; i < 3; ++i) {
        CHECK(isnan(atemi_recording_table(recording, 0)->values[i]));
    }
    atemi_recording_destroy(recording);
}

static void check_refused(atemi_recorded_table table, atemi_status status, const char *part)
{
    atemi_error      error = {0};
    atemi_recording *recording = create_without_rows();
    CHECK_STATUS(atemi_recording_add_table(recording, &table, &error), status);
    CHECK_CONTAINS(error.message, part);
    CHECK_EQUAL_INT(atemi_recording_table_count(recording), 0);
    atemi_recording_destroy(recording);
}

TEST(recording_tables, without_names_or_with_texts_that_are_none_are_refused)
{
    const atemi_recorded_column twice[] = {{"a", "N"}, {"b", "N"}, {"c", "N"}, {"a", "m"}};
    const atemi_recorded_column no_name[] = {{"a", "N"}, {"", "N"}, {"c", "N"}, {"d", "N"}};
    const atemi_recorded_column bracket[] = {{"a", "N]"}, {"b", "N"}, {"c", "N"}, {"d", "N"}};
    const char *const           latin1[] = {"a", "caf\xe9", "b"};
    const char *const           missing[] = {"a", NULL, "b"};
    atemi_recorded_table        table = sweep;
    table.name = NULL;
    check_refused(table, ATEMI_ERROR_INPUT, "the name of a table is missing");
    table = sweep;
    table.title = "\xff";
    check_refused(table, ATEMI_ERROR_INPUT, "not UTF-8");
    table = sweep;
    table.labels = latin1;
    check_refused(table, ATEMI_ERROR_INPUT, "not UTF-8");
    table.labels = missing;
    check_refused(table, ATEMI_ERROR_INPUT, "label of a row is missing");
    table = sweep;
    table.columns = twice;
    check_refused(table, ATEMI_ERROR_INPUT, "two columns of a table have the name 'a'");
    table.columns = no_name;
    check_refused(table, ATEMI_ERROR_INPUT, "the name of a column is missing");
    table.columns = bracket;
    check_refused(table, ATEMI_ERROR_INPUT, "bracket");
}

TEST(recording_tables, with_plots_of_columns_that_there_are_not_are_refused)
{
    const int            beyond[] = {4}, before[] = {-1};
    atemi_recorded_table table = sweep;
    table.plot = (atemi_table_plot){.y_count = 1, .y = beyond, .series = ATEMI_NONE};
    check_refused(table, ATEMI_ERROR_INPUT, "y of the plot of the table 'sweep' is column 4");
    table.plot.y = before;
    check_refused(table, ATEMI_ERROR_INPUT, "y of the plot");
    table.plot = (atemi_table_plot){.y_count = 1, .y = force, .x = 4, .series = ATEMI_NONE};
    check_refused(table, ATEMI_ERROR_INPUT, "x of the plot");
    table.plot = (atemi_table_plot){.y_count = 1, .y = force, .series = 17};
    check_refused(table, ATEMI_ERROR_INPUT, "the series of the plot");
    table.plot = (atemi_table_plot){.y_count = 1, .y = force}; // a forgotten series is 0, as is x
    check_refused(table, ATEMI_ERROR_INPUT, "also its x or y");
    table.plot = sweep.plot;
    table.plot.is_map = true;
    table.plot.tile = 4;
    check_refused(table, ATEMI_ERROR_INPUT, "the tile of the plot");
    table.plot.series = ATEMI_NONE;
    check_refused(table, ATEMI_ERROR_INPUT, "is a map, which needs a column x and a column series");
}

TEST(recording_tables, are_as_many_as_may_be_and_not_more)
{
    const atemi_recorded_column column = {"x", NULL};
    double                     *zeros = calloc(ATEMI_RECORDING_MAX_CELLS, sizeof *zeros);
    char                        name[16];
    atemi_error                 error = {0};
    atemi_recording            *recording = create_without_rows();
    atemi_recorded_table        table = {.name = name, .column_count = 1, .columns = &column};
    table.values = zeros;
    for (int i = 0; i < ATEMI_RECORDING_MAX_TABLES; ++i) {
        snprintf(name, sizeof name, "%d", i);
        add(recording, &table);
    }
    snprintf(name, sizeof name, "more");
    CHECK_STATUS(atemi_recording_add_table(recording, &table, &error), ATEMI_ERROR_LIMIT);
    CHECK_CONTAINS(error.message, "at most 1000 tables");

    snprintf(name, sizeof name, "7");
    table.row_count = ATEMI_RECORDING_MAX_CELLS - ATEMI_RECORDING_MAX_TABLES;
    add(recording, &table);
    add(recording, &table); // the cells of what is replaced are free again
    ++table.row_count;
    CHECK_STATUS(atemi_recording_add_table(recording, &table, &error), ATEMI_ERROR_LIMIT);
    CHECK_CONTAINS(error.message, "at most 1048576 cells of tables");
    table.row_count = INT_MAX;
    CHECK_STATUS(atemi_recording_add_table(recording, &table, &error), ATEMI_ERROR_LIMIT);
    CHECK_EQUAL_INT(atemi_recording_table_count(recording), ATEMI_RECORDING_MAX_TABLES);
    atemi_recording_destroy(recording);
    free(zeros);
}

TEST(recording_tables, answer_broken_contracts_with_nothing)
{
    atemi_recording     *recording = create_without_rows();
    atemi_recorded_table none = sweep, negative = sweep;
    none.column_count = 0;
    negative.row_count = -1;
    CHECK_BREAKS_CONTRACT(CHECK(atemi_recording_table(recording, 0) == NULL));
    CHECK_BREAKS_CONTRACT(
        CHECK_STATUS(atemi_recording_add_table(recording, &none, NULL), ATEMI_ERROR_CONTRACT));
    CHECK_BREAKS_CONTRACT(
        CHECK_STATUS(atemi_recording_add_table(recording, &negative, NULL), ATEMI_ERROR_CONTRACT));
    atemi_recording_destroy(recording);
}

TEST(recording_tables, without_memory_lose_none)
{
    bool failed = true;
    int  calls = 0;
    for (; failed; ++calls) {
        atemi_error      error = {0};
        atemi_recording *recording = create_without_rows();
        atemi_status     status = ATEMI_OK;
        failing_allocator_install(calls + 1);
        for (int i = 0; i < 2 && !status; ++i) {
            status = atemi_recording_add_table(recording, &sweep, &error);
        }
        const int count = atemi_recording_table_count(recording);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        for (int i = 0; i < count; ++i) {
            check_same(&sweep, atemi_recording_table(recording, i));
        }
        atemi_recording_destroy(recording);
    }
    CHECK(calls > 5);
}

// ---- In a folder

TEST(recording_tables, are_loaded_bit_by_bit)
{
    atemi_recording           *recording = create_without_rows();
    const atemi_recorded_table empty = {.name = hostile, .column_count = 4, .columns = columns};
    atemi_recorded_table       over_rows = sweep;
    over_rows.name = "over rows";
    over_rows.plot.x = over_rows.plot.series = ATEMI_NONE;
    over_rows.plot.by_rows = true;
    atemi_recorded_table map = sweep;
    map.name = "map";
    map.plot.is_map = true;
    map.plot.tile = map.plot.x;
    add(recording, &sweep);
    add(recording, &empty);
    add(recording, &over_rows);
    add(recording, &map);
    recording = through_a_folder(recording);
    CHECK_EQUAL_INT(atemi_recording_row_count(recording), 0);
    CHECK_EQUAL_INT(atemi_recording_table_count(recording), 4);
    check_same(&map, atemi_recording_table(recording, 3));
    check_same(&sweep, atemi_recording_table(recording, 0));
    CHECK_EQUAL_STRING(atemi_recording_table(recording, 1)->name, hostile);
    CHECK_EQUAL_INT(atemi_recording_table(recording, 1)->row_count, 0);
    CHECK_EQUAL_INT(atemi_recording_table(recording, 1)->plot.y_count, 0);
    check_same(&over_rows, atemi_recording_table(recording, 2));
    atemi_recording_destroy(recording);
}

TEST(recording_tables, of_any_numbers_are_loaded_bit_by_bit)
{
    enum { ROWS = 500, COLUMNS = 4 };
    static double        numbers[ROWS * COLUMNS];
    random_stream        stream = random_seeded(3);
    atemi_recorded_table table = {
        .name = "random", .row_count = ROWS, .column_count = COLUMNS, .columns = columns};
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
        const uint64_t bits = random_bits(&stream);
        memcpy(&numbers[i], &bits, sizeof bits);
        numbers[i] = isfinite(numbers[i]) ? numbers[i] : (double)NAN;
    }
    table.values = numbers;
    table.plot.x = table.plot.series = ATEMI_NONE;
    atemi_recording *recording = create_without_rows();
    add(recording, &table);
    recording = through_a_folder(recording);
    check_same(&table, atemi_recording_table(recording, 0));
    atemi_recording_destroy(recording);
}

static void put_summary(const char *folder_of_it, const char *member)
{
    char summary[1000];
    snprintf(summary, sizeof summary,
             "{\"format\": \"atemi-recording\", \"version\": 1, \"atemi\": \"0.1.0\", "
             "\"files\": {\"recording.csv\": 6}, \"rows\": 0, "
             "\"columns\": [{\"name\": \"t\", \"unit\": \"s\"}]%s}",
             member);
    folder_put(folder_path(folder_of_it, "summary.json"), summary);
    folder_put(folder_path(folder_of_it, "recording.csv"), "t [s]\n");
}

TEST(recording_tables, are_none_in_recordings_of_before)
{
    folder           home = folder_create();
    atemi_error      error = {0};
    atemi_recording *loaded;
    put_summary(home.path, "");
    CHECK_STATUS(atemi_recording_load(home.path, &loaded, &error), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_recording_table_count(loaded), 0);
    atemi_recording_destroy(loaded);
    folder_remove(home.path);
}

TEST(recording_tables, that_make_no_sense_are_refused_by_what_is_wrong)
{
    static const char *const entries[][2] = {
        {"7", "\"name\" of entry 1 of \"tables\" is not a string"},
        {"{\"name\": \"a\"}", "\"columns\" of entry 1 of \"tables\""},
        {"{\"name\": \"a\", \"columns\": []}", "an array of columns"},
        {"{\"name\": \"a\", \"columns\": [{\"unit\": \"N\"}]}", "\"name\""},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}]}", "an array of rows"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [1]}", "for each column"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [[1, 2]]}",
         "for each column"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [[\"1\"]]}",
         "a number or null"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [[1]], \"labels\": []}",
         "a text for each row"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [[1]], \"labels\": [1]}",
         "a text for each row"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [], \"plot\": {}}",
         "an array of columns y"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [], "
         "\"plot\": {\"y\": [1.5]}}",
         "an array of columns y"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [], "
         "\"plot\": {\"y\": [0], \"x\": 9999999999}}",
         "columns x and series"},
        {"{\"name\": \"a\", \"columns\": [{\"name\": \"x\"}], \"values\": [], "
         "\"plot\": {\"y\": [1]}}",
         "y of the plot of the table 'a' is column 1"},
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; ++i) {
        char             member[400];
        folder           home = folder_create();
        atemi_error      error = {0};
        atemi_recording *loaded;
        snprintf(member, sizeof member, ", \"tables\": [%s]", entries[i][0]);
        put_summary(home.path, member);
        CHECK_STATUS(atemi_recording_load(home.path, &loaded, &error), ATEMI_ERROR_INPUT);
        CHECK_CONTAINS(error.message, entries[i][1]);
        CHECK_CONTAINS(error.file, "summary.json");
        folder_remove(home.path);
    }
}

TEST(recording_tables, that_find_no_memory_when_loaded_lose_none)
{
    folder           home = folder_create();
    const char      *path = folder_path(home.path, "run");
    atemi_error      error = {0};
    atemi_recording *recording = create_without_rows();
    bool             failed = true;
    add(recording, &sweep);
    CHECK_STATUS(atemi_recording_write(recording, path, &error), ATEMI_OK);
    atemi_recording_destroy(recording);
    for (int calls = 1; failed; ++calls) {
        failing_allocator_install(calls);
        const atemi_status status = atemi_recording_load(path, &recording, &error);
        atemi_recording_destroy(recording);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    folder_remove(home.path);
}

// ---- In reports

TEST(recording_tables, stand_in_the_report_of_a_recording_without_time)
{
    folder      home = folder_create();
    const char *path = folder_path(home.path, "report.html");
    for (int rows = 0; rows < 2 && atemi_report_available(); ++rows) {
        atemi_error      error = {0};
        atemi_recording *recording = create_without_rows();
        for (int i = 0; i < rows; ++i) {
            CHECK_STATUS(atemi_recording_append(recording, (double[]){0.5}, &error), ATEMI_OK);
        }
        add(recording, &sweep);
        recording = through_a_folder(recording);
        CHECK_STATUS(atemi_report_write(recording, path, &error), ATEMI_OK);
        CHECK_EQUAL_INT(folder_count(home.path), 1);
        atemi_recording_destroy(recording);
    }
    folder_remove(home.path);
}
