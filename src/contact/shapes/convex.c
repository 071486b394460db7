// SPDX-License-Identifier: Apache-2.0

#include "contact/shapes/convex.h"

#include <math.h>
#include <string.h>

// The hull of few vertices is found by looking at all planes through three of them: a face has all
// others behind it. Of many vertices those are kept that are outermost in some direction, as many
// directions as vertices may be, spread over the sphere by the golden angle.

// Relative to the size of a shape, vertices that are nearer to a plane are in it.
static const double flat = 1e-7;

static const double golden_angle = 2.39996322972865332;

// ---- Vertices -------------------------------------------------------------------------------

static atemi_vec3 direction_of(int index)
{
    const double z = 1.0 - (2.0 * index + 1.0) / (double)ATEMI_HULL_VERTICES, r = sqrt(1.0 - z * z);
    return (atemi_vec3){r * cos(golden_angle * index), r * sin(golden_angle * index), z};
}

static int outermost(const atemi_vec3 *vertices, int count, atemi_vec3 direction)
{
    int best = 0;
    for (int i = 1; i < count; ++i) {
        if (atemi_vec3_dot(vertices[i], direction) > atemi_vec3_dot(vertices[best], direction)) {
            best = i;
        }
    }
    return best;
}

static void add_vertex(atemi_convex *c, atemi_vec3 vertex)
{
    bool known = c->vertex_count == ATEMI_HULL_VERTICES;
    for (int i = 0; i < c->vertex_count && !known; ++i) {
        known = atemi_vec3_norm(atemi_vec3_sub(c->vertices[i], vertex)) == 0.0;
    }
    if (!known) {
        c->vertices[c->vertex_count++] = vertex;
    }
}

static void fill_box(atemi_convex *c, atemi_vec3 size)
{
    for (int i = 0; i < 8; ++i) {
        add_vertex(c, (atemi_vec3){i & 1 ? 0.5 * size.x : -0.5 * size.x,
                                   i & 2 ? 0.5 * size.y : -0.5 * size.y,
                                   i & 4 ? 0.5 * size.z : -0.5 * size.z});
    }
}

static void fill_hull(atemi_convex *c, const atemi_vec3 *vertices, int count)
{
    for (int i = 0; i < ATEMI_HULL_VERTICES && count > ATEMI_HULL_VERTICES; ++i) {
        add_vertex(c, vertices[outermost(vertices, count, direction_of(i))]);
    }
    for (int i = 0; i < count && count <= ATEMI_HULL_VERTICES; ++i) {
        add_vertex(c, vertices[i]);
    }
}

static void find_bound(atemi_convex *c)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < c->vertex_count; ++i) {
        sum = atemi_vec3_add(sum, c->vertices[i]);
    }
    c->center = atemi_vec3_scale(1.0 / fmax(1.0, c->vertex_count), sum);
    for (int i = 0; i < c->vertex_count; ++i) {
        c->bound = fmax(c->bound, atemi_vec3_norm(atemi_vec3_sub(c->vertices[i], c->center)));
    }
}

// ---- Faces ----------------------------------------------------------------------------------

static double above(const atemi_convex *c, const atemi_convex_face *face, int vertex)
{
    return atemi_vec3_dot(face->normal, c->vertices[vertex]) - face->offset;
}

// The plane through three vertices, outwards; false where they are in line.
static bool plane_through(const atemi_convex *c, int i, int j, int k, atemi_convex_face *face)
{
    const atemi_vec3 at = c->vertices[i];
    const atemi_vec3 n =
        atemi_vec3_cross(atemi_vec3_sub(c->vertices[j], at), atemi_vec3_sub(c->vertices[k], at));
    const double size = atemi_vec3_norm(n), side = atemi_vec3_dot(n, c->center);
    const double sign = side > atemi_vec3_dot(n, at) ? -1.0 : 1.0;
    if (size <= flat * c->bound * c->bound) {
        return false;
    }
    face->normal = atemi_vec3_scale(sign / size, n);
    face->offset = atemi_vec3_dot(face->normal, at);
    return true;
}

static bool is_outermost(const atemi_convex *c, const atemi_convex_face *face)
{
    for (int i = 0; i < c->vertex_count; ++i) {
        if (above(c, face, i) > flat * c->bound) {
            return false;
        }
    }
    return true;
}

static bool is_known(const atemi_convex *c, const atemi_convex_face *face)
{
    for (int f = 0; f < c->face_count; ++f) {
        const atemi_vec3 off = atemi_vec3_sub(c->faces[f].normal, face->normal);
        if (atemi_vec3_norm(off) < 1e-5) {
            return true;
        }
    }
    return false;
}

// The angle of a vertex about the middle of a face.
static double angle_of(const atemi_convex *c, const atemi_convex_face *face, const atemi_mat3 *axes,
                       int vertex)
{
    atemi_vec3 middle = {0.0, 0.0, 0.0};
    for (int i = 0; i < face->count; ++i) {
        middle = atemi_vec3_add(middle, c->vertices[c->corners[face->first + i]]);
    }
    middle = atemi_vec3_scale(1.0 / face->count, middle);
    const atemi_vec3 in =
        atemi_mat3_apply_transposed(axes, atemi_vec3_sub(c->vertices[vertex], middle));
    return atan2(in.y, in.x);
}

// Counter-clockwise, seen from outside.
static void sort_corners(atemi_convex *c, const atemi_convex_face *face)
{
    const atemi_mat3 axes = atemi_mat3_with_z(face->normal);
    int             *corners = c->corners + face->first;
    for (int i = 1; i < face->count; ++i) {
        const int    corner = corners[i];
        const double angle = angle_of(c, face, &axes, corner);
        int          to = i;
        for (; to > 0 && angle_of(c, face, &axes, corners[to - 1]) > angle; --to) {
            corners[to] = corners[to - 1];
        }
        corners[to] = corner;
    }
}

static void add_face(atemi_convex *c, atemi_convex_face face)
{
    face.first =
        c->face_count ? c->faces[c->face_count - 1].first + c->faces[c->face_count - 1].count : 0;
    for (int i = 0; i < c->vertex_count; ++i) {
        if (above(c, &face, i) >= -flat * c->bound &&
            face.first + face.count < ATEMI_HULL_CORNERS) {
            c->corners[face.first + face.count++] = i;
        }
    }
    if (face.count >= 3 && c->face_count < ATEMI_HULL_FACES) {
        sort_corners(c, &face);
        c->faces[c->face_count++] = face;
    }
}

static void find_faces(atemi_convex *c)
{
    for (int i = 0; i < c->vertex_count; ++i) {
        for (int j = i + 1; j < c->vertex_count; ++j) {
            for (int k = j + 1; k < c->vertex_count; ++k) {
                atemi_convex_face face = {0};
                if (plane_through(c, i, j, k, &face) && !is_known(c, &face) &&
                    is_outermost(c, &face)) {
                    add_face(c, face);
                }
            }
        }
    }
}

// ---- Edges ----------------------------------------------------------------------------------

// The face on the other side of an edge, or ATEMI_NONE.
static int across(const atemi_convex *c, int from, int to)
{
    for (int f = 0; f < c->face_count; ++f) {
        const int *corners = c->corners + c->faces[f].first, count = c->faces[f].count;
        for (int i = 0; i < count; ++i) {
            if (corners[i] == to && corners[(i + 1) % count] == from) {
                return f;
            }
        }
    }
    return ATEMI_NONE;
}

static void find_edges(atemi_convex *c)
{
    for (int f = 0; f < c->face_count; ++f) {
        const int *corners = c->corners + c->faces[f].first, count = c->faces[f].count;
        for (int i = 0; i < count; ++i) {
            const int from = corners[i], to = corners[(i + 1) % count];
            const int other = across(c, from, to);
            if (other > f && c->edge_count < ATEMI_HULL_EDGES) {
                c->edges[c->edge_count++] =
                    (atemi_convex_edge){from, to, c->faces[f].normal, c->faces[other].normal};
            }
        }
    }
}

// ---- Creation -------------------------------------------------------------------------------

static bool is_flat(const atemi_touch_shape *shape)
{
    return shape->shape == ATEMI_SHAPE_BOX || shape->shape == ATEMI_SHAPE_MESH;
}

atemi_convex atemi_convex_take(atemi_arena *arena, const atemi_touch_shape *shape)
{
    const bool   hull = shape->shape == ATEMI_SHAPE_MESH;
    atemi_convex c = {.kind = is_flat(shape)                         ? ATEMI_CONVEX_FLAT
                              : shape->shape == ATEMI_SHAPE_CYLINDER ? ATEMI_CONVEX_CYLINDER
                                                                     : ATEMI_CONVEX_ROUND};
    if (c.kind == ATEMI_CONVEX_FLAT) {
        c.vertices = atemi_arena_array(arena, atemi_vec3, hull ? ATEMI_HULL_VERTICES : 8);
        c.faces = atemi_arena_array(arena, atemi_convex_face, hull ? ATEMI_HULL_FACES : 6);
        c.corners = atemi_arena_array(arena, int, hull ? ATEMI_HULL_CORNERS : 24);
        c.edges = atemi_arena_array(arena, atemi_convex_edge, hull ? ATEMI_HULL_EDGES : 12);
    }
    return c;
}

void atemi_convex_fill(const atemi_touch_shape *shape, atemi_convex *convex)
{
    atemi_convex *c = convex;
    if (c->kind == ATEMI_CONVEX_FLAT) {
        if (shape->shape == ATEMI_SHAPE_BOX) {
            fill_box(c, shape->size);
        } else {
            fill_hull(c, shape->vertices, shape->vertex_count);
        }
        find_bound(c);
        find_faces(c);
        find_edges(c);
        return;
    }
    c->radius = shape->size.x;
    c->half = shape->shape == ATEMI_SHAPE_SPHERE ? 0.0 : 0.5 * shape->size.y;
    c->bound = c->kind == ATEMI_CONVEX_ROUND ? c->radius + c->half
                                             : sqrt(c->radius * c->radius + c->half * c->half);
}
