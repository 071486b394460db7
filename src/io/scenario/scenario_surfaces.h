// SPDX-License-Identifier: Apache-2.0

/// @file
/// The surfaces of a scenario: the key surfaces. There is always one named "floor", z = 0 unless
/// the scenario says otherwise.

#pragma once

#include "atemi/surface.h"
#include "io/scenario/scenario_reader.h"

typedef struct atemi_scenario_surfaces {
    int            count;
    const char   **names;    ///< [count] live as long as the reader
    atemi_surface *surfaces; ///< [count]
    double       **heights;  ///< [count] of tables, or NULL

    atemi_scenario_mark *marks; ///< [count] of what the file says; path NULL for what it does not
} atemi_scenario_surfaces;

void atemi_scenario_read_surfaces(atemi_scenario_reader *reader, atemi_scenario_surfaces *surfaces);

/// As names to pick from.
atemi_scenario_names atemi_scenario_surface_names(const atemi_scenario_surfaces *surfaces);

void atemi_scenario_surfaces_destroy(atemi_scenario_surfaces *surfaces);
