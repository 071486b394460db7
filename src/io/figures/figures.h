// SPDX-License-Identifier: Apache-2.0

/// @file
/// The pictures of a recording. Each draws a whole one, or nothing where the recording has no
/// columns for it: `figure->text` is then empty.

#pragma once

#include "io/figures/figure.h"
#include "io/report/report_contact.h"
#include "io/report/report_plots.h"
#include "io/report/report_robot.h"

/// What all of them look at. There is at least one row.
typedef struct atemi_figure_source {
    const atemi_recording       *recording;
    const atemi_report_robot    *robot;
    const atemi_report_contacts *contacts;
    const atemi_report_plots    *plots;
    int                          rows;
    const double                *t; ///< [rows]
} atemi_figure_source;

typedef atemi_status (*atemi_figure_drawing)(const atemi_figure_source *source,
                                             atemi_figure *figure, atemi_error *error);

atemi_status atemi_figure_strip(const atemi_figure_source *source, atemi_figure *figure,
                                atemi_error *error);
/// Nothing where there are too few rows for a motion.
atemi_status atemi_figure_motion(const atemi_figure_source *source, atemi_figure *figure,
                                 atemi_error *error);
atemi_status atemi_figure_zmp(const atemi_figure_source *source, atemi_figure *figure,
                              atemi_error *error);

/// All plots over time that share the figure of the plot `first`, below each other.
atemi_status atemi_figure_over_time(const atemi_figure_source *source, int first,
                                    atemi_figure *figure, atemi_error *error);

/// Of every row, the least and the greatest x (axis 0) or y (axis 1) of the contacts that carry the
/// robot, [rows] each; NaN where none does.
void atemi_figure_support(const atemi_figure_source *source, int axis, double *least,
                          double *largest);

/// The curves of a table's plot; a panel for each unit of its y.
atemi_status atemi_figure_table(const atemi_recorded_table *table, atemi_figure *figure,
                                atemi_error *error);

/// The row nearest to a part of the recording's time, 0 to 1.
int atemi_figure_row(const atemi_figure_source *source, double part);
