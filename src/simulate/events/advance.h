// SPDX-License-Identifier: Apache-2.0

/// @file
/// Advancing a simulation by steps that end at events.

#pragma once

#include "simulate/simulation.h"

/// Advances by a step, or to the limit or the first event before its end, and handles that.
/// `at_once` counts events without time between them.
atemi_status atemi_advance(atemi_simulation *s, int *at_once, atemi_error *error);
