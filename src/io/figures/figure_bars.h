// SPDX-License-Identifier: Apache-2.0

/// @file
/// States over time: a bar for each column of a plot, with a legend of the states that there are.

#pragma once

#include "io/figures/figures.h"

/// The pixels from the top to the time axis, and drawing it. The last plot of a picture has the
/// numbers and the name of time below it.
double atemi_figure_bars_height(const atemi_report_plot *plot);
void   atemi_figure_bars_draw(const atemi_figure_source *source, const atemi_report_plot *plot,
                              double top, bool is_last, atemi_figure *figure);
