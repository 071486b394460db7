// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"
#include "io/figure_axis.h"
#include "io/figures.h"

#include <math.h>
#include <stdio.h>

// The modes of contacts over time, a bar each.

enum { MOST_BARS = 40, MODES = ATEMI_CONTACT_SOFT + 1, NO_MODE = -1 };

static const char *const colors[MODES] = {[ATEMI_CONTACT_OPEN] = "#eeeeee",
                                          [ATEMI_CONTACT_STICK] = "#0072b2",
                                          [ATEMI_CONTACT_SLIP] = "#e69f00",
                                          [ATEMI_CONTACT_SURFACE] = "#009e73",
                                          [ATEMI_CONTACT_SOFT] = "#cc79a7"};

static const double width = 760.0, left = 150.0, right = 20.0, head = 34.0, foot = 46.0;
static const double row_height = 20.0, bar = 14.0; // pixels

static int mode_at(const double *values, int row)
{
    return values[row] >= 0.0 && values[row] < (double)MODES ? (int)values[row] : NO_MODE;
}

static void draw_piece(atemi_figure *figure, const atemi_figure_axis *x, double from, double to,
                       double top, int mode)
{
    char         style[40];
    const double start = atemi_figure_axis_at(x, from);
    if (mode != NO_MODE) {
        snprintf(style, sizeof style, "fill='%s'", colors[mode]);
        atemi_figure_rectangle(figure, (atemi_figure_point){start, top},
                               fmax(atemi_figure_axis_at(x, to) - start, 0.5), bar, style);
    }
}

// A mode lasts from its first row to the first row of the next one.
static void draw_bar(atemi_figure *figure, const atemi_figure_source *source,
                     const atemi_figure_axis *x, const double *values, double top)
{
    int begin = 0;
    for (int i = 1; i <= source->rows; ++i) {
        if (i == source->rows || mode_at(values, i) != mode_at(values, begin)) {
            const int end = i < source->rows ? i : source->rows - 1;
            draw_piece(figure, x, source->t[begin], source->t[end], top, mode_at(values, begin));
            begin = i;
        }
    }
}

static void draw_legend(atemi_figure *figure, const bool *seen)
{
    double x = left;
    for (int i = 0; i < MODES; ++i) {
        char style[40];
        if (seen[i]) {
            snprintf(style, sizeof style, "fill='%s'", colors[i]);
            atemi_figure_rectangle(figure, (atemi_figure_point){x, 10.0}, 14.0, 12.0, style);
            atemi_figure_text(figure, (atemi_figure_point){x + 20.0, 20.0}, ATEMI_FIGURE_START,
                              "fill='#222'", atemi_contact_mode_text((atemi_contact_mode)i), -1);
            x += 80.0;
        }
    }
}

static void find_modes(const atemi_figure_source *source, int bars, bool *seen)
{
    for (int i = 0; i < bars; ++i) {
        const double *values =
            atemi_recording_values(source->recording, source->contacts->contacts[i].mode);
        for (int k = 0; k < source->rows; ++k) {
            const int mode = mode_at(values, k);
            if (mode != NO_MODE) {
                seen[mode] = true;
            }
        }
    }
}

static void draw_bars(atemi_figure *figure, const atemi_figure_source *source,
                      const atemi_figure_axis *x, int bars)
{
    for (int i = 0; i < bars; ++i) {
        const atemi_report_contact *contact = &source->contacts->contacts[i];
        const double                top = head + i * row_height + 0.5 * (row_height - bar);
        atemi_figure_text(figure, (atemi_figure_point){left - 8.0, top + bar - 3.0},
                          ATEMI_FIGURE_END, "fill='#222'", contact->name, contact->name_length);
        draw_bar(figure, source, x, atemi_recording_values(source->recording, contact->mode), top);
    }
}

atemi_status atemi_figure_contacts(const atemi_figure_source *source, atemi_figure *figure,
                                   atemi_error *error)
{
    (void)error;
    const int bars = source->contacts->count < MOST_BARS ? source->contacts->count : MOST_BARS;
    if (bars == 0) {
        return ATEMI_OK;
    }
    bool                     seen[MODES] = {false};
    const double             bottom = head + bars * row_height;
    const atemi_figure_frame frame = {
        .x = atemi_figure_axis_make(source->t[0], source->t[source->rows - 1], 0.0, left,
                                    width - right),
        .y = {0.0, 1.0, bottom, head},
        .x_name = "time [s]",
    };
    find_modes(source, bars, seen);
    atemi_figure_begin(figure, width, bottom + foot);
    atemi_figure_frame_draw(figure, &frame);
    draw_bars(figure, source, &frame.x, bars);
    draw_legend(figure, seen);
    atemi_figure_end(figure);
    return ATEMI_OK;
}
