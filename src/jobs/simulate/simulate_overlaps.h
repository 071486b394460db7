// SPDX-License-Identifier: Apache-2.0

/// @file
/// Shapes that begin inside each other.

#pragma once

#include "jobs/simulate/simulate_scenario.h"

/// Looks at where the shapes of a scenario begin, by the method of steps. Links of the robot that
/// overlap do not touch each other from then on, with a warning; a shape inside a surface, or
/// inside another one where there are bodies, is an error that says what to do.
atemi_status atemi_simulate_overlaps_clear(atemi_simulate_scenario *scenario, atemi_error *error);
