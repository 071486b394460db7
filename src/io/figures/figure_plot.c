// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure_plot.h"

#include <math.h>
#include <stdio.h>

static const char band_style[] = "fill='#dfe9f2'";
static const char reference_style[] = " stroke-dasharray='5 3'";

// Pixels.
const double        atemi_figure_width = 760.0, atemi_figure_foot = 46.0;
const double        atemi_figure_title_height = 22.0;
static const double left = 62.0, right = 200.0, panel_height = 200.0;
static const double head = 34.0, row_height = 17.0, dot_radius = 2.4;

void atemi_figure_widen(const double *values, int rows, double *least, double *largest)
{
    for (int i = 0; i < rows; ++i) {
        *least = fmin(*least, values[i]); // NaN is passed over
        *largest = fmax(*largest, values[i]);
    }
}

// ---- Lines

// Of the points that share a pixel column, only the ends and the extremes are drawn.
typedef struct curve_bucket {
    double             column;
    atemi_figure_point first, lowest, highest, last;
    int                count;
} curve_bucket;

static void enter(curve_bucket *bucket, atemi_figure_point point)
{
    if (bucket->count++ == 0) {
        bucket->first = bucket->lowest = bucket->highest = point;
    }
    bucket->lowest = point.y > bucket->lowest.y ? point : bucket->lowest;
    bucket->highest = point.y < bucket->highest.y ? point : bucket->highest;
    bucket->last = point;
}

static void flush(atemi_figure *figure, curve_bucket *bucket, bool *begins)
{
    const atemi_figure_point points[] = {bucket->first, bucket->lowest, bucket->highest,
                                         bucket->last};
    const int                count = bucket->count < 4 ? bucket->count : 4;
    if (count == 2) {
        atemi_figure_path_add(figure, bucket->first, *begins);
        atemi_figure_path_add(figure, bucket->last, false);
    } else {
        for (int i = 0; i < count; ++i) {
            atemi_figure_path_add(figure, points[i], *begins && i == 0);
        }
    }
    *begins = *begins && count == 0;
    bucket->count = 0;
}

void atemi_figure_curve(atemi_figure *figure, const atemi_figure_frame *frame, int rows,
                        const double *x, const double *y, const char *style)
{
    curve_bucket bucket = {0};
    bool         begins = true;
    atemi_figure_path_begin(figure);
    for (int i = 0; i < rows; ++i) {
        if (isnan(x[i]) || isnan(y[i])) {
            flush(figure, &bucket, &begins);
            begins = true;
            continue;
        }
        const atemi_figure_point point = {atemi_figure_axis_at(&frame->x, x[i]),
                                          atemi_figure_axis_at(&frame->y, y[i])};
        const double             column = floor(point.x);
        if (column != bucket.column) {
            flush(figure, &bucket, &begins);
        }
        bucket.column = column;
        enter(&bucket, point);
    }
    flush(figure, &bucket, &begins);
    atemi_figure_path_end(figure, style);
}

// ---- Panels

static atemi_figure_axis y_axis(const atemi_figure_panel *panel, double top)
{
    double least = INFINITY, largest = -INFINITY;
    for (int i = 0; i < panel->count; ++i) {
        atemi_figure_widen(panel->series[i].y, panel->series[i].count, &least, &largest);
    }
    for (int i = 0; i < 2 && panel->band[0] && panel->count > 0; ++i) {
        atemi_figure_widen(panel->band[i], panel->series[0].count, &least, &largest);
    }
    const double farthest = 2.0 * fmax(fabs(least), fabs(largest));
    for (int i = 0; i < panel->count; ++i) { // limits that are near enough to matter
        const atemi_figure_series *series = &panel->series[i];
        least = fabs(series->lower) <= farthest ? fmin(least, series->lower) : least;
        largest = fabs(series->upper) <= farthest ? fmax(largest, series->upper) : largest;
    }
    return atemi_figure_axis_make(least, largest, 0.06, top + panel_height, top);
}

static void draw_limit(atemi_figure *figure, const atemi_figure_frame *frame, double value,
                       const char *color)
{
    char style[96];
    if (value > frame->y.least && value < frame->y.largest) {
        const double at = atemi_figure_axis_at(&frame->y, value);
        snprintf(style, sizeof style, "stroke='%s' stroke-dasharray='5 4' stroke-opacity='0.7'",
                 color);
        atemi_figure_line(figure, (atemi_figure_point){frame->x.from, at},
                          (atemi_figure_point){frame->x.to, at}, style);
    }
}

static void draw_dots(atemi_figure *figure, const atemi_figure_frame *frame,
                      const atemi_figure_series *series, const char *color)
{
    char style[32];
    snprintf(style, sizeof style, "fill='%s'", color);
    for (int i = 0; i < series->count && series->dots; ++i) {
        if (!isnan(series->x[i]) && !isnan(series->y[i])) {
            const atemi_figure_point point = {atemi_figure_axis_at(&frame->x, series->x[i]),
                                              atemi_figure_axis_at(&frame->y, series->y[i])};
            atemi_figure_circle(figure, point, dot_radius, style);
        }
    }
}

static void draw_series(atemi_figure *figure, const atemi_figure_frame *frame,
                        const atemi_figure_series *series, const char *color)
{
    char style[112];
    snprintf(style, sizeof style, "stroke='%s' stroke-width='1.6' stroke-linejoin='round'%s", color,
             series->is_reference ? reference_style : "");
    atemi_figure_curve(figure, frame, series->count, series->x, series->y, style);
    draw_dots(figure, frame, series, color);
    draw_limit(figure, frame, series->upper, color);
    draw_limit(figure, frame, series->lower, color);
}

// ---- Bands

// A stretch of a band, pixels: from left to right, between bottom and top.
typedef struct band_piece {
    double from, to, bottom, top;
} band_piece;

static void draw_piece(atemi_figure *figure, const band_piece *piece)
{
    if (piece->to > piece->from) {
        atemi_figure_rectangle(figure, (atemi_figure_point){piece->from, piece->top},
                               piece->to - piece->from, piece->bottom - piece->top, band_style);
    }
}

static band_piece piece_at(const atemi_figure_frame *frame, const atemi_figure_panel *panel,
                           int row)
{
    const double at = atemi_figure_axis_at(&frame->x, panel->series[0].x[row]);
    return (band_piece){at, at, atemi_figure_axis_at(&frame->y, panel->band[0][row]),
                        atemi_figure_axis_at(&frame->y, panel->band[1][row])};
}

// An edge that stays within a third of a pixel is one piece; what lasts less than half a pixel is
// drawn as wide as it gets.
static void draw_band(atemi_figure *figure, const atemi_figure_frame *frame,
                      const atemi_figure_panel *panel)
{
    const int  rows = panel->count > 0 && panel->band[0] ? panel->series[0].count : 0;
    band_piece piece = {0};
    bool       is_open = false;
    for (int i = 0; i < rows; ++i) {
        const bool       known = !isnan(panel->band[0][i]) && !isnan(panel->band[1][i]);
        const band_piece now = piece_at(frame, panel, i);
        const bool       same = fabs(now.bottom - piece.bottom) + fabs(now.top - piece.top) < 0.33;
        piece.to = is_open ? now.from : piece.to;
        if (is_open && known && (same || now.from - piece.from < 0.5)) {
            piece.bottom = fmax(piece.bottom, now.bottom);
            piece.top = fmin(piece.top, now.top);
            continue;
        }
        draw_piece(figure, &piece);
        piece = now;
        is_open = known;
    }
    draw_piece(figure, &piece);
}

// ---- Legends and whole panels

static double draw_entries(atemi_figure *figure, const atemi_figure_panel *panel,
                           atemi_figure_point at)
{
    char text[112];
    for (int i = 0; i < panel->count; ++i, at.y += row_height) {
        snprintf(text, sizeof text, "stroke='%s' stroke-width='2.5'%s", atemi_figure_colors[i],
                 panel->series[i].is_reference ? reference_style : "");
        atemi_figure_line(figure, (atemi_figure_point){at.x, at.y - 4.0},
                          (atemi_figure_point){at.x + 18.0, at.y - 4.0}, text);
        atemi_figure_text(figure, (atemi_figure_point){at.x + 24.0, at.y}, ATEMI_FIGURE_START,
                          "fill='#222'", panel->series[i].label, panel->series[i].label_length);
    }
    return at.y;
}

static void draw_legend(atemi_figure *figure, const atemi_figure_panel *panel,
                        atemi_figure_point at)
{
    char text[80];
    at.y = draw_entries(figure, panel, at);
    if (panel->band[0]) {
        atemi_figure_rectangle(figure, (atemi_figure_point){at.x, at.y - 10.0}, 18.0, 11.0,
                               band_style);
        atemi_figure_text(figure, (atemi_figure_point){at.x + 24.0, at.y}, ATEMI_FIGURE_START,
                          "fill='#222'", panel->band_label, -1);
        at.y += row_height;
    }
    if (panel->left_out > 0) {
        snprintf(text, sizeof text, "%d of %d, %s", panel->count, panel->count + panel->left_out,
                 panel->chosen);
        atemi_figure_text(figure, at, ATEMI_FIGURE_START, "fill='#777' font-size='11'", text, -1);
    }
}

void atemi_figure_title_draw(atemi_figure *figure, double top, const char *title)
{
    atemi_figure_text(figure, (atemi_figure_point){left, top + 18.0}, ATEMI_FIGURE_START,
                      "class='title' font-weight='bold' fill='#222'", title, -1);
}

double atemi_figure_panel_height(const atemi_figure_panel *panel)
{
    return (panel->title ? atemi_figure_title_height : 0.0) + head + panel_height;
}

void atemi_figure_panel_draw(atemi_figure *figure, const atemi_figure_abscissa *x, double top,
                             bool is_last, const atemi_figure_panel *panel)
{
    const double             inside = top + atemi_figure_panel_height(panel) - panel_height;
    const atemi_figure_frame frame = {
        .x = atemi_figure_axis_make(x->least, x->largest, x->air, left, atemi_figure_width - right),
        .y = y_axis(panel, inside),
        .x_name = is_last ? x->name : NULL,
        .y_name = panel->name,
    };
    if (panel->title) {
        atemi_figure_title_draw(figure, top, panel->title);
    }
    draw_band(figure, &frame, panel);
    atemi_figure_frame_draw(figure, &frame);
    for (int i = 0; i < panel->count; ++i) {
        draw_series(figure, &frame, &panel->series[i], atemi_figure_colors[i]);
    }
    draw_legend(figure, panel,
                (atemi_figure_point){atemi_figure_width - right + 16.0, inside + 10.0});
}

void atemi_figure_plot(atemi_figure *figure, const atemi_figure_abscissa *x, int count,
                       const atemi_figure_panel *panels)
{
    double top = 0.0, height = atemi_figure_foot;
    for (int i = 0; i < count; ++i) {
        height += atemi_figure_panel_height(&panels[i]);
    }
    atemi_figure_begin(figure, atemi_figure_width, height);
    for (int i = 0; i < count; ++i) {
        atemi_figure_panel_draw(figure, x, top, i + 1 == count, &panels[i]);
        top += atemi_figure_panel_height(&panels[i]);
    }
    atemi_figure_end(figure);
}
