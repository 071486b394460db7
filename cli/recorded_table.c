// SPDX-License-Identifier: Apache-2.0

#include "recorded_table.h"

#include "json_output.h"
#include "output.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const atemi_recorded_table *recorded_table_find(const atemi_recording *recording, const char *name)
{
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        const atemi_recorded_table *table = atemi_recording_table(recording, i);
        if (strcmp(table->name, name) == 0) {
            return table;
        }
    }
    return NULL;
}

// ---- For people

// The columns that are shown; -1 is the labels.
typedef struct shown_table {
    const atemi_recorded_table *table;
    int                         count;
    int                         columns[TABLE_MAX_COLUMNS];
} shown_table;

static double value_at(const atemi_recorded_table *table, int row, int column)
{
    return table->values[row * table->column_count + column];
}

static void write_cell(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    const shown_table *shown = (const shown_table *)context;
    const int          index = shown->columns[column];
    text[0] = '\0';
    if (index < 0) {
        snprintf(text, TABLE_CELL_SIZE, "%s", shown->table->labels[row]);
    } else if (!isnan(value_at(shown->table, row, index))) {
        snprintf(text, TABLE_CELL_SIZE, "%.4g", value_at(shown->table, row, index));
    }
}

void recorded_table_print(const atemi_recorded_table *table)
{
    shown_table  shown = {.table = table};
    table_column columns[TABLE_MAX_COLUMNS];
    if (table->labels) {
        columns[shown.count] = (table_column){"", NULL, false};
        shown.columns[shown.count++] = -1;
    }
    for (int i = 0; i < table->column_count && shown.count < TABLE_MAX_COLUMNS; ++i) {
        const char *unit = table->columns[i].unit;
        columns[shown.count] =
            (table_column){table->columns[i].name, strcmp(unit, "-") == 0 ? NULL : unit, true};
        shown.columns[shown.count++] = i;
    }
    const text_table text = {columns, shown.count, table->row_count, write_cell, &shown, NULL};
    putchar('\n');
    if (table->title) {
        output_heading(table->title);
    }
    table_print(&text);
}

// ---- JSON

static json_t *columns_json(const atemi_recorded_table *table)
{
    json_t *columns = json_array();
    for (int i = 0; i < table->column_count && columns; ++i) {
        columns = json_with_item(columns, json_pack("{s:o, s:s}", "name",
                                                    json_from_text(table->columns[i].name), "unit",
                                                    table->columns[i].unit));
    }
    return columns;
}

static json_t *labels_json(const atemi_recorded_table *table)
{
    json_t *labels = json_array();
    for (int i = 0; i < table->row_count && labels; ++i) {
        labels = json_with_item(labels, json_from_text(table->labels[i]));
    }
    return labels;
}

static json_t *rows_json(const atemi_recorded_table *table)
{
    json_t *rows = json_array();
    for (int i = 0; i < table->row_count && rows; ++i) {
        json_t *row = json_array();
        for (int k = 0; k < table->column_count && row; ++k) {
            row = json_with_item(row, json_from_number(value_at(table, i, k)));
        }
        rows = json_with_item(rows, row);
    }
    return rows;
}

json_t *recorded_tables_extend_json(json_t *answer, const atemi_recording *recording)
{
    json_t *tables = json_object();
    for (int i = 0; i < atemi_recording_table_count(recording) && tables; ++i) {
        const atemi_recorded_table *table = atemi_recording_table(recording, i);
        json_t                     *labels = table->labels ? labels_json(table) : json_null();
        tables = json_with_key(tables, table->name,
                               json_pack("{s:o, s:o, s:o}", "columns", columns_json(table),
                                         "labels", labels, "rows", rows_json(table)));
    }
    return json_with_key(answer, "tables", tables);
}
