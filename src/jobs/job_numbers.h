// SPDX-License-Identifier: Apache-2.0

/// @file
/// Whether all numbers are there that a job's recording promises.

#pragma once

#include "atemi/recording.h"

enum { ATEMI_JOB_NUMBERS_TEXT = 256 };

/// Looks for a number that is promised and not finite.
/// @param what the first such, in words
bool atemi_job_numbers_missing(const atemi_recording *recording, char what[ATEMI_JOB_NUMBERS_TEXT]);

/// A job that says it is completed and lacks a number has failed: "completed" becomes 0, and the
/// outcome says which number. One that failed anyway is left as it is.
atemi_status atemi_job_judge_numbers(atemi_recording *recording, atemi_error *error);
