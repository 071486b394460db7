// SPDX-License-Identifier: Apache-2.0

/// @file
/// Scenarios that a job refuses, and what it then says where.

#pragma once

#include "atemi/recording.h"
#include "check.h"

/// The job under test: runs a scenario's text.
typedef atemi_status refusing_job(const char *text, size_t size, const char *file,
                                  atemi_recording **recording, atemi_error *error);

/// Checks that the job refuses the text with cause and cure, at a line and column.
void check_refusal(check_place place, refusing_job *job, const char *text, int line, int column,
                   const char *cause, const char *cure);
