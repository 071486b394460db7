// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure.h"

#include <math.h>
#include <string.h>

const char *const atemi_figure_colors[ATEMI_FIGURE_COLORS] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222", "#8c6d31"};

// Hundredths of a pixel, in every locale the same.
static void put_length(atemi_text *text, double length)
{
    atemi_text_put_number(text, isfinite(length) ? round(100.0 * length) / 100.0 + 0.0 : 0.0);
}

static void put_lengths(atemi_text *text, const char *first_key, double first,
                        const char *second_key, double second)
{
    atemi_text_append(text, " %s='", first_key);
    put_length(text, first);
    atemi_text_append(text, "' %s='", second_key);
    put_length(text, second);
    atemi_text_put_character(text, '\'');
}

static void put_escaped(atemi_text *text, const char *string, size_t length)
{
    for (size_t i = 0; i < length && string[i]; ++i) {
        switch (string[i]) {
        case '<':
            atemi_text_put_string(text, "&lt;");
            break;
        case '>':
            atemi_text_put_string(text, "&gt;");
            break;
        case '&':
            atemi_text_put_string(text, "&amp;");
            break;
        default:
            atemi_text_put_character(text, (unsigned char)string[i] < ' ' ? ' ' : string[i]);
        }
    }
}

void atemi_figure_begin(atemi_figure *figure, double width, double height)
{
    *figure = (atemi_figure){0};
    atemi_text_put_string(&figure->text, "<svg xmlns='http://www.w3.org/2000/svg'");
    put_lengths(&figure->text, "width", width, "height", height);
    atemi_text_append(&figure->text, " viewBox='0 0 ");
    put_length(&figure->text, width);
    atemi_text_put_character(&figure->text, ' ');
    put_length(&figure->text, height);
    atemi_text_put_string(&figure->text,
                          "' font-family='Helvetica, Arial, Liberation Sans, sans-serif' "
                          "font-size='12' fill='none'>\n");
    atemi_figure_rectangle(figure, (atemi_figure_point){0.0, 0.0}, width, height, "fill='#fff'");
}

void atemi_figure_end(atemi_figure *figure)
{
    atemi_text_put_string(&figure->text, "</svg>\n");
}

void atemi_figure_line(atemi_figure *figure, atemi_figure_point from, atemi_figure_point to,
                       const char *style)
{
    atemi_text_put_string(&figure->text, "<line");
    put_lengths(&figure->text, "x1", from.x, "y1", from.y);
    put_lengths(&figure->text, "x2", to.x, "y2", to.y);
    atemi_text_append(&figure->text, " %s/>\n", style);
}

void atemi_figure_rectangle(atemi_figure *figure, atemi_figure_point corner, double width,
                            double height, const char *style)
{
    atemi_text_put_string(&figure->text, "<rect");
    put_lengths(&figure->text, "x", corner.x, "y", corner.y);
    put_lengths(&figure->text, "width", width, "height", height);
    atemi_text_append(&figure->text, " %s/>\n", style);
}

void atemi_figure_circle(atemi_figure *figure, atemi_figure_point center, double radius,
                         const char *style)
{
    atemi_text_put_string(&figure->text, "<circle");
    put_lengths(&figure->text, "cx", center.x, "cy", center.y);
    atemi_text_put_string(&figure->text, " r='");
    put_length(&figure->text, radius);
    atemi_text_append(&figure->text, "' %s/>\n", style);
}

void atemi_figure_polygon(atemi_figure *figure, int count, const atemi_figure_point *points,
                          const char *style)
{
    atemi_text_put_string(&figure->text, "<polygon points='");
    for (int i = 0; i < count; ++i) {
        atemi_text_put_string(&figure->text, i > 0 ? " " : "");
        put_length(&figure->text, points[i].x);
        atemi_text_put_character(&figure->text, ',');
        put_length(&figure->text, points[i].y);
    }
    atemi_text_append(&figure->text, "' %s/>\n", style);
}

void atemi_figure_path_begin(atemi_figure *figure)
{
    atemi_text_put_string(&figure->text, "<path d='");
}

void atemi_figure_path_add(atemi_figure *figure, atemi_figure_point point, bool begins_part)
{
    atemi_text_put_character(&figure->text, begins_part ? 'M' : 'L');
    put_length(&figure->text, point.x);
    atemi_text_put_character(&figure->text, ' ');
    put_length(&figure->text, point.y);
}

void atemi_figure_path_end(atemi_figure *figure, const char *style)
{
    atemi_text_append(&figure->text, "' %s/>\n", style);
}

static void begin_text(atemi_figure *figure, atemi_figure_point at, atemi_figure_anchor anchor,
                       const char *style)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    atemi_text_put_string(&figure->text, "<text");
    put_lengths(&figure->text, "x", at.x, "y", at.y);
    atemi_text_append(&figure->text, " text-anchor='%s' %s>", anchors[anchor], style);
}

void atemi_figure_text(atemi_figure *figure, atemi_figure_point at, atemi_figure_anchor anchor,
                       const char *style, const char *text, int length)
{
    begin_text(figure, at, anchor, style);
    put_escaped(&figure->text, text, length < 0 ? strlen(text) : (size_t)length);
    atemi_text_put_string(&figure->text, "</text>\n");
}

void atemi_figure_number(atemi_figure *figure, atemi_figure_point at, atemi_figure_anchor anchor,
                         const char *style, double value, const char *unit)
{
    begin_text(figure, at, anchor, style);
    if (value < 0.0) {
        atemi_text_put_string(&figure->text, "\xe2\x88\x92"); // the minus sign
    }
    atemi_text_put_number(&figure->text, fabs(value));
    put_escaped(&figure->text, unit, strlen(unit));
    atemi_text_put_string(&figure->text, "</text>\n");
}

void atemi_figure_clip_begin(atemi_figure *figure, int index, atemi_figure_point corner,
                             double width, double height)
{
    atemi_text_append(&figure->text, "<clipPath id='clip%d'>", index);
    atemi_figure_rectangle(figure, corner, width, height, "");
    atemi_text_append(&figure->text, "</clipPath>\n<g clip-path='url(#clip%d)'>\n", index);
}

void atemi_figure_clip_end(atemi_figure *figure)
{
    atemi_text_put_string(&figure->text, "</g>\n");
}

void atemi_figure_frame_begin(atemi_figure *figure, int index, int count, double period, bool shown)
{
    const bool   first = index == 0, last = index == count - 1;
    const double from = index / (double)count, until = (index + 1.0) / count;
    atemi_text_append(&figure->text,
                      "<g visibility='%s'><animate attributeName='visibility' "
                      "repeatCount='indefinite' calcMode='discrete' dur='",
                      shown ? "visible" : "hidden");
    atemi_text_put_number(&figure->text, period);
    atemi_text_append(&figure->text, "s' values='%svisible%s' keyTimes='0", first ? "" : "hidden;",
                      last ? "" : ";hidden");
    if (!first) {
        atemi_text_put_character(&figure->text, ';');
        atemi_text_put_number(&figure->text, from);
    }
    if (!last) {
        atemi_text_put_character(&figure->text, ';');
        atemi_text_put_number(&figure->text, until);
    }
    atemi_text_put_string(&figure->text, "'/>\n");
}

void atemi_figure_frame_end(atemi_figure *figure)
{
    atemi_text_put_string(&figure->text, "</g>\n");
}
