// SPDX-License-Identifier: Apache-2.0

/// @file
/// What ends the reading of a scenario beside the scenario itself: errors of other parts, and the
/// lack of memory. As all errors of a reader, the first one counts and the rest is skipped.

#pragma once

#include "io/scenario/scenario_reader.h"

/// Takes over the error of another part, which then names the key and, behind it, the other file:
/// "scenario.yaml:1:8: robot: arm.urdf:12:7: ...".
void atemi_scenario_adopt(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                          const atemi_error *cause);

/// Zeroed memory for `count` elements, to be released with atemi_release().
/// @return NULL after an error, or without memory, which is one
void *atemi_scenario_allocate(atemi_scenario_reader *reader, size_t size, int count);

/// Makes room for one more element in an array that doubles when it is full.
/// @return false after an error, or without memory, which is one
bool atemi_scenario_grow(atemi_scenario_reader *reader, size_t size, int count, void **array);
