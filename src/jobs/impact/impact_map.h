// SPDX-License-Identifier: Apache-2.0

/// @file
/// The map of a robot's reach: a table of what a blow is like at each place of the hand, in one
/// direction.

#pragma once

#include "atemi/recording.h"
#include "jobs/impact/impact_scenario.h"

#include <stddef.h>

enum { ATEMI_IMPACT_MAP_COLUMNS = 7 };

typedef struct atemi_impact_map {
    int                       number; ///< of the direction, from 1
    atemi_vec3                direction;
    const atemi_impact_sweep *sweep;
    const double             *values;  ///< of the first place, in the table of all cases
    ptrdiff_t                 stride;  ///< from place to place there
    const int                *columns; ///< [ATEMI_IMPACT_MAP_COLUMNS] there: x, y, z, virtual mass,
                                       ///< peak force, ZMP margin, reached
} atemi_impact_map;

/// Adds the table "map_NUMBER", with its picture.
atemi_status atemi_impact_map_add(const atemi_impact_map *map, atemi_recording *recording,
                                  atemi_error *error);
