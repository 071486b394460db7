// SPDX-License-Identifier: Apache-2.0

/// @file
/// Pages and figures of recordings, as the subcommands write them.

#pragma once

#include "atemi/recording.h"

#include <stdbool.h>

enum { REPORT_PATH_SIZE = 4096 };

/// Where the report of a recording stands by default: DIR/report.html. False if that
/// is too long, which is then said on stderr.
bool report_default_path(const char *folder, char path[REPORT_PATH_SIZE]);

/// Whether a path has the ending that browsers know a page by.
bool report_is_page(const char *path);

/// Whether a page may have the name, and page and figures could be written as things stand, before
/// a long job. NULL is for none.
/// @return EXIT_DONE, or EXIT_BAD_INPUT with an error on stderr
int report_check(const char *page, const char *figures);

/// Writes a page and figures; NULL for none. What fails is said on stderr.
/// @return EXIT_BAD_INPUT for a place where nothing can be written, EXIT_JOB_FAILED for a full disk
int report_write(const atemi_recording *recording, const char *page, const char *figures);

/// Writes the page that report_default_path() names, and follows no link there.
int report_write_inside(const atemi_recording *recording, const char *folder);
