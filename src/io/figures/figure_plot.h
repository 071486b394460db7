// SPDX-License-Identifier: Apache-2.0

/// @file
/// Plots: panels below each other that share their x, lines with a legend.

#pragma once

#include "io/figures/figure_axis.h"

/// Columns of further units are left out.
enum { ATEMI_FIGURE_PANELS = 4 };

/// A line of a panel.
typedef struct atemi_figure_series {
    int           count;
    const double *x, *y; ///< [count], NaN is a gap
    const char   *label;
    int           label_length; ///< bytes, or negative for all
    double        limit;        ///< drawn dashed on both sides of zero, or NaN
    bool          dots;         ///< each point is marked
} atemi_figure_series;

typedef struct atemi_figure_panel {
    const char         *name;     ///< with the unit
    int                 count;    ///< at most ATEMI_FIGURE_COLORS
    int                 left_out; ///< series that there was no room for
    const char         *chosen;   ///< which ones they were not
    atemi_figure_series series[ATEMI_FIGURE_COLORS];
} atemi_figure_panel;

/// The x that panels share.
typedef struct atemi_figure_abscissa {
    const char *name; ///< with the unit
    double      least, largest;
    double      air; ///< at both ends, as a part of the range
} atemi_figure_abscissa;

/// Draws the panels as a whole picture.
void atemi_figure_plot(atemi_figure *figure, const atemi_figure_abscissa *x, int count,
                       const atemi_figure_panel *panels);

/// The smallest and largest of the values that are there, joined to what the range has already.
void atemi_figure_widen(const double *values, int rows, double *least, double *largest);

/// A line through the points (x, y), thinned where many share a pixel.
void atemi_figure_curve(atemi_figure *figure, const atemi_figure_frame *frame, int rows,
                        const double *x, const double *y, const char *style);
