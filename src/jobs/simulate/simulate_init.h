// SPDX-License-Identifier: Apache-2.0

/// @file
/// A scenario of a simulation for a robot, that runs as it is.

#pragma once

#include "jobs/job.h"

/// Appends a scenario in which the robot stands, or is held, by servos, with comments.
/// @param wish nothing but the robot: all else is refused
atemi_status atemi_simulate_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error);
