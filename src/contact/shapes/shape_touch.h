// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where two shapes touch, or a shape and a surface.

#pragma once

#include "contact/shapes/convex.h"

/// A shape somewhere in the world.
typedef struct atemi_placed_convex {
    const atemi_convex *convex;
    atemi_transform     pose;
} atemi_placed_convex;

/// Finds the places where two shapes are nearer than `reach`, with normals from `b` to `a`.
void atemi_shapes_touch(const atemi_placed_convex *a, const atemi_placed_convex *b, double reach,
                        atemi_touch_points *found);

/// The same for a shape and a surface, with the surface's normals. A flat shape or a cylinder
/// touches with its corners: a bump between them is not noticed.
void atemi_shape_touches_surface(const atemi_placed_convex *shape, const atemi_surface *surface,
                                 double reach, atemi_touch_points *found);

/// The first of them for a round shape `a`; the second for flat shapes and cylinders.
void atemi_round_touch(const atemi_placed_convex *a, const atemi_placed_convex *b, double reach,
                       atemi_touch_points *found);
void atemi_flat_touch(const atemi_placed_convex *a, const atemi_placed_convex *b, double reach,
                      atemi_touch_points *found);

/// Adds a place, if there is scratch.
void atemi_touch_points_add(atemi_touch_points *found, atemi_touch_point point);
