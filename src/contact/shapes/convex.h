// SPDX-License-Identifier: Apache-2.0

/// @file
/// Convex shapes that touch: balls and capsules, boxes and hulls, cylinders.

#pragma once

#include "atemi/base.h"
#include "atemi/surface.h"

/// How many vertices a hull keeps; how many faces, corners of faces and edges that can make.
enum {
    ATEMI_HULL_VERTICES = 64,
    ATEMI_HULL_FACES = 2 * ATEMI_HULL_VERTICES,
    ATEMI_HULL_CORNERS = 8 * ATEMI_HULL_VERTICES,
    ATEMI_HULL_EDGES = 3 * ATEMI_HULL_VERTICES,
};

typedef enum atemi_convex_kind {
    ATEMI_CONVEX_ROUND,    ///< about a segment: a ball or a capsule
    ATEMI_CONVEX_FLAT,     ///< vertices, faces and edges
    ATEMI_CONVEX_CYLINDER, ///< about the z axis
} atemi_convex_kind;

typedef struct atemi_convex_face {
    atemi_vec3 normal; ///< outwards
    double     offset; ///< of its plane along the normal
    int        first, count;
} atemi_convex_face;

typedef struct atemi_convex_edge {
    int        from, to;
    atemi_vec3 left, right; ///< the normals of its two faces
} atemi_convex_edge;

/// In its own frame.
typedef struct atemi_convex {
    atemi_convex_kind  kind;
    double             radius, half; ///< of round shapes and cylinders, from -half to half along z
    int                vertex_count, face_count, edge_count;
    atemi_vec3        *vertices;
    atemi_convex_face *faces;
    int               *corners; ///< vertices of the faces, one after the other, counter-clockwise
    atemi_convex_edge *edges;
    atemi_vec3         center;
    double             bound; ///< radius of a ball about the center that it is in
} atemi_convex;

/// Lays out what a shape takes, and makes it.
atemi_convex atemi_convex_take(atemi_arena *arena, const atemi_touch_shape *shape);
void         atemi_convex_fill(const atemi_touch_shape *shape, atemi_convex *convex);

/// Signed distance of a point, and the unit vector out of the shape there.
typedef struct atemi_convex_distance {
    double     gap;
    atemi_vec3 normal;
} atemi_convex_distance;

atemi_convex_distance atemi_convex_from_point(const atemi_convex *convex, atemi_vec3 point);

/// The largest of direction . x in the shape.
double atemi_convex_support(const atemi_convex *convex, atemi_vec3 direction);

/// The face whose normal is nearest to a direction; of flat shapes.
int atemi_convex_face_along(const atemi_convex *convex, atemi_vec3 direction);

/// Where two segments are nearest: parts of their lengths, 0 to 1.
typedef struct atemi_nearest_parts {
    double of_a, of_b;
} atemi_nearest_parts;

atemi_nearest_parts atemi_segments_nearest(atemi_vec3 a, atemi_vec3 a_end, atemi_vec3 b,
                                           atemi_vec3 b_end);

static inline atemi_vec3 atemi_point_between(atemi_vec3 a, atemi_vec3 b, double part)
{
    return atemi_vec3_add(a, atemi_vec3_scale(part, atemi_vec3_sub(b, a)));
}
