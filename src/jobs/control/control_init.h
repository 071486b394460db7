// SPDX-License-Identifier: Apache-2.0

/// @file
/// A scenario of control for a robot, that runs as it is.

#pragma once

#include "jobs/job.h"

/// Appends a scenario in which the robot reaches with its hands, with comments.
/// @param wish hand by the name of a link; feet, sole and target are refused
atemi_status atemi_control_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error);
