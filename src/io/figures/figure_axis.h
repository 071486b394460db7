// SPDX-License-Identifier: Apache-2.0

/// @file
/// Axes of plots: a range of values on a stretch of the picture, with ticks at round numbers.

#pragma once

#include "io/figures/figure.h"

/// Values from `least` to `largest` stand from pixel `from` to pixel `to`.
typedef struct atemi_figure_axis {
    double least, largest;
    double from, to;
} atemi_figure_axis;

/// The range with some air around it, or around a single value.
atemi_figure_axis atemi_figure_axis_make(double least, double largest, double air, double from,
                                         double to);

/// The pixel of a value.
double atemi_figure_axis_at(const atemi_figure_axis *axis, double value);

/// Ticks at 1, 2 or 5 times a power of ten: about one in `distance` pixels.
typedef struct atemi_figure_ticks {
    long long first, last; ///< multiples of the step
    int       digit;       ///< 1, 2 or 5
    int       power;       ///< of ten
} atemi_figure_ticks;

atemi_figure_ticks atemi_figure_ticks_make(const atemi_figure_axis *axis, double distance);

/// The value of a tick: the double nearest to the decimal number.
double atemi_figure_tick_value(const atemi_figure_ticks *ticks, long long index);

/// The frame of a plot: grid, ticks and their numbers, and the names of the axes.
typedef struct atemi_figure_frame {
    atemi_figure_axis x, y;
    const char       *x_name, *y_name; ///< NULL for an axis without numbers
} atemi_figure_frame;

void atemi_figure_frame_draw(atemi_figure *figure, const atemi_figure_frame *frame);
