// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/recording/recording_json.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// An entry of "tables" in summary.json. What is taken from memory is bounded by what the JSON has:
// a column, a label and a value are entries of arrays.

static atemi_status read_columns(const json_t *object, atemi_recording_place at,
                                 atemi_recorded_table *table, atemi_error *error)
{
    const json_t *array = json_object_get(object, "columns");
    const size_t  count = json_array_size(array);
    if (count == 0) {
        return atemi_recording_json_complain(at, "columns", "an array of columns", error);
    }
    if (count > ATEMI_RECORDING_MAX_CELLS) {
        return atemi_recording_full("cells of tables", ATEMI_RECORDING_MAX_CELLS, error);
    }
    atemi_recorded_column *columns =
        (atemi_recorded_column *)atemi_recording_allocate(count, sizeof *columns);
    if (!columns) {
        return atemi_recording_no_memory(error);
    }
    table->columns = columns;
    table->column_count = (int)count;
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < count && !status; ++i) {
        const json_t *column = json_array_get(array, i);
        status = atemi_recording_json_string(column, at, "name", true, &columns[i].name, error);
        if (!status) {
            status =
                atemi_recording_json_string(column, at, "unit", false, &columns[i].unit, error);
        }
    }
    return status;
}

static atemi_status read_row(const json_t *row, int count, atemi_recording_place at, double *values,
                             atemi_error *error)
{
    bool is_row = json_array_size(row) == (size_t)count;
    for (int i = 0; i < count && is_row; ++i) {
        const json_t *entry = json_array_get(row, (size_t)i);
        is_row = json_is_number(entry) || json_is_null(entry);
        values[i] = json_is_number(entry) ? json_number_value(entry) : (double)NAN;
    }
    return is_row ? ATEMI_OK
                  : atemi_recording_json_complain(
                        at, "values", "an array of rows, with a number or null for each column",
                        error);
}

static atemi_status read_values(const json_t *object, atemi_recording_place at,
                                atemi_recorded_table *table, atemi_error *error)
{
    const json_t *array = json_object_get(object, "values");
    const size_t  rows = json_array_size(array);
    const size_t  columns = (size_t)table->column_count;
    if (!json_is_array(array)) {
        return atemi_recording_json_complain(at, "values", "an array of rows", error);
    }
    if (rows > ATEMI_RECORDING_MAX_CELLS / columns) {
        return atemi_recording_full("cells of tables", ATEMI_RECORDING_MAX_CELLS, error);
    }
    double *values = (double *)atemi_recording_allocate(rows * columns + 1, sizeof *values);
    if (!values) {
        return atemi_recording_no_memory(error);
    }
    table->values = values;
    table->row_count = (int)rows;
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < rows && !status; ++i) {
        status = read_row(json_array_get(array, i), table->column_count, at, values + i * columns,
                          error);
    }
    return status;
}

static atemi_status read_labels(const json_t *object, atemi_recording_place at,
                                atemi_recorded_table *table, atemi_error *error)
{
    const json_t *array = json_object_get(object, "labels");
    const size_t  count = (size_t)table->row_count;
    if (!array) {
        return ATEMI_OK;
    }
    if (!json_is_array(array) || json_array_size(array) != count) {
        return atemi_recording_json_complain(at, "labels", "an array of a text for each row",
                                             error);
    }
    const char **labels = (const char **)atemi_recording_allocate(count + 1, sizeof *labels);
    table->labels = labels;
    for (size_t i = 0; i < count && labels; ++i) {
        labels[i] = json_string_value(json_array_get(array, i));
        if (!labels[i]) {
            return atemi_recording_json_complain(at, "labels", "an array of a text for each row",
                                                 error);
        }
    }
    return labels ? ATEMI_OK : atemi_recording_no_memory(error);
}

// A column by its index; the table itself says whether it has one of that index.
static bool read_column_index(const json_t *value, int *column)
{
    const json_int_t index = json_integer_value(value);
    *column = ATEMI_NONE;
    if (!json_is_integer(value) || index < 0 || index > INT_MAX) {
        return false;
    }
    *column = (int)index;
    return true;
}

static bool read_known_column(const json_t *plot, const char *key, int *column)
{
    const json_t *value = json_object_get(plot, key);
    *column = ATEMI_NONE;
    return !value || json_is_null(value) || read_column_index(value, column);
}

static atemi_status read_y(const json_t *plot, atemi_recording_place at,
                           atemi_recorded_table *table, atemi_error *error)
{
    const json_t *array = json_object_get(plot, "y");
    const size_t  count = json_array_size(array);
    if (count == 0 || count > (size_t)table->column_count) {
        return atemi_recording_json_complain(at, "plot", "one with an array of columns y", error);
    }
    int *y = (int *)atemi_recording_allocate(count, sizeof *y);
    table->plot.y = y;
    table->plot.y_count = (int)count;
    for (size_t i = 0; i < count && y; ++i) {
        if (!read_column_index(json_array_get(array, i), &y[i])) {
            return atemi_recording_json_complain(at, "plot", "one with an array of columns y",
                                                 error);
        }
    }
    return y ? ATEMI_OK : atemi_recording_no_memory(error);
}

static atemi_status read_plot(const json_t *object, atemi_recording_place at,
                              atemi_recorded_table *table, atemi_error *error)
{
    const json_t *plot = json_object_get(object, "plot");
    if (!plot || json_is_null(plot)) {
        return ATEMI_OK;
    }
    if (!read_known_column(plot, "x", &table->plot.x) ||
        !read_known_column(plot, "series", &table->plot.series) ||
        !read_known_column(plot, "tile", &table->plot.tile)) {
        return atemi_recording_json_complain(at, "plot", "one with columns x and series", error);
    }
    const char *join = json_string_value(json_object_get(plot, "join"));
    table->plot.by_rows = join && strcmp(join, "rows") == 0;
    table->plot.is_map = join && strcmp(join, "cells") == 0;
    return read_y(plot, at, table, error);
}

static atemi_status read_parts(const json_t *object, atemi_recording_place at,
                               atemi_recorded_table *table, atemi_error *error)
{
    atemi_status status =
        atemi_recording_json_string(object, at, "name", true, &table->name, error);
    if (!status) {
        status = atemi_recording_json_string(object, at, "title", false, &table->title, error);
    }
    if (!status) {
        status = read_columns(object, at, table, error);
    }
    if (!status) {
        status = read_values(object, at, table, error);
    }
    if (!status) {
        status = read_labels(object, at, table, error);
    }
    return status ? status : read_plot(object, at, table, error);
}

atemi_status atemi_recording_read_table(const json_t *object, int index, atemi_recording *recording,
                                        atemi_error *error)
{
    const atemi_recording_place at = {"tables", index};
    atemi_recorded_table        table = {0};
    atemi_status                status = read_parts(object, at, &table, error);
    if (!status) {
        status = atemi_recording_add_table(recording, &table, error);
    }
    atemi_recording_release_table(&table);
    return status;
}
