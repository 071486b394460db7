// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure_bars.h"

#include "io/figures/figure_axis.h"
#include "io/figures/figure_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NO_STATE = -1, STYLE_SIZE = 40, COLORS = 7 };

// Further bars are left out: a page has no room for them.
enum { MAX_BARS = 40 };

static const char *const colors[COLORS] = {"#56b4e9", "#f0e442", "#cc79a7", "#e69f00",
                                           "#009e73", "#d55e00", "#0072b2"};
static const char        idle_color[] = "#eeeeee";

// Contact modes have colours of their own.
static const struct {
    const char *state, *color;
} known_colors[] = {
    {"stick", "#0072b2"}, {"slip", "#e69f00"}, {"surface", "#009e73"}, {"soft", "#cc79a7"}};

static const double left = 150.0, right = 20.0, legend_height = 26.0; // pixels
static const double row_height = 20.0, bar_height = 14.0;
static const double letter = 7.0; // wide, of a legend

static const char *color_of(const atemi_report_plot *plot, int state)
{
    if (plot->about.has_idle && state == 0) {
        return idle_color;
    }
    for (size_t i = 0; i < sizeof known_colors / sizeof known_colors[0]; ++i) {
        if (strcmp(known_colors[i].state, plot->about.states[state]) == 0) {
            return known_colors[i].color;
        }
    }
    return colors[(state - plot->about.has_idle) % COLORS];
}

static int bar_count(const atemi_report_plot *plot)
{
    return plot->line_count < MAX_BARS ? plot->line_count : MAX_BARS;
}

static const atemi_report_line *line_of(const atemi_figure_source *source,
                                        const atemi_report_plot *plot, int index)
{
    return &source->plots->lines[plot->first_line + index];
}

static int state_count(const atemi_report_plot *plot)
{
    int count = 0;
    while (plot->about.states[count]) {
        ++count;
    }
    return count;
}

static int state_at(const double *values, int row, int states)
{
    return values[row] >= 0.0 && values[row] < (double)states ? (int)values[row] : NO_STATE;
}

// ---- Bars

static void draw_piece(atemi_figure *figure, const atemi_figure_axis *x, double from, double to,
                       double top, const char *color)
{
    char         style[STYLE_SIZE];
    const double start = atemi_figure_axis_at(x, from);
    snprintf(style, sizeof style, "fill='%s'", color);
    atemi_figure_rectangle(figure, (atemi_figure_point){start, top},
                           fmax(atemi_figure_axis_at(x, to) - start, 0.5), bar_height, style);
}

// A state lasts from its first row to the first row of the next one.
static void draw_bar(atemi_figure *figure, const atemi_figure_source *source,
                     const atemi_figure_axis *x, const atemi_report_plot *plot,
                     const double *values, double top)
{
    const int states = state_count(plot);
    int       begin = 0;
    for (int i = 1; i <= source->rows; ++i) {
        const int state = state_at(values, begin, states);
        if (i == source->rows || state_at(values, i, states) != state) {
            const int end = i < source->rows ? i : source->rows - 1;
            if (state != NO_STATE) {
                draw_piece(figure, x, source->t[begin], source->t[end], top, color_of(plot, state));
            }
            begin = i;
        }
    }
}

static void draw_bars(atemi_figure *figure, const atemi_figure_source *source,
                      const atemi_figure_axis *x, const atemi_report_plot *plot, double first)
{
    for (int i = 0; i < bar_count(plot); ++i) {
        const atemi_report_line *line = line_of(source, plot, i);
        const double             top = first + i * row_height + 0.5 * (row_height - bar_height);
        atemi_figure_text(figure, (atemi_figure_point){left - 8.0, top + bar_height - 3.0},
                          ATEMI_FIGURE_END, "fill='#222'", line->label, line->label_length);
        draw_bar(figure, source, x, plot, atemi_recording_values(source->recording, line->column),
                 top);
    }
}

// ---- Legend

static bool is_seen(const atemi_figure_source *source, const atemi_report_plot *plot, int state)
{
    for (int i = 0; i < bar_count(plot); ++i) {
        const double *values =
            atemi_recording_values(source->recording, line_of(source, plot, i)->column);
        for (int k = 0; k < source->rows; ++k) {
            if (state_at(values, k, state + 1) == state) {
                return true;
            }
        }
    }
    return false;
}

static void draw_legend(atemi_figure *figure, const atemi_figure_source *source,
                        const atemi_report_plot *plot, double top)
{
    double x = left;
    for (int i = 0; i < state_count(plot); ++i) {
        char style[STYLE_SIZE];
        if (is_seen(source, plot, i)) {
            snprintf(style, sizeof style, "fill='%s'", color_of(plot, i));
            atemi_figure_rectangle(figure, (atemi_figure_point){x, top + 5.0}, 14.0, 12.0, style);
            atemi_figure_text(figure, (atemi_figure_point){x + 20.0, top + 15.0},
                              ATEMI_FIGURE_START, "fill='#222'", plot->about.states[i], -1);
            x += 34.0 + letter * (double)strlen(plot->about.states[i]);
        }
    }
    if (plot->line_count > MAX_BARS) {
        char text[80];
        snprintf(text, sizeof text, "the first %d of %d", MAX_BARS, plot->line_count);
        atemi_figure_text(figure, (atemi_figure_point){x, top + 15.0}, ATEMI_FIGURE_START,
                          "fill='#777' font-size='11'", text, -1);
    }
}

// ---- All of it

double atemi_figure_bars_height(const atemi_report_plot *plot)
{
    return atemi_figure_title_height + legend_height + bar_count(plot) * row_height;
}

void atemi_figure_bars_draw(const atemi_figure_source *source, const atemi_report_plot *plot,
                            double top, bool is_last, atemi_figure *figure)
{
    const double             bottom = top + atemi_figure_bars_height(plot);
    const double             first = bottom - bar_count(plot) * row_height;
    const atemi_figure_frame frame = {
        .x = atemi_figure_axis_make(source->t[0], source->t[source->rows - 1], 0.0, left,
                                    atemi_figure_width - right),
        .y = {0.0, 1.0, bottom, first},
        .x_name = is_last ? "time [s]" : NULL,
    };
    atemi_figure_frame_draw(figure, &frame);
    atemi_figure_title_draw(figure, top, plot->about.title);
    draw_legend(figure, source, plot, top + atemi_figure_title_height);
    draw_bars(figure, source, &frame.x, plot, first);
}
