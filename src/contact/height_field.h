// SPDX-License-Identifier: Apache-2.0

/// @file
/// The smooth surface over a table of heights, and the distance of a point from it.

#pragma once

#include "atemi/surface.h"

/// A place of the table, which counts from its first height.
typedef struct atemi_height_place {
    double x, y;
} atemi_height_place;

/// The height of the surface and its derivatives.
typedef struct atemi_height_patch {
    double h, x, y, xx, xy, yy;
} atemi_height_patch;

/// The surface at a place.
atemi_height_patch atemi_height_patch_at(const atemi_height_table *table, atemi_height_place u);

/// A place of the surface.
typedef struct atemi_height_foot {
    atemi_height_place at;
    atemi_height_patch patch;
} atemi_height_foot;

/// The place of the surface that is nearest to a point, which counts from the table's first height.
atemi_height_foot atemi_height_foot_of(const atemi_height_table *table, atemi_vec3 point);

/// The height of the surface over (x, y), which count from the table's first height.
double atemi_height_field_height(const atemi_height_table *table, double x, double y);

/// Looks at the surface from a point that counts from the table's first height.
atemi_surface_view atemi_height_field_look(const atemi_height_table *table, atemi_vec3 point);

/// The sharpest valley of the table, as sampled four times a cell along x and y.
typedef struct atemi_height_field_valley {
    double curvature; ///< the largest one, 1/m, positive if the surface bends upwards
    double x, y;      ///< its place
} atemi_height_field_valley;

/// Finds the sharpest valley. O(columns x rows).
atemi_height_field_valley atemi_height_field_sharpest(const atemi_height_table *table);
