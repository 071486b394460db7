// SPDX-License-Identifier: Apache-2.0

/// @file
/// Reports: a recording as one HTML page that opens offline in any browser, and as pictures for
/// papers.
///
///     atemi_recording_load("run1", &recording, &error);
///     atemi_report_write(recording, "run1.html", &error);
///     atemi_report_write_figures(recording, "figures", &error);
///
/// The page shows the robot in 3D with a time line, forces, contacts, all columns and tables.
/// Numbers over time have 16 bits each: a column is exact to (largest - smallest) / 65534 / 2. What
/// is exact is the recording. Meshes (.stl, .obj) are drawn where their files are found; package://
/// names are looked for in ROS_PACKAGE_PATH. What cannot be drawn is a warning to the log hook.

#pragma once

#include "atemi/recording.h"

ATEMI_BEGIN

/// Whether this library was built with the page; without it there are figures only.
ATEMI_API bool atemi_report_available(void);

/// Whether a report could be written to `path` as things stand: to be asked before a long job.
ATEMI_API atemi_status atemi_report_check(const char *path, atemi_error *error);

/// Writes the page with the recording in it to a file, which then holds all of it or is as it was
/// before. A symbolic link at `path` is followed, and stays. ATEMI_ERROR_NOT_FOUND where the
/// library was built without the page.
ATEMI_API atemi_status atemi_report_write(const atemi_recording *recording, const char *path,
                                          atemi_error *error);

/// Writes the page to report.html in a folder, mostly that of the recording. Whatever has this name
/// there, a symbolic link too, is replaced by the page; what the link leads to stays as it is.
ATEMI_API atemi_status atemi_report_write_inside(const atemi_recording *recording,
                                                 const char *folder, atemi_error *error);

/// Writes pictures (SVG) into a folder, which is made where there is none: strip.svg, the robot in
/// several postures; zmp.svg, the ZMP from above; the plots over time that the page has too, a file
/// for each figure that the recording's plots name (atemi_recorded_plot). Each table with a plot is
/// table-NAME.svg, or table.NUMBER.svg, counted from 1, where its name has other characters than
/// letters, digits, - and _. What the recording has no columns for is left out, and a file of that
/// name stays as it is. A symbolic link of such a name is replaced by the picture; what it leads to
/// stays as it is.
ATEMI_API atemi_status atemi_report_write_figures(const atemi_recording *recording,
                                                  const char *folder, atemi_error *error);

/// Whether figures could be written into a folder as things stand: to be asked before a long job.
ATEMI_API atemi_status atemi_report_check_figures(const char *folder, atemi_error *error);

ATEMI_END
