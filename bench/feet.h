// SPDX-License-Identifier: Apache-2.0

/// @file
/// The feet of the benchmark's robots, and velocities that leave them where they are.

#pragma once

#include "bench.h"

/// Sets the robot's feet: the links of these names, or if they are NULL those of the first pair of
/// customary names that the robot has; none if it has no such pair.
/// @return 0, or -1 if links were named and the robot has not both
int bench_feet_find(bench_robot *robot, const char *const names[2]);

/// The states' velocities without the part that moves the feet: the nearest with which both stand
/// still. For the caller to free; NULL for a robot without feet.
double *bench_feet_still(const bench_robot *robot, const bench_states *states);
