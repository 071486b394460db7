// SPDX-License-Identifier: Apache-2.0

#include "table.h"

#include "io/bytes/visible.h"
#include "output.h"

#include <stdio.h>
#include <string.h>

// Cells are written twice, once to be measured and once to be printed, so nothing is stored. They
// are measured as they are shown: with escapes.

// The number of characters of UTF-8 text.
static int width_of(const char *text)
{
    char visible[ATEMI_VISIBLE_GROWTH * TABLE_CELL_SIZE];
    int  width = 0;
    atemi_visible_text(text, visible, sizeof visible);
    for (const char *c = visible; *c; ++c) {
        width += ((unsigned char)*c & 0xC0) != 0x80;
    }
    return width;
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

static bool says_something(const char *text)
{
    return text[0] && strcmp(text, "0") != 0;
}

static bool has_row(const text_table *table, int row)
{
    return !table->has_row || table->has_row(table->context, row);
}

// The width of a column, 0 for one to be left out.
static int measure(const text_table *table, int column)
{
    const table_column *about = &table->columns[column];
    char                text[TABLE_CELL_SIZE];
    bool                shown = false;
    int                 width = largest(1, width_of(about->heading));
    width = largest(width, width_of(about->unit ? about->unit : ""));
    for (int row = 0; row < table->row_count; ++row) {
        if (has_row(table, row)) {
            table->cell(table->context, row, column, text);
            width = largest(width, width_of(text));
            shown = shown || says_something(text);
        }
    }
    return shown ? width : 0;
}

// Prints a cell after `*gap` spaces, and leaves in it what separates the cell from the next one:
// so no line ends in spaces.
static void print_cell(const char *text, int width, bool right, int *gap)
{
    const int space = width - width_of(text);
    *gap += 2 + (right ? space : 0);
    if (text[0]) {
        printf("%*s", *gap, "");
        output_text(text);
        *gap = 0;
    }
    *gap += right ? 0 : space;
}

static void print_headings(const text_table *table, const int *widths, bool units)
{
    int gap = 0;
    for (int i = 0; i < table->column_count; ++i) {
        const table_column *about = &table->columns[i];
        const char         *text = units ? about->unit : about->heading;
        if (widths[i]) {
            print_cell(text ? text : "", widths[i], about->right, &gap);
        }
    }
    putchar('\n');
}

static bool has_units(const text_table *table)
{
    bool found = false;
    for (int i = 0; i < table->column_count; ++i) {
        found = found || table->columns[i].unit;
    }
    return found;
}

static void print_row(const text_table *table, const int *widths, int row)
{
    char text[TABLE_CELL_SIZE];
    int  gap = 0;
    for (int i = 0; i < table->column_count; ++i) {
        if (widths[i]) {
            table->cell(table->context, row, i, text);
            print_cell(text[0] ? text : "-", widths[i], table->columns[i].right, &gap);
        }
    }
    putchar('\n');
}

void table_print(const text_table *table)
{
    int widths[TABLE_MAX_COLUMNS];
    for (int i = 0; i < table->column_count; ++i) {
        widths[i] = measure(table, i);
    }
    print_headings(table, widths, false);
    if (has_units(table)) {
        print_headings(table, widths, true);
    }
    for (int row = 0; row < table->row_count; ++row) {
        if (has_row(table, row)) {
            print_row(table, widths, row);
        }
    }
}
