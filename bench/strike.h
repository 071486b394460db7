// SPDX-License-Identifier: Apache-2.0

/// @file
/// The strikes of scenarios, for the benchmarks of the planner.

#pragma once

#include "jobs/strike/strike_scenario.h"

/// Reads a scenario, or prints why not and ends the program. Destroy it.
void bench_strike_read(const char *path, atemi_strike_scenario *scenario);
