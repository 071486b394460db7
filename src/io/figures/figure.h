// SPDX-License-Identifier: Apache-2.0

/// @file
/// Pictures as SVG text. Lengths are pixels, y points down.

#pragma once

#include "io/bytes/text.h"

/// A picture. Once the memory is not enough, `text.failed` says so.
typedef struct atemi_figure {
    atemi_text text;
} atemi_figure;

typedef struct atemi_figure_point {
    double x, y;
} atemi_figure_point;

/// Where text stands relative to its point.
typedef enum atemi_figure_anchor {
    ATEMI_FIGURE_START,
    ATEMI_FIGURE_MIDDLE,
    ATEMI_FIGURE_END,
} atemi_figure_anchor;

enum { ATEMI_FIGURE_COLORS = 8 };

/// Colours that people with any eyes tell apart, by Okabe and Ito.
extern const char *const atemi_figure_colors[ATEMI_FIGURE_COLORS];

void atemi_figure_begin(atemi_figure *figure, double width, double height);
void atemi_figure_end(atemi_figure *figure);

/// `style` is a list of SVG attributes, such as "stroke='#999'".
void atemi_figure_line(atemi_figure *figure, atemi_figure_point from, atemi_figure_point to,
                       const char *style);
void atemi_figure_rectangle(atemi_figure *figure, atemi_figure_point corner, double width,
                            double height, const char *style);
void atemi_figure_circle(atemi_figure *figure, atemi_figure_point center, double radius,
                         const char *style);
void atemi_figure_polygon(atemi_figure *figure, int count, const atemi_figure_point *points,
                          const char *style);

/// A line of any length: begin, add points, end. A new part begins behind a gap.
void atemi_figure_path_begin(atemi_figure *figure);
void atemi_figure_path_add(atemi_figure *figure, atemi_figure_point point, bool begins_part);
void atemi_figure_path_end(atemi_figure *figure, const char *style);

/// Text, of which `length` bytes are written, or all where that is negative.
void atemi_figure_text(atemi_figure *figure, atemi_figure_point at, atemi_figure_anchor anchor,
                       const char *style, const char *text, int length);

/// A number of few digits as text.
void atemi_figure_number(atemi_figure *figure, atemi_figure_point at, atemi_figure_anchor anchor,
                         const char *style, double value, const char *unit);

/// All between the two is drawn only inside the rectangle. `index` is unique in the picture.
void atemi_figure_clip_begin(atemi_figure *figure, int index, atemi_figure_point corner,
                             double width, double height);
void atemi_figure_clip_end(atemi_figure *figure);

/// All between the two is one of `count` pictures that follow each other in `period` seconds, over
/// and over. What shows no moving pictures shows those that are `shown`.
void atemi_figure_frame_begin(atemi_figure *figure, int index, int count, double period,
                              bool shown);
void atemi_figure_frame_end(atemi_figure *figure);
