// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a map of the floor tells of the ground under a sole.

#pragma once

#include "atemi/surface.h"

#include <stdbool.h>

/// The ground under a rectangle: the plane that fits it best.
typedef struct biped_print {
    double height; ///< of the plane in the middle
    double x, y;   ///< how it rises along the world's axes
    double rough;  ///< how far the ground is from the plane at most
} biped_print;

/// Whether heights can be looked up in it: a plane that is not upright, or a table.
bool biped_map_has_heights(const atemi_surface *map);

/// The height of the floor at a place.
double biped_map_height(const atemi_surface *map, double x, double y);

/// The ground under a sole of these side lengths about (x, y).
biped_print biped_map_print(const atemi_surface *map, double x, double y, double heading,
                            double size_x, double size_y);

/// The highest ground on the straight way between two places.
double biped_map_top(const atemi_surface *map, double from_x, double from_y, double to_x,
                     double to_y);
