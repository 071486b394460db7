// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. Surfaces of the world that a robot may touch: planes, cylinders, spheres and
/// height fields. They stand still, or are carried by a link: see atemi/scene.h for things that
/// move.
///
/// What is seen from a point is the distance from the nearest point of the surface, positive on the
/// robot's side, with its first and second derivatives: a ball of radius r about the point touches
/// where the distance is r.

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

/// A table of heights on a regular grid, between which a smooth surface is laid: its slope and its
/// curvature are continuous everywhere. It goes through all heights and depends on the 4 x 4
/// nearest ones. A table of a plane gives the plane, one of a polynomial of second degree gives
/// that but for the cells along the edge. Outside, the surface goes on with the slope of the edge,
/// turns level within one spacing and stays so: at the edge's height if the two outermost heights
/// are the same.
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
    double     gap;    ///< distance, negative if the point is inside
    atemi_vec3 normal; ///< unit vector towards the robot's side: the gradient of the distance
    /// B, the second derivative of the distance: a point that keeps its distance while it moves
    /// with u has n.a = -u.B u, and the normal that it sees changes with B u.
    atemi_symmetric3 bending;
} atemi_surface_view;

/// The horizontal floor z = 0.
ATEMI_API atemi_surface atemi_surface_floor(void);

/// Whether the description makes sense: unit axis, radius not zero, a table of at least 2 x 2
/// finite heights with positive spacing.
ATEMI_API atemi_status atemi_surface_check(const atemi_surface *surface, atemi_error *error);

/// Whether a ball touches the surface at one place only, wherever it is: no valley of a table bends
/// sharper than the ball, and the ball fits into the sphere or cylinder it is inside of. What
/// touches at two places needs two contacts, which the nearest point alone does not tell. O(columns
/// x rows) for tables: for creation, not for real time.
ATEMI_API atemi_status atemi_surface_check_ball(const atemi_surface *surface, double radius,
                                                atemi_error *error);

/// Looks at the surface from a point in world coordinates, or in those of the link that carries it,
/// in which the view then is. No allocation, O(1).
///
/// Of a table, the nearest point is the best of up to five minima of the distance, within eight
/// spacings. Among walls that are much steeper than 45 degrees a nearer one may be missed.
ATEMI_API atemi_surface_view atemi_surface_look(const atemi_surface *surface, atemi_vec3 point);

ATEMI_END
