// SPDX-License-Identifier: Apache-2.0

/// @file
/// A surface of kind "terrain": slopes, stairs and uneven ground, as a table of heights.

#pragma once

#include "atemi/surface.h"
#include "io/scenario/scenario_reader.h"

/// Reads the keys spacing, size and parts of the surface, and lays the table.
/// @param position of the first height
/// @return the heights, to be released with atemi_release(); NULL where there are none
double *atemi_scenario_read_terrain(atemi_scenario_reader *reader, atemi_vec3 position,
                                    atemi_height_table *table);
