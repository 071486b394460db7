// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. Shapes that touch: where two shapes, or a shape and a surface of the world, touch
/// each other.
///
/// Shapes are convex: boxes, balls, capsules, cylinders, and the convex hulls of meshes, of which
/// up to 64 vertices are kept. Nothing here allocates after creation.

#pragma once

#include "atemi/model.h"
#include "atemi/surface.h"

ATEMI_BEGIN

/// A shape of a link, and what it is made of. Between two shapes friction and restitution are the
/// geometric means of both; on a surface they are those of the shape.
typedef struct atemi_touch_shape {
    int               link;
    atemi_shape       shape;
    atemi_transform   pose;     ///< in the link's frame
    atemi_vec3        size;     ///< as of atemi_geometry; not of a mesh
    const atemi_vec3 *vertices; ///< [vertex_count] of a mesh, in the shape's frame, scaled
    int               vertex_count;
    double            static_friction, kinetic_friction;
    double            restitution;
} atemi_touch_shape;

/// The shapes of a model's collision geometries, without meshes, with the same friction and
/// restitution for all.
/// @param shapes [geometry_count] memory for the result
/// @return how many there are
ATEMI_API int atemi_touch_shapes_of(const atemi_model *model, double friction, double restitution,
                                    atemi_touch_shape *shapes);

/// A place where two shapes touch or nearly do.
typedef struct atemi_touch_point {
    atemi_vec3 position; ///< half way between both
    atemi_vec3 normal;   ///< unit vector, from the second to the first
    double     gap;      ///< along it, m; negative if they overlap
    int        feature;  ///< which corners and edges: the same from state to state
} atemi_touch_point;

enum { ATEMI_TOUCH_MOST = 8 };

/// The places of one pair.
typedef struct atemi_touch_points {
    int               count;
    atemi_touch_point points[ATEMI_TOUCH_MOST];
} atemi_touch_points;

ATEMI_END
