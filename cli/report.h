// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where the report of a recording stands when nobody says where.

#pragma once

#include <stdbool.h>

enum { REPORT_PATH_SIZE = 4096 };

/// DIR/report.html. False if that is too long, which is then said on stderr.
bool report_default_path(const char *folder, char path[REPORT_PATH_SIZE]);
