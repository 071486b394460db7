// SPDX-License-Identifier: Apache-2.0

/// @file
/// Surfaces of the world that a robot may touch: planes, cylinders, spheres and height fields.
/// They stand still, or are carried by a link: see atemi/scene.h for things that move.
///
/// A surface is where a function C of the point is zero; it is positive on the robot's side. C need
/// not be a distance away from the surface, but |C| / |gradient| is one near it.

#pragma once

#include "atemi/error.h"
#include "atemi/spatial.h"

#include <stdbool.h>

ATEMI_BEGIN

typedef enum atemi_surface_kind {
    ATEMI_SURFACE_PLANE,    ///< through `position`, normal along `axis`
    ATEMI_SURFACE_SPHERE,   ///< about `position`; the robot is outside, or inside if `radius` < 0
    ATEMI_SURFACE_CYLINDER, ///< about the line through `position` along `axis`; likewise
    ATEMI_SURFACE_HEIGHTS,  ///< z = height(x, y) of a table, above `position`
} atemi_surface_kind;

/// A table of heights on a regular grid, between which a smooth surface is laid (cubic, so that its
/// curvature is continuous in each cell and its slope everywhere). Outside, the edge goes on level.
typedef struct atemi_height_table {
    int           columns, rows;        ///< along x and y, at least 2 each
    double        spacing_x, spacing_y; ///< m
    const double *heights;              ///< [rows x columns] above `position`, of the caller
} atemi_height_table;

/// A surface; which members count depends on its kind.
typedef struct atemi_surface {
    atemi_surface_kind kind;
    atemi_vec3         position;
    atemi_vec3         axis; ///< unit vector
    double             radius;
    atemi_height_table table;
    /// Carried by a link of the model, in whose frame it is given, and which its forces push back.
    /// Only soft points may touch it.
    bool carried;
    int  link; ///< that carries it
} atemi_surface;

/// What a surface looks like from a point near it.
typedef struct atemi_surface_view {
    double           gap;     ///< distance, negative if the point is inside; exact near the surface
    atemi_vec3       normal;  ///< unit vector towards the robot's side
    atemi_symmetric3 bending; ///< B: a point that stays on it while moving with u has n.a = -u.B u
} atemi_surface_view;

/// The horizontal floor z = 0.
ATEMI_API atemi_surface atemi_surface_floor(void);

/// Whether the description makes sense: unit axis, radius not zero, a table of at least 2 x 2
/// finite heights with positive spacing.
ATEMI_API atemi_status atemi_surface_check(const atemi_surface *surface, atemi_error *error);

/// Looks at the surface from a point in world coordinates, or in those of the link that carries it,
/// in which the view then is. No allocation, O(1).
ATEMI_API atemi_surface_view atemi_surface_look(const atemi_surface *surface, atemi_vec3 point);

ATEMI_END
