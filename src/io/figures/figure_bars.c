// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure_bars.h"

#include "io/figures/figure_axis.h"

#include <math.h>
#include <stdio.h>

enum { NO_STATE = -1, STYLE_SIZE = 40 };

static const double width = 760.0, left = 150.0, right = 20.0, head = 34.0, foot = 46.0;
static const double row_height = 20.0, bar_height = 14.0; // pixels

static int state_at(const atemi_figure_bars *bars, const double *values, int row)
{
    return values[row] >= 0.0 && values[row] < (double)bars->states ? (int)values[row] : NO_STATE;
}

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
                     const atemi_figure_axis *x, const atemi_figure_bars *bars,
                     const double *values, double top)
{
    int begin = 0;
    for (int i = 1; i <= source->rows; ++i) {
        const int state = state_at(bars, values, begin);
        if (i == source->rows || state_at(bars, values, i) != state) {
            const int end = i < source->rows ? i : source->rows - 1;
            if (state != NO_STATE) {
                draw_piece(figure, x, source->t[begin], source->t[end], top, bars->colors[state]);
            }
            begin = i;
        }
    }
}

static void draw_bars(atemi_figure *figure, const atemi_figure_source *source,
                      const atemi_figure_axis *x, const atemi_figure_bars *bars)
{
    for (int i = 0; i < bars->count; ++i) {
        const atemi_figure_bar *bar = &bars->bars[i];
        const double            top = head + i * row_height + 0.5 * (row_height - bar_height);
        atemi_figure_text(figure, (atemi_figure_point){left - 8.0, top + bar_height - 3.0},
                          ATEMI_FIGURE_END, "fill='#222'", bar->name, bar->name_length);
        draw_bar(figure, source, x, bars, atemi_recording_values(source->recording, bar->channel),
                 top);
    }
}

static bool is_seen(const atemi_figure_source *source, const atemi_figure_bars *bars, int state)
{
    for (int i = 0; i < bars->count; ++i) {
        const double *values = atemi_recording_values(source->recording, bars->bars[i].channel);
        for (int k = 0; k < source->rows; ++k) {
            if (state_at(bars, values, k) == state) {
                return true;
            }
        }
    }
    return false;
}

static void draw_legend(atemi_figure *figure, const atemi_figure_source *source,
                        const atemi_figure_bars *bars)
{
    double x = left;
    for (int i = 0; i < bars->states; ++i) {
        char style[STYLE_SIZE];
        if (is_seen(source, bars, i)) {
            snprintf(style, sizeof style, "fill='%s'", bars->colors[i]);
            atemi_figure_rectangle(figure, (atemi_figure_point){x, 10.0}, 14.0, 12.0, style);
            atemi_figure_text(figure, (atemi_figure_point){x + 20.0, 20.0}, ATEMI_FIGURE_START,
                              "fill='#222'", bars->names[i], -1);
            x += bars->key;
        }
    }
}

void atemi_figure_bars_draw(const atemi_figure_source *source, const atemi_figure_bars *bars,
                            atemi_figure *figure)
{
    const double             bottom = head + bars->count * row_height;
    const atemi_figure_frame frame = {
        .x = atemi_figure_axis_make(source->t[0], source->t[source->rows - 1], 0.0, left,
                                    width - right),
        .y = {0.0, 1.0, bottom, head},
        .x_name = "time [s]",
    };
    atemi_figure_begin(figure, width, bottom + foot);
    atemi_figure_frame_draw(figure, &frame);
    draw_bars(figure, source, &frame.x, bars);
    draw_legend(figure, source, bars);
    atemi_figure_end(figure);
}
