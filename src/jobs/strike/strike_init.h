// SPDX-License-Identifier: Apache-2.0

/// @file
/// A strike to begin with, for any humanoid: what `atemi init strike` writes.

#pragma once

#include "jobs/job.h"

/// Writes the scenario.
/// @return ATEMI_ERROR_INPUT for a robot that cannot strike, or a name that it does not have
atemi_status atemi_strike_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error);
