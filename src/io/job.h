// SPDX-License-Identifier: Apache-2.0

/// @file
/// How a job talks to its hooks.

#pragma once

#include "atemi/job.h"

#include <stddef.h>

/// Tells how much is done, 0 to 1.
/// @return whether the job goes on
static inline bool atemi_job_goes_on(const atemi_job_hooks *hooks, double done)
{
    return !hooks || !hooks->progress || hooks->progress(hooks->context, done);
}
