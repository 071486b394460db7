// SPDX-License-Identifier: Apache-2.0

/// @file
/// Aligned columns of text.

#pragma once

#include <stdbool.h>

/// Cells are cut to fit. Of a recorded table, columns behind the last are left out; our own have
/// fewer.
enum { TABLE_CELL_SIZE = 1100, TABLE_MAX_COLUMNS = 16 };

/// Writes the text of a cell. An empty one is shown as "-".
typedef void (*table_cell)(const void *context, int row, int column, char text[TABLE_CELL_SIZE]);

typedef struct table_column {
    const char *heading;
    const char *unit; ///< in a second line of headings, or NULL
    bool        right;
} table_column;

typedef struct text_table {
    const table_column *columns;
    int                 column_count;
    int                 row_count;
    table_cell          cell;
    const void         *context;
    /// Whether a row is part of the table; NULL for all.
    bool (*has_row)(const void *context, int row);
} text_table;

/// Prints the table, without the columns that say nothing: all cells empty or "0".
void table_print(const text_table *table);
