// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure_axis.h"

#include <math.h>

static const char grid[] = "stroke='#e4e4e4' stroke-width='1'";
static const char edge[] = "stroke='#555' stroke-width='1'";
static const char ink[] = "fill='#222'";

static const double farthest = 1e250; // what is beyond does not fit a plot

static const double tick_distance_x = 90.0, tick_distance_y = 42.0; // pixels

atemi_figure_axis atemi_figure_axis_make(double least, double largest, double air, double from,
                                         double to)
{
    if (!(least <= largest)) { // no values at all
        least = 0.0;
        largest = 1.0;
    }
    least = fmin(fmax(least, -farthest), farthest);
    largest = fmin(fmax(largest, -farthest), farthest);
    double margin = air * (largest - least);
    if (!(largest - least > fmax(1e-9 * fmax(fabs(least), fabs(largest)), 1.0 / farthest))) {
        margin = fmax(0.05 * fabs(least), 1e-3);
    }
    return (atemi_figure_axis){least - margin, largest + margin, from, to};
}

double atemi_figure_axis_at(const atemi_figure_axis *axis, double value)
{
    const double part = (value - axis->least) / (axis->largest - axis->least);
    return axis->from + part * (axis->to - axis->from);
}

// ---- Ticks

static double step_of(const atemi_figure_ticks *ticks)
{
    return ticks->digit * pow(10.0, ticks->power);
}

atemi_figure_ticks atemi_figure_ticks_make(const atemi_figure_axis *axis, double distance)
{
    const double       count = fmax(floor(fabs(axis->to - axis->from) / distance), 1.0);
    const double       wanted = (axis->largest - axis->least) / count;
    const int          power = (int)floor(log10(wanted));
    const double       part = wanted / pow(10.0, power);
    atemi_figure_ticks ticks = {.digit = part > 5.0   ? 10
                                         : part > 2.0 ? 5
                                         : part > 1.0 ? 2
                                                      : 1,
                                .power = power};
    const double       step = step_of(&ticks);
    ticks.first = (long long)ceil(axis->least / step - 1e-9);
    ticks.last = (long long)floor(axis->largest / step + 1e-9);
    return ticks;
}

double atemi_figure_tick_value(const atemi_figure_ticks *ticks, long long index)
{
    const double digits = (double)(index * ticks->digit);
    return ticks->power < 0 ? digits / pow(10.0, -ticks->power) : digits * pow(10.0, ticks->power);
}

// ---- Frame

static void draw_x(atemi_figure *figure, const atemi_figure_frame *frame)
{
    const atemi_figure_axis *x = &frame->x, *y = &frame->y;
    const atemi_figure_ticks ticks = atemi_figure_ticks_make(x, tick_distance_x);
    for (long long i = ticks.first; i <= ticks.last; ++i) {
        const double value = atemi_figure_tick_value(&ticks, i);
        const double at = atemi_figure_axis_at(x, value);
        atemi_figure_line(figure, (atemi_figure_point){at, y->from},
                          (atemi_figure_point){at, y->to}, grid);
        if (frame->x_name) {
            atemi_figure_number(figure, (atemi_figure_point){at, y->from + 16.0},
                                ATEMI_FIGURE_MIDDLE, ink, value, "");
        }
    }
    if (frame->x_name) {
        const atemi_figure_point below = {0.5 * (x->from + x->to), y->from + 34.0};
        atemi_figure_text(figure, below, ATEMI_FIGURE_MIDDLE, ink, frame->x_name, -1);
    }
}

static void draw_y(atemi_figure *figure, const atemi_figure_frame *frame)
{
    const atemi_figure_axis *x = &frame->x, *y = &frame->y;
    const atemi_figure_ticks ticks = atemi_figure_ticks_make(y, tick_distance_y);
    for (long long i = ticks.first; i <= ticks.last && frame->y_name; ++i) {
        const double value = atemi_figure_tick_value(&ticks, i);
        const double at = atemi_figure_axis_at(y, value);
        atemi_figure_line(figure, (atemi_figure_point){x->from, at},
                          (atemi_figure_point){x->to, at}, grid);
        atemi_figure_number(figure, (atemi_figure_point){x->from - 6.0, at + 4.0}, ATEMI_FIGURE_END,
                            ink, value, "");
    }
    if (frame->y_name) {
        const atemi_figure_point above = {x->from, y->to - 8.0};
        atemi_figure_text(figure, above, ATEMI_FIGURE_START, ink, frame->y_name, -1);
    }
}

void atemi_figure_frame_draw(atemi_figure *figure, const atemi_figure_frame *frame)
{
    const atemi_figure_axis *x = &frame->x, *y = &frame->y;
    draw_x(figure, frame);
    draw_y(figure, frame);
    atemi_figure_line(figure, (atemi_figure_point){x->from, y->from},
                      (atemi_figure_point){x->to, y->from}, edge);
    atemi_figure_line(figure, (atemi_figure_point){x->from, y->from},
                      (atemi_figure_point){x->from, y->to}, edge);
}
