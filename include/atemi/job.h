// SPDX-License-Identifier: Apache-2.0

/// @file
/// What every job of atemi shares: telling how far it has come, and being stopped.

#pragma once

#include "atemi/api.h"

#include <stdbool.h>

ATEMI_BEGIN

/// What a job asks its user for. NULL in place of the hooks, or of one of them, is no interest.
typedef struct atemi_job_hooks {
    /// Hears how much is done, from 0 to 1, in the thread of the job and many times a second.
    /// @return false to stop early: the job then ends in good order with what it has so far, and
    ///         its outcome says so
    bool (*progress)(void *context, double done);
    void *context;
    /// Hears how things stand, such as "480 N, all constraints met", before `progress`.
    void (*tell)(void *context, const char *text);
    /// Where the rows of a job that may be long (simulate, control, walk) go as they come, as
    /// atemi_recording_stream_to() has it, for the atemi_recording_write() to the same folder that
    /// ends it; NULL for memory.
    const char *folder;
} atemi_job_hooks;

ATEMI_END
