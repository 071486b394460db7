// SPDX-License-Identifier: Apache-2.0

/// @file
/// Panels of plots: lines with a legend, below each other where they share their x.

#pragma once

#include "io/figures/figure_axis.h"

/// The panels of a table: columns of further units are left out.
enum { ATEMI_FIGURE_PANELS = 4 };

/// A line of a panel.
typedef struct atemi_figure_series {
    int           count;
    const double *x, *y; ///< [count], NaN is a gap
    const char   *label;
    int           label_length; ///< bytes, or negative for all
    double        lower, upper; ///< limits, drawn dashed; NaN for none
    bool          dots;         ///< each point is marked
    bool          is_reference; ///< drawn dashed
} atemi_figure_series;

typedef struct atemi_figure_panel {
    const char         *title;    ///< above all, or NULL
    const char         *name;     ///< of y, with the unit
    int                 count;    ///< at most ATEMI_FIGURE_COLORS
    int                 left_out; ///< series that are not shown
    const char         *chosen;   ///< which ones are, where some are not
    const double       *band[2];  ///< [count of the first series] shaded between them; or NULL
    const char         *band_label;
    atemi_figure_series series[ATEMI_FIGURE_COLORS];
} atemi_figure_panel;

/// The x that panels share.
typedef struct atemi_figure_abscissa {
    const char *name; ///< with the unit
    double      least, largest;
    double      air; ///< at both ends, as a part of the range
} atemi_figure_abscissa;

/// How wide a picture is, and what is below its last panel, pixels.
extern const double atemi_figure_width, atemi_figure_foot;

/// The pixels of a panel from its top to its x axis, and drawing it. The last panel of a picture
/// has the numbers and the name of x below it.
double atemi_figure_panel_height(const atemi_figure_panel *panel);
void   atemi_figure_panel_draw(atemi_figure *figure, const atemi_figure_abscissa *x, double top,
                               bool is_last, const atemi_figure_panel *panel);

/// A title above a panel whose top this is, and how high it is.
extern const double atemi_figure_title_height;
void                atemi_figure_title_draw(atemi_figure *figure, double top, const char *title);

/// Draws the panels as a whole picture.
void atemi_figure_plot(atemi_figure *figure, const atemi_figure_abscissa *x, int count,
                       const atemi_figure_panel *panels);

/// The smallest and largest of the values that are there, joined to what the range has already.
void atemi_figure_widen(const double *values, int rows, double *least, double *largest);

/// A line through the points (x, y), thinned where many share a pixel.
void atemi_figure_curve(atemi_figure *figure, const atemi_figure_frame *frame, int rows,
                        const double *x, const double *y, const char *style);
