// SPDX-License-Identifier: Apache-2.0

/// @file
/// The robots and states of the benchmark, the same for every contender.

#pragma once

#include "bench.h"

#include <stdint.h>

/// Reads `folder`/`name`.table and `folder`/`name`.urdf, which robot_table.py writes.
/// @param path of the robot's own URDF file, for contenders that read it themselves
/// @return 0, or -1 after writing to `error` [BENCH_ERROR_SIZE]
int bench_robot_load(const char *folder, const char *name, const char *path, bench_robot *robot,
                     char *error);

void bench_robot_release(bench_robot *robot);

/// Random states within the joints' limits, all accelerations, velocities and torques of order one
/// to ten. The robot's feet are known before, see feet.h.
bench_states bench_states_make(const bench_robot *robot, int count, uint64_t seed);

void bench_states_release(bench_states *states);
