// SPDX-License-Identifier: Apache-2.0

/// @file
/// The plots that a recording shows over time, in their order: those that it describes or, where it
/// describes none, those of its columns. The page and the figures both draw this list.

#pragma once

#include "io/bytes/text.h"
#include "io/report/report_contact.h"
#include "model/names.h"

/// A line or bar. The label is a part of a string that lives as long as the recording.
typedef struct atemi_report_line {
    int         column;
    const char *label;
    int         label_length; ///< bytes
    bool        is_reference; ///< what was commanded or planned
} atemi_report_line;

/// A plot with one unit; `about.columns` is of no interest any more. Angles are shown in degrees.
typedef struct atemi_report_plot {
    atemi_recorded_plot about;                  ///< its unit is there, as people read it
    double              scale;                  ///< times which values and limits have that unit
    int                 first_line, line_count; ///< of all lines; none for contact forces
} atemi_report_plot;

typedef struct atemi_report_plots {
    int                count, capacity;
    atemi_report_plot *plots; ///< [count]
    int                line_count, line_capacity;
    atemi_report_line *lines; ///< [line_count]
    atemi_string_pool  names; ///< of figures that the recording does not describe
} atemi_report_plots;

/// Finds all plots that have a value: 1000 at most.
/// @param plots to be destroyed, whatever the result
atemi_status atemi_report_plots_find(const atemi_recording       *recording,
                                     const atemi_report_contacts *contacts,
                                     atemi_report_plots *plots, atemi_error *error);
void         atemi_report_plots_destroy(atemi_report_plots *plots);

/// Appends them as a JSON array, one a line.
void atemi_report_put_plots(const atemi_report_plots *plots, atemi_text *text);
