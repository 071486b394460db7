// SPDX-License-Identifier: Apache-2.0

/// @file
/// Events of a control job, noted into its recording.

#pragma once

#include "atemi/recording.h"

typedef struct control_log {
    atemi_recording *recording;
    atemi_status     status; ///< of the first note that failed
    atemi_error      error;
} control_log;

/// Notes an event.
/// @param what it happened to, or NULL
void atemi_control_note(control_log *log, double time, const char *kind, const char *what,
                        const char *format, ...) ATEMI_PRINTF(5, 6);
