// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/support.h"
#include "io/figures/figure_plot.h"
#include "io/figures/figures.h"

#include <math.h>

// The ZMP from above, over the support polygon at the start and at the end, with the centre of
// mass. Both axes have one scale.

static const double side = 460.0, left = 62.0, head = 34.0, foot = 46.0, legend = 170.0; // pixels

typedef struct zmp_view {
    const double       *zmp[2], *com[2]; ///< com NULL where it is not recorded
    atemi_figure_frame  frame;
    double              width, height; ///< of the plot, pixels
    atemi_vec3         *feet;          ///< [contacts] scratch
    atemi_figure_point *points;        ///< [contacts] scratch
} zmp_view;

// ---- Support

// The corners of the polygon that the points in touch span in a row.
static int support_of(const atemi_figure_source *source, int row, atemi_vec3 *feet)
{
    int count = 0;
    for (int i = 0; i < source->contacts->count; ++i) {
        const atemi_report_contact *contact = &source->contacts->contacts[i];
        const atemi_vec3 at = atemi_report_vector(source->recording, contact->position, row);
        if (atemi_recording_values(source->recording, contact->mode)[row] > 0.0 && isfinite(at.x) &&
            isfinite(at.y) && isfinite(at.z)) {
            feet[count++] = at;
        }
    }
    return atemi_support_polygon(NULL, feet, count, feet).count;
}

static void draw_support(atemi_figure *figure, const atemi_figure_source *source,
                         const zmp_view *view, int row, const char *style)
{
    const int count = support_of(source, row, view->feet);
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 at = view->feet[i];
        view->points[i] = (atemi_figure_point){atemi_figure_axis_at(&view->frame.x, at.x),
                                               atemi_figure_axis_at(&view->frame.y, at.y)};
    }
    if (count > 1) {
        atemi_figure_polygon(figure, count, view->points, style);
    }
}

// ---- Axes

typedef struct zmp_range {
    double least[2], largest[2];
} zmp_range;

static void widen_by_support(const atemi_figure_source *source, const zmp_view *view, int row,
                             zmp_range *range)
{
    const int count = support_of(source, row, view->feet);
    for (int i = 0; i < count; ++i) {
        atemi_figure_widen(&view->feet[i].x, 1, &range->least[0], &range->largest[0]);
        atemi_figure_widen(&view->feet[i].y, 1, &range->least[1], &range->largest[1]);
    }
}

static zmp_range range_of(const atemi_figure_source *source, const zmp_view *view)
{
    zmp_range range = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < 2; ++i) {
        atemi_figure_widen(view->zmp[i], source->rows, &range.least[i], &range.largest[i]);
    }
    widen_by_support(source, view, 0, &range);
    widen_by_support(source, view, source->rows - 1, &range);
    return range;
}

// One scale for both axes: the shorter one gets a shorter side.
static void set_frame(const zmp_range *range, zmp_view *view)
{
    const atemi_figure_axis x =
        atemi_figure_axis_make(range->least[0], range->largest[0], 0.08, 0.0, 1.0);
    const atemi_figure_axis y =
        atemi_figure_axis_make(range->least[1], range->largest[1], 0.08, 0.0, 1.0);
    const double width = x.largest - x.least, height = y.largest - y.least;
    const double longer = fmax(width, height), least = 0.25 * longer;
    view->width = side * fmax(width, least) / longer;
    view->height = side * fmax(height, least) / longer;
    const double more_x = 0.5 * fmax(least - width, 0.0), more_y = 0.5 * fmax(least - height, 0.0);
    view->frame =
        (atemi_figure_frame){.x = {x.least - more_x, x.largest + more_x, left, left + view->width},
                             .y = {y.least - more_y, y.largest + more_y, head + view->height, head},
                             .x_name = "x [m]",
                             .y_name = "y [m]"};
}

// ---- Drawing

static const char first_style[] = "fill='#dfe9f2' stroke='#7a9cbb'";
static const char last_style[] = "stroke='#7a9cbb' stroke-dasharray='5 4'";
static const char com_style[] = "stroke='#009e73' stroke-width='1.4'";
static const char zmp_style[] = "stroke='#d55e00' stroke-width='1.6' stroke-linejoin='round'";

static void draw_entry(atemi_figure *figure, atemi_figure_point at, const char *style,
                       const char *text)
{
    atemi_figure_rectangle(figure, (atemi_figure_point){at.x, at.y - 10.0}, 18.0, 10.0, style);
    atemi_figure_text(figure, (atemi_figure_point){at.x + 24.0, at.y}, ATEMI_FIGURE_START,
                      "fill='#222'", text, -1);
}

static void draw_stroke_entry(atemi_figure *figure, atemi_figure_point at, const char *style,
                              const char *text)
{
    atemi_figure_line(figure, (atemi_figure_point){at.x, at.y - 4.0},
                      (atemi_figure_point){at.x + 18.0, at.y - 4.0}, style);
    atemi_figure_text(figure, (atemi_figure_point){at.x + 24.0, at.y}, ATEMI_FIGURE_START,
                      "fill='#222'", text, -1);
}

static void draw_legend(atemi_figure *figure, const zmp_view *view)
{
    const double x = left + view->width + 18.0, y = head + 12.0;
    draw_stroke_entry(figure, (atemi_figure_point){x, y}, zmp_style, "ZMP");
    draw_entry(figure, (atemi_figure_point){x, y + 18.0}, first_style, "support at the start");
    draw_entry(figure, (atemi_figure_point){x, y + 36.0}, last_style, "support at the end");
    if (view->com[0]) {
        draw_stroke_entry(figure, (atemi_figure_point){x, y + 54.0}, com_style, "centre of mass");
    }
}

static void draw(atemi_figure *figure, const atemi_figure_source *source, const zmp_view *view)
{
    const int last = source->rows - 1;
    atemi_figure_begin(figure, left + view->width + legend, head + view->height + foot);
    atemi_figure_frame_draw(figure, &view->frame);
    atemi_figure_clip_begin(figure, 0, (atemi_figure_point){left, head}, view->width, view->height);
    draw_support(figure, source, view, 0, first_style);
    draw_support(figure, source, view, last, last_style);
    if (view->com[0]) {
        atemi_figure_curve(figure, &view->frame, source->rows, view->com[0], view->com[1],
                           com_style);
    }
    atemi_figure_curve(figure, &view->frame, source->rows, view->zmp[0], view->zmp[1], zmp_style);
    atemi_figure_clip_end(figure);
    draw_legend(figure, view);
    atemi_figure_end(figure);
}

static const double *values_of(const atemi_recording *recording, const char *name)
{
    const int column = atemi_recording_find_channel(recording, name);
    return column == ATEMI_NONE ? NULL : atemi_recording_values(recording, column);
}

static bool has_value(const double *values, int rows)
{
    bool found = false;
    for (int i = 0; values && i < rows && !found; ++i) {
        found = !isnan(values[i]);
    }
    return found;
}

atemi_status atemi_figure_zmp(const atemi_figure_source *source, atemi_figure *figure,
                              atemi_error *error)
{
    const atemi_recording *recording = source->recording;
    const size_t           contacts = (size_t)source->contacts->count + 1;
    zmp_view view = {.zmp = {values_of(recording, "zmp.x"), values_of(recording, "zmp.y")},
                     .com = {values_of(recording, "com.x"), values_of(recording, "com.y")}};
    if (!has_value(view.zmp[0], source->rows) || !has_value(view.zmp[1], source->rows)) {
        return ATEMI_OK;
    }
    if (!view.com[0] || !view.com[1]) {
        view.com[0] = NULL;
    }
    view.feet = (atemi_vec3 *)atemi_allocate(contacts * sizeof *view.feet);
    view.points = (atemi_figure_point *)atemi_allocate(contacts * sizeof *view.points);
    atemi_status status = ATEMI_OK;
    if (view.feet && view.points) {
        const zmp_range range = range_of(source, &view);
        set_frame(&range, &view);
        draw(figure, source, &view);
    } else {
        status = atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a figure");
    }
    atemi_release(view.feet);
    atemi_release(view.points);
    return status;
}
