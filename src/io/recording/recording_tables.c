// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_parts.h"

#include <string.h>

static long long value_count(const atemi_recorded_table *table)
{
    return (long long)table->row_count * table->column_count;
}

// The head counts as a row.
static long long cell_count(const atemi_recorded_table *table)
{
    return value_count(table) + table->column_count;
}

// ---- What is refused

static atemi_status check_names(const atemi_recorded_table *table, atemi_error *error)
{
    const size_t count = (size_t)table->column_count;
    atemi_name  *names = (atemi_name *)atemi_recording_allocate(count, sizeof *names);
    if (!names) {
        return atemi_recording_no_memory(error);
    }
    for (int i = 0; i < table->column_count; ++i) {
        names[i] = (atemi_name){table->columns[i].name, i};
    }
    const atemi_status status =
        atemi_recording_sort_names(names, table->column_count, "columns of a table", error);
    atemi_release(names);
    return status;
}

static atemi_status check_columns(const atemi_recorded_table *table, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < table->column_count && !status; ++i) {
        const atemi_recorded_column *column = &table->columns[i];
        status = atemi_recording_check_name(column->name, "the name of a column", error);
        if (!status) {
            status = atemi_recording_check_unit(column->unit, column->name, error);
        }
    }
    return status ? status : check_names(table, error);
}

static atemi_status check_labels(const atemi_recorded_table *table, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; table->labels && i < table->row_count && !status; ++i) {
        status = table->labels[i]
                     ? atemi_recording_check_text(table->labels[i], "the label of a row", error)
                     : atemi_fail(error, ATEMI_ERROR_INPUT, "the label of a row is missing");
    }
    return status;
}

static atemi_status check_plot_column(const atemi_recorded_table *table, const char *which,
                                      int column, atemi_error *error)
{
    return column >= 0 && column < table->column_count
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "%s of the plot of the table '%s' is column %d, and the table has the "
                            "columns 0 to %d",
                            which, table->name, column, table->column_count - 1);
}

static atemi_status check_series(const atemi_recorded_table *table, atemi_error *error)
{
    const atemi_table_plot *plot = &table->plot;
    bool                    is_drawn = plot->series == plot->x;
    for (int i = 0; i < plot->y_count; ++i) {
        is_drawn |= plot->series == plot->y[i];
    }
    return is_drawn ? atemi_fail(error, ATEMI_ERROR_INPUT,
                                 "the series of the plot of the table '%s' is also its x or y; "
                                 "without series it is ATEMI_NONE",
                                 table->name)
                    : check_plot_column(table, "the series", plot->series, error);
}

static atemi_status check_map(const atemi_recorded_table *table, atemi_error *error)
{
    const atemi_table_plot *plot = &table->plot;
    if (plot->x == ATEMI_NONE || plot->series == ATEMI_NONE) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the plot of the table '%s' is a map, which needs a column x and a "
                          "column series",
                          table->name);
    }
    return plot->tile == ATEMI_NONE ? ATEMI_OK
                                    : check_plot_column(table, "the tile", plot->tile, error);
}

static atemi_status check_plot(const atemi_recorded_table *table, atemi_error *error)
{
    const atemi_table_plot *plot = &table->plot;
    atemi_status            status = ATEMI_OK;
    for (int i = 0; i < plot->y_count && !status; ++i) {
        status = check_plot_column(table, "y", plot->y[i], error);
    }
    if (!status && plot->y_count > 0 && plot->x != ATEMI_NONE) {
        status = check_plot_column(table, "x", plot->x, error);
    }
    if (!status && plot->y_count > 0 && plot->series != ATEMI_NONE) {
        status = check_series(table, error);
    }
    if (!status && plot->y_count > 0 && plot->is_map) {
        status = check_map(table, error);
    }
    return status;
}

static atemi_status check_table(const atemi_recorded_table *table, atemi_error *error)
{
    atemi_status status = atemi_recording_check_name(table->name, "the name of a table", error);
    if (!status) {
        status = atemi_recording_check_text(table->title, "the title of a table", error);
    }
    if (!status) {
        status = check_columns(table, error);
    }
    if (!status) {
        status = check_labels(table, error);
    }
    return status ? status : check_plot(table, error);
}

// The index of a table, or that of a new one.
static int find_table(const atemi_recording *recording, const char *name)
{
    int index = 0;
    while (index < recording->table_count && strcmp(recording->tables[index].name, name) != 0) {
        ++index;
    }
    return index;
}

static long long cells_before(const atemi_recording *recording, int index)
{
    return recording->cell_count -
           (index < recording->table_count ? cell_count(&recording->tables[index]) : 0);
}

static atemi_status check_capacity(const atemi_recording *recording, int index,
                                   const atemi_recorded_table *table, atemi_error *error)
{
    if (index == ATEMI_RECORDING_MAX_TABLES) {
        return atemi_recording_full("tables", ATEMI_RECORDING_MAX_TABLES, error);
    }
    return cells_before(recording, index) + cell_count(table) > ATEMI_RECORDING_MAX_CELLS
               ? atemi_recording_full("cells of tables", ATEMI_RECORDING_MAX_CELLS, error)
               : ATEMI_OK;
}

// ---- A copy

void atemi_recording_release_table(const atemi_recorded_table *table)
{
    atemi_release((void *)table->columns);
    atemi_release((void *)table->labels);
    atemi_release((void *)table->values);
    atemi_release((void *)table->plot.y);
}

static atemi_recorded_column *keep_columns(atemi_recording            *recording,
                                           const atemi_recorded_table *table, bool *failed)
{
    atemi_recorded_column *columns = (atemi_recorded_column *)atemi_recording_allocate(
        (size_t)table->column_count, sizeof *columns);
    *failed |= !columns;
    for (int i = 0; i < table->column_count && columns; ++i) {
        columns[i] = (atemi_recorded_column){
            .name = atemi_recording_keep(recording, table->columns[i].name, failed),
            .unit = atemi_recording_keep(recording, atemi_recording_unit(table->columns[i].unit),
                                         failed),
        };
    }
    return columns;
}

static const char *const *keep_labels(atemi_recording *recording, const atemi_recorded_table *table,
                                      bool *failed)
{
    if (!table->labels) {
        return NULL;
    }
    const char **labels =
        (const char **)atemi_recording_allocate((size_t)table->row_count + 1, sizeof *labels);
    *failed |= !labels;
    for (int i = 0; i < table->row_count && labels; ++i) {
        labels[i] = atemi_recording_keep(recording, table->labels[i], failed);
    }
    return labels;
}

static double *keep_values(const atemi_recorded_table *table, bool *failed)
{
    const size_t count = (size_t)value_count(table);
    double      *values = (double *)atemi_recording_allocate(count + 1, sizeof *values);
    *failed |= !values;
    for (size_t i = 0; i < count && values; ++i) {
        values[i] = atemi_recording_number(table->values[i]);
    }
    return values;
}

static atemi_table_plot keep_plot(const atemi_table_plot *plot, bool *failed)
{
    if (plot->y_count == 0) {
        return (atemi_table_plot){.x = ATEMI_NONE, .series = ATEMI_NONE, .tile = ATEMI_NONE};
    }
    const size_t count = (size_t)plot->y_count;
    int         *y = (int *)atemi_recording_allocate(count, sizeof *y);
    *failed |= !y;
    if (y) {
        memcpy(y, plot->y, count * sizeof *y);
    }
    return (atemi_table_plot){.y_count = plot->y_count,
                              .y = y,
                              .x = plot->x,
                              .series = plot->series,
                              .by_rows = plot->by_rows,
                              .is_map = plot->is_map,
                              .tile = plot->is_map ? plot->tile : ATEMI_NONE};
}

static atemi_recorded_table keep_table(atemi_recording            *recording,
                                       const atemi_recorded_table *table, bool *failed)
{
    return (atemi_recorded_table){
        .name = atemi_recording_keep(recording, table->name, failed),
        .title = atemi_recording_keep(recording, table->title, failed),
        .row_count = table->row_count,
        .column_count = table->column_count,
        .columns = keep_columns(recording, table, failed),
        .labels = keep_labels(recording, table, failed),
        .values = keep_values(table, failed),
        .plot = keep_plot(&table->plot, failed),
    };
}

static atemi_status put_in_place(atemi_recording *recording, int index,
                                 const atemi_recorded_table *table, atemi_error *error)
{
    atemi_recorded_table *tables = (atemi_recorded_table *)atemi_grown(
        recording->tables, sizeof *tables, index, &recording->table_capacity);
    if (!tables) {
        return atemi_recording_no_memory(error);
    }
    recording->tables = tables;

    bool                       failed = false;
    const atemi_recorded_table kept = keep_table(recording, table, &failed);
    if (failed) {
        atemi_recording_release_table(&kept);
        return atemi_recording_no_memory(error);
    }
    recording->cell_count = (int)(cells_before(recording, index) + cell_count(&kept));
    if (index < recording->table_count) {
        atemi_recording_release_table(&tables[index]);
    }
    tables[index] = kept;
    recording->table_count += index == recording->table_count;
    return ATEMI_OK;
}

atemi_status atemi_recording_add_table(atemi_recording            *recording,
                                       const atemi_recorded_table *table, atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && table && table->row_count >= 0, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(table->column_count > 0 && table->columns, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(table->row_count == 0 || table->values, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(table->plot.y_count == 0 || (table->plot.y_count > 0 && table->plot.y),
                     ATEMI_ERROR_CONTRACT);
    if (cell_count(table) > ATEMI_RECORDING_MAX_CELLS) {
        return atemi_recording_full("cells of tables", ATEMI_RECORDING_MAX_CELLS, error);
    }
    atemi_status status = check_table(table, error);
    if (status) {
        return status;
    }
    const int index = find_table(recording, table->name);
    status = check_capacity(recording, index, table, error);
    return status ? status : put_in_place(recording, index, table, error);
}

void atemi_recording_release_tables(atemi_recording *recording)
{
    for (int i = 0; i < recording->table_count; ++i) {
        atemi_recording_release_table(&recording->tables[i]);
    }
    atemi_release(recording->tables);
}

int atemi_recording_table_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->table_count;
}

const atemi_recorded_table *atemi_recording_table(const atemi_recording *recording, int index)
{
    ATEMI_REQUIRE_OR(recording && index >= 0 && index < recording->table_count, NULL);
    return &recording->tables[index];
}

// ---- As JSON

static void put_columns(atemi_text *text, const atemi_recorded_table *table)
{
    atemi_text_put_string(text, ", \"columns\": [");
    for (int i = 0; i < table->column_count; ++i) {
        atemi_text_put_string(text, i > 0 ? ", {\"name\": " : "{\"name\": ");
        atemi_text_put_json_string(text, table->columns[i].name);
        atemi_text_put_string(text, ", \"unit\": ");
        atemi_text_put_json_string(text, table->columns[i].unit);
        atemi_text_put_character(text, '}');
    }
    atemi_text_put_character(text, ']');
}

static void put_labels(atemi_text *text, const atemi_recorded_table *table)
{
    if (!table->labels) {
        return;
    }
    atemi_text_put_string(text, ", \"labels\": [");
    for (int i = 0; i < table->row_count; ++i) {
        atemi_text_put_string(text, i > 0 ? ", " : "");
        atemi_text_put_json_string(text, table->labels[i]);
    }
    atemi_text_put_character(text, ']');
}

static void put_column_index(atemi_text *text, const char *key, int column)
{
    if (column != ATEMI_NONE) {
        atemi_text_append(text, ", \"%s\": %d", key, column);
    }
}

static void put_plot(atemi_text *text, const atemi_table_plot *plot)
{
    if (plot->y_count == 0) {
        return;
    }
    atemi_text_put_string(text, ", \"plot\": {\"y\": [");
    for (int i = 0; i < plot->y_count; ++i) {
        atemi_text_append(text, "%s%d", i > 0 ? ", " : "", plot->y[i]);
    }
    atemi_text_put_character(text, ']');
    put_column_index(text, "x", plot->x);
    put_column_index(text, "series", plot->series);
    put_column_index(text, "tile", plot->is_map ? plot->tile : ATEMI_NONE);
    atemi_text_put_string(text, plot->is_map    ? ", \"join\": \"cells\"}"
                                : plot->by_rows ? ", \"join\": \"rows\"}"
                                                : "}");
}

static void put_values(atemi_text *text, const atemi_recorded_table *table)
{
    atemi_text_put_string(text, ", \"values\": [");
    for (int i = 0; i < table->row_count; ++i) {
        atemi_text_put_string(text, i > 0 ? ", " : "");
        atemi_recording_put_numbers(text, table->column_count,
                                    table->values + (ptrdiff_t)i * table->column_count);
    }
    atemi_text_put_character(text, ']');
}

static void put_table(atemi_text *text, const atemi_recorded_table *table)
{
    atemi_text_put_string(text, "{\"name\": ");
    atemi_text_put_json_string(text, table->name);
    if (table->title) {
        atemi_text_put_string(text, ", \"title\": ");
        atemi_text_put_json_string(text, table->title);
    }
    put_columns(text, table);
    put_plot(text, &table->plot);
    put_labels(text, table);
    put_values(text, table);
    atemi_text_put_character(text, '}');
}

void atemi_recording_put_tables(const atemi_recording *recording, atemi_text *text)
{
    atemi_text_put_character(text, '[');
    for (int i = 0; i < recording->table_count; ++i) {
        atemi_text_put_string(text, i > 0 ? ",\n    " : "\n    ");
        put_table(text, &recording->tables[i]);
    }
    atemi_text_put_string(text, recording->table_count > 0 ? "\n  ]" : "]");
}
