// SPDX-License-Identifier: Apache-2.0

/// @file
/// States over time, a bar for each of several things, with a legend of those that there are.

#pragma once

#include "io/figures/figures.h"

/// A thing that is in one state or another.
typedef struct atemi_figure_bar {
    const char *name;
    int         name_length; ///< -1 for all of it
    int         channel;     ///< of the recording, with the numbers of its states
} atemi_figure_bar;

typedef struct atemi_figure_bars {
    int                     count;
    const atemi_figure_bar *bars;   ///< [count]
    int                     states; ///< numbered from 0; other numbers are left blank
    const char *const      *colors; ///< [states]
    const char *const      *names;  ///< [states]
    double                  key;    ///< pixels of a name in the legend
} atemi_figure_bars;

/// Draws the whole picture.
void atemi_figure_bars_draw(const atemi_figure_source *source, const atemi_figure_bars *bars,
                            atemi_figure *figure);
