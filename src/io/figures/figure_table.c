// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/figures/figure_plot.h"
#include "io/figures/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The plot of a table. Its rows are sorted by series, then by x unless they are a path, so that a
// curve is a stretch of them; rows without a series or an x are left out.

enum { MAX_DOTS = 100, LABEL_DIGITS = 6 };

static const double air = 0.03; // left and right of the curves

typedef struct table_row {
    double series, x;
    double place; ///< in its curve: x, or none in a path
    int    index;
} table_row;

typedef struct table_curves {
    const atemi_recorded_table *table;
    int                         row_count;
    table_row                  *rows; ///< [row_count] sorted
    double                     *x;    ///< [row_count]
    double                     *y;    ///< [y_count x row_count]
} table_curves;

// ---- Rows in the order of curves

static double value_at(const atemi_recorded_table *table, int row, int column)
{
    return table->values[(ptrdiff_t)row * table->column_count + column];
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const void *first, const void *second)
{
    const table_row *a = (const table_row *)first, *b = (const table_row *)second;
    const int        by_series = compare_numbers(a->series, b->series);
    const int        by_place = by_series ? by_series : compare_numbers(a->place, b->place);
    return by_place ? by_place : a->index - b->index;
}

static void sort_rows(table_curves *curves)
{
    const atemi_recorded_table *table = curves->table;
    const atemi_table_plot     *plot = &table->plot;
    for (int i = 0; i < table->row_count; ++i) {
        table_row row = {.series =
                             plot->series == ATEMI_NONE ? 0.0 : value_at(table, i, plot->series),
                         .x = plot->x == ATEMI_NONE ? i + 1.0 : value_at(table, i, plot->x),
                         .index = i};
        row.place = plot->by_rows ? 0.0 : row.x;
        if (!isnan(row.series) && !isnan(row.x)) {
            curves->rows[curves->row_count++] = row;
        }
    }
    qsort(curves->rows, (size_t)curves->row_count, sizeof *curves->rows, compare_rows);
}

static void gather(table_curves *curves)
{
    const atemi_recorded_table *table = curves->table;
    for (int i = 0; i < curves->row_count; ++i) {
        curves->x[i] = curves->rows[i].x;
        for (int k = 0; k < table->plot.y_count; ++k) {
            curves->y[(ptrdiff_t)k * table->row_count + i] =
                value_at(table, curves->rows[i].index, table->plot.y[k]);
        }
    }
}

// The row behind the curve that begins at `first`.
static int end_of_curve(const table_curves *curves, int first)
{
    int end = first + 1;
    while (end < curves->row_count && curves->rows[end].series == curves->rows[first].series) {
        ++end;
    }
    return end;
}

// ---- Names

// With few digits, in every locale the same.
static void put_short_number(atemi_text *text, double value)
{
    const double digits = value == 0.0 ? 0.0 : floor(log10(fabs(value))) + 1.0;
    const double unit = pow(10.0, (double)LABEL_DIGITS - digits);
    const double rounded = round(value * unit) / unit;
    atemi_text_put_number(text, isfinite(rounded) ? rounded : value);
}

static bool has_unit(const atemi_recorded_column *column)
{
    return strcmp(column->unit, "-") != 0;
}

static void put_column(atemi_text *text, const atemi_recorded_column *column)
{
    atemi_text_put_string(text, column->name);
    if (has_unit(column)) {
        atemi_text_append(text, " [%s]", column->unit);
    }
}

static void put_label(atemi_text *text, const atemi_recorded_table *table, int y, double series)
{
    const atemi_table_plot *plot = &table->plot;
    if (plot->series == ATEMI_NONE || plot->y_count > 1) {
        atemi_text_put_string(text, table->columns[y].name);
    }
    if (plot->series != ATEMI_NONE) {
        const atemi_recorded_column *column = &table->columns[plot->series];
        atemi_text_append(text, "%s%s = ", plot->y_count > 1 ? ", " : "", column->name);
        put_short_number(text, series);
        atemi_text_append(text, "%s%s", has_unit(column) ? " " : "",
                          has_unit(column) ? column->unit : "");
    }
}

// ---- Panels: one for each unit

typedef struct table_panel {
    const atemi_recorded_column *first; ///< of its y
    int                          columns;
    atemi_text                   name, labels[ATEMI_FIGURE_COLORS];
    atemi_figure_panel           panel;
} table_panel;

static table_panel *panel_of(table_panel *panels, int *count, const atemi_recorded_column *column)
{
    for (int i = 0; i < *count; ++i) {
        if (strcmp(panels[i].first->unit, column->unit) == 0) {
            return &panels[i];
        }
    }
    if (*count == ATEMI_FIGURE_PANELS) {
        return NULL;
    }
    panels[*count].first = column;
    return &panels[(*count)++];
}

static void enter_curve(const table_curves *curves, int k, int first, int end, table_panel *panel)
{
    const atemi_recorded_table *table = curves->table;
    atemi_figure_panel         *drawn = &panel->panel;
    if (drawn->count == ATEMI_FIGURE_COLORS) {
        ++drawn->left_out;
        return;
    }
    put_label(&panel->labels[drawn->count], table, table->plot.y[k], curves->rows[first].series);
    drawn->series[drawn->count++] =
        (atemi_figure_series){.count = end - first,
                              .x = curves->x + first,
                              .y = curves->y + (ptrdiff_t)k * table->row_count + first,
                              .label_length = -1,
                              .lower = NAN,
                              .upper = NAN,
                              .dots = end - first <= MAX_DOTS};
}

static void enter_column(const table_curves *curves, int k, table_panel *panel)
{
    ++panel->columns;
    for (int i = 0; i < curves->row_count; i = end_of_curve(curves, i)) {
        enter_curve(curves, k, i, end_of_curve(curves, i), panel);
    }
}

static int make_panels(const table_curves *curves, table_panel *panels)
{
    const atemi_table_plot *plot = &curves->table->plot;
    int                     count = 0;
    for (int k = 0; k < plot->y_count; ++k) {
        table_panel *panel = panel_of(panels, &count, &curves->table->columns[plot->y[k]]);
        if (panel) {
            enter_column(curves, k, panel);
        }
    }
    return count;
}

// One y is named, of several the unit. The texts are whole now, and stay where they are. False
// without memory.
static bool name_panel(table_panel *panel)
{
    if (panel->columns == 1) {
        put_column(&panel->name, panel->first);
    } else {
        atemi_text_append(&panel->name, "[%s]", panel->first->unit);
    }
    bool failed = panel->name.failed;
    panel->panel.name = panel->name.bytes;
    panel->panel.chosen = "the first";
    for (int i = 0; i < panel->panel.count; ++i) {
        panel->panel.series[i].label = panel->labels[i].bytes;
        failed |= panel->labels[i].failed;
    }
    return !failed;
}

static void destroy_panel(table_panel *panel)
{
    atemi_text_destroy(&panel->name);
    for (int i = 0; i < ATEMI_FIGURE_COLORS; ++i) {
        atemi_text_destroy(&panel->labels[i]);
    }
}

// ---- All of it

static void draw_panels(const table_curves *curves, int count, table_panel *panels,
                        atemi_figure *figure)
{
    const atemi_recorded_table *table = curves->table;
    atemi_figure_panel          drawn[ATEMI_FIGURE_PANELS];
    atemi_figure_abscissa       x = {"row", INFINITY, -INFINITY, air};
    atemi_text                  name = {0};
    bool                        named = true;
    for (int i = 0; i < count; ++i) {
        named = name_panel(&panels[i]) && named;
        drawn[i] = panels[i].panel;
    }
    if (table->plot.x != ATEMI_NONE) {
        put_column(&name, &table->columns[table->plot.x]);
        x.name = name.bytes;
    }
    atemi_figure_widen(curves->x, curves->row_count, &x.least, &x.largest);
    if (named && !name.failed) {
        atemi_figure_plot(figure, &x, count, drawn);
    } else {
        figure->text.failed = true;
    }
    atemi_text_destroy(&name);
}

static void draw_table(table_curves *curves, atemi_figure *figure)
{
    table_panel panels[ATEMI_FIGURE_PANELS] = {0};
    sort_rows(curves);
    gather(curves);
    const int count = make_panels(curves, panels);
    draw_panels(curves, count, panels, figure);
    for (int i = 0; i < count; ++i) {
        destroy_panel(&panels[i]);
    }
}

atemi_status atemi_figure_table(const atemi_recorded_table *table, atemi_figure *figure,
                                atemi_error *error)
{
    const size_t rows = (size_t)table->row_count, ys = (size_t)table->plot.y_count;
    if (ys == 0 || table->plot.is_map) {
        return ATEMI_OK; // maps are drawn by the page
    }
    table_curves curves = {.table = table};
    curves.rows = (table_row *)atemi_allocate((rows + 1) * sizeof *curves.rows);
    curves.x = (double *)atemi_allocate((1 + ys) * (rows + 1) * sizeof *curves.x);
    const bool is_there = curves.rows && curves.x;
    if (is_there) {
        curves.y = curves.x + rows;
        draw_table(&curves, figure);
    }
    atemi_release(curves.rows);
    atemi_release(curves.x);
    return is_there ? ATEMI_OK
                    : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the figure of a table");
}
