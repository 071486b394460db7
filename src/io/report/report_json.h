// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a report says beside its numbers, as JSON. docs/decisions/007-report.md has the format.

#pragma once

#include "io/bytes/text.h"
#include "io/report/report_robot.h"

enum { ATEMI_REPORT_FORMAT_VERSION = 1 };

/// Appends the whole object.
void atemi_report_put_json(const atemi_recording *recording, const atemi_report_robot *robot,
                           atemi_text *text);
