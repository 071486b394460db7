// SPDX-License-Identifier: Apache-2.0

/// @file
/// The pictures of a recording. Each draws a whole one, or nothing where the recording has no
/// columns for it: `figure->text` is then empty.

#pragma once

#include "io/figures/figure.h"
#include "io/report/report_contact.h"
#include "io/report/report_robot.h"

/// What all of them look at. There is at least one row.
typedef struct atemi_figure_source {
    const atemi_recording       *recording;
    const atemi_report_robot    *robot;
    const atemi_report_contacts *contacts;
    int                          rows;
    const double                *t; ///< [rows]
} atemi_figure_source;

typedef atemi_status (*atemi_figure_drawing)(const atemi_figure_source *source,
                                             atemi_figure *figure, atemi_error *error);

atemi_status atemi_figure_strip(const atemi_figure_source *source, atemi_figure *figure,
                                atemi_error *error);
atemi_status atemi_figure_forces(const atemi_figure_source *source, atemi_figure *figure,
                                 atemi_error *error);
atemi_status atemi_figure_contacts(const atemi_figure_source *source, atemi_figure *figure,
                                   atemi_error *error);
atemi_status atemi_figure_gait(const atemi_figure_source *source, atemi_figure *figure,
                               atemi_error *error);
atemi_status atemi_figure_positions(const atemi_figure_source *source, atemi_figure *figure,
                                    atemi_error *error);
atemi_status atemi_figure_velocities(const atemi_figure_source *source, atemi_figure *figure,
                                     atemi_error *error);
atemi_status atemi_figure_torques(const atemi_figure_source *source, atemi_figure *figure,
                                  atemi_error *error);
atemi_status atemi_figure_energy(const atemi_figure_source *source, atemi_figure *figure,
                                 atemi_error *error);
atemi_status atemi_figure_zmp(const atemi_figure_source *source, atemi_figure *figure,
                              atemi_error *error);

/// The curves of a table's plot; a panel for each unit of its y.
atemi_status atemi_figure_table(const atemi_recorded_table *table, atemi_figure *figure,
                                atemi_error *error);

/// The row nearest to a part of the recording's time, 0 to 1.
int atemi_figure_row(const atemi_figure_source *source, double part);
