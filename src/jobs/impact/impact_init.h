// SPDX-License-Identifier: Apache-2.0

/// @file
/// A scenario of an impact for a robot, that runs as it is.

#pragma once

#include "jobs/job.h"

/// Appends a scenario in which the robot's hand hits a box in front of it, with comments.
atemi_status atemi_impact_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error);
