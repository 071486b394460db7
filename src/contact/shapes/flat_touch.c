// SPDX-License-Identifier: Apache-2.0

#include "contact/shapes/flat_touch.h"

#include <math.h>
#include <string.h>

// Along a face's normal, that face is the reference: of the other shape's face that looks most
// towards it, what is above the reference touches, each corner by its own distance from the plane
// [Gregorius13]. Along any other axis two edges touch, in one place, or in two if they are
// parallel.

enum { CORNERS = 8, MOST_CORNERS = 2 * ATEMI_HULL_VERTICES };

// Two edges are parallel within this sine.
static const double parallel = 1e-3;

typedef struct corner {
    atemi_vec3 at;
    int        feature;
} corner;

// A face, an edge or a point, in the frame of a.
typedef struct polygon {
    int    count;
    corner corners[MOST_CORNERS];
} polygon;

static void put(polygon *p, atemi_vec3 at, int feature)
{
    if (p->count < MOST_CORNERS) {
        p->corners[p->count++] = (corner){at, feature};
    }
}

// ---- Faces ----------------------------------------------------------------------------------

// A cap of a cylinder, as a polygon with a corner where the cap is outermost along `towards`.
static void put_cap(const atemi_convex *c, const atemi_transform *pose, double side,
                    atemi_vec3 towards, polygon *p)
{
    const double size = hypot(towards.x, towards.y);
    const double start = size > 1e-9 ? atan2(towards.y, towards.x) : 0.0;
    for (int i = 0; i < CORNERS; ++i) {
        const double     angle = start + side * i * 2.0 * 3.14159265358979324 / (double)CORNERS;
        const atemi_vec3 at = {c->radius * cos(angle), c->radius * sin(angle), side * c->half};
        put(p, atemi_transform_apply(pose, at), i);
    }
}

static void put_side(const atemi_convex *c, const atemi_transform *pose, atemi_vec3 towards,
                     polygon *p)
{
    const double part = c->radius / hypot(towards.x, towards.y);
    for (int end = 0; end < 2; ++end) {
        const atemi_vec3 at = {part * towards.x, part * towards.y, end ? c->half : -c->half};
        put(p, atemi_transform_apply(pose, at), CORNERS + end);
    }
}

static void put_face(const atemi_convex *c, const atemi_transform *pose, int index, polygon *p)
{
    const atemi_convex_face *face = &c->faces[index];
    for (int i = 0; i < face->count; ++i) {
        const int vertex = c->corners[face->first + i];
        put(p, atemi_transform_apply(pose, c->vertices[vertex]), vertex);
    }
}

// What of a shape looks along a direction of the frame of a.
static void put_towards(const atemi_convex *c, const atemi_transform *pose, atemi_vec3 direction,
                        polygon *p)
{
    const atemi_vec3 along = atemi_mat3_apply_transposed(&pose->rotation, direction);
    if (c->kind == ATEMI_CONVEX_FLAT) {
        put_face(c, pose, atemi_convex_face_along(c, along), p);
    } else if (fabs(along.z) > 0.7) {
        put_cap(c, pose, along.z < 0.0 ? -1.0 : 1.0, along, p);
    } else {
        put_side(c, pose, along, p);
    }
}

// ---- Clipping -------------------------------------------------------------------------------

// Keeps what is behind a plane.
static void cut(polygon *p, atemi_vec3 normal, double offset, int plane)
{
    polygon kept;
    kept.count = 0;
    for (int i = 0; i < p->count; ++i) {
        const corner *from = &p->corners[i], *to = &p->corners[(i + 1) % p->count];
        const double  at = atemi_vec3_dot(normal, from->at) - offset;
        const double  next = atemi_vec3_dot(normal, to->at) - offset;
        if (at <= 0.0) {
            put(&kept, from->at, from->feature);
        }
        if ((at < 0.0 && next > 0.0) || (at > 0.0 && next < 0.0)) {
            put(&kept, atemi_point_between(from->at, to->at, at / (at - next)),
                from->feature % 1024 + 1024 * (plane + 1));
        }
    }
    memcpy(p->corners, kept.corners, (size_t)kept.count * sizeof *kept.corners);
    p->count = kept.count;
}

// Keeps what is above a face.
static void clip(polygon *p, const polygon *face, atemi_vec3 normal)
{
    for (int i = 0; i < face->count && face->count >= 3; ++i) {
        const atemi_vec3 from = face->corners[i].at, to = face->corners[(i + 1) % face->count].at;
        const atemi_vec3 out = atemi_vec3_cross(atemi_vec3_sub(to, from), normal);
        cut(p, out, atemi_vec3_dot(out, from), i);
    }
}

// ---- Places ---------------------------------------------------------------------------------

static void add(const atemi_transform *pose, atemi_vec3 at, atemi_vec3 normal, double gap,
                int feature, atemi_touch_points *found)
{
    const double     size = 1e-9 + fabs(gap);
    const atemi_vec3 position = atemi_transform_apply(pose, at);
    for (int i = 0; i < found->count; ++i) {
        if (atemi_vec3_norm(atemi_vec3_sub(found->points[i].position, position)) < 1e-3 * size) {
            return;
        }
    }
    atemi_touch_points_add(
        found,
        (atemi_touch_point){position, atemi_mat3_apply(&pose->rotation, normal), gap, feature});
}

// Corners of `p` above the plane of a face; n is out of the face, `normal` from b to a.
static void add_corners(const polygon *p, atemi_vec3 n, double offset, atemi_vec3 normal,
                        double reach, const atemi_transform *pose, atemi_touch_points *found)
{
    for (int i = 0; i < p->count; ++i) {
        const double gap = atemi_vec3_dot(n, p->corners[i].at) - offset;
        if (gap < reach) {
            const atemi_vec3 middle =
                atemi_vec3_sub(p->corners[i].at, atemi_vec3_scale(0.5 * gap, n));
            add(pose, middle, normal, gap, p->corners[i].feature, found);
        }
    }
}

static void touch_face(const atemi_flat_pair *pair, const atemi_axis *axis, double reach,
                       const atemi_transform *world, atemi_touch_points *found)
{
    const bool             of_a = axis->kind == ATEMI_AXIS_FACE_OF_A;
    const atemi_transform  here = atemi_transform_identity();
    const atemi_convex    *on = of_a ? pair->a : pair->b, *other = of_a ? pair->b : pair->a;
    const atemi_transform *pose = of_a ? &here : &pair->pose, *of = of_a ? &pair->pose : &here;
    const atemi_vec3 n = atemi_vec3_scale(of_a ? -1.0 : 1.0, axis->normal); // out of the reference
    polygon          face, touching;
    face.count = touching.count = 0;
    put_towards(other, of, atemi_vec3_scale(-1.0, n), &touching);
    if (on->kind == ATEMI_CONVEX_FLAT) {
        put_face(on, pose, axis->i, &face);
    } else {
        put_towards(on, pose, n, &face);
    }
    const double offset = atemi_vec3_dot(n, face.corners[0].at);
    clip(&touching, &face, n);
    add_corners(&touching, n, offset, axis->normal, reach, world, found);
}

// The outermost edge of a shape along a direction of the frame of a.
static void put_edge(const atemi_convex *c, const atemi_transform *pose, atemi_vec3 direction,
                     polygon *p)
{
    const atemi_vec3 along = atemi_mat3_apply_transposed(&pose->rotation, direction);
    if (c->kind == ATEMI_CONVEX_CYLINDER && fabs(along.z) < parallel) {
        put_side(c, pose, along, p);
        return;
    }
    if (c->kind == ATEMI_CONVEX_CYLINDER) {
        polygon cap;
        cap.count = 0;
        put_cap(c, pose, along.z < 0.0 ? -1.0 : 1.0, along, &cap);
        put(p, cap.corners[0].at, 0);
        put(p, cap.corners[0].at, 0);
        return;
    }
    const double most = atemi_convex_support(c, along);
    for (int i = 0; i < c->vertex_count && p->count < 2; ++i) {
        if (atemi_vec3_dot(along, c->vertices[i]) >= most - 1e-6 * c->bound) {
            put(p, atemi_transform_apply(pose, c->vertices[i]), i);
        }
    }
    if (p->count == 1) {
        put(p, p->corners[0].at, p->corners[0].feature);
    }
}

static void put_edge_of(const atemi_convex *c, const atemi_transform *pose, int index, polygon *p)
{
    put(p, atemi_transform_apply(pose, c->vertices[c->edges[index].from]), 2 * index);
    put(p, atemi_transform_apply(pose, c->vertices[c->edges[index].to]), 2 * index + 1);
}

static void add_between(const atemi_axis *axis, atemi_vec3 on_a, atemi_vec3 on_b, int feature,
                        double reach, const atemi_transform *world, atemi_touch_points *found)
{
    const double gap = atemi_vec3_dot(axis->normal, atemi_vec3_sub(on_a, on_b));
    if (gap < reach) {
        add(world, atemi_point_between(on_a, on_b, 0.5), axis->normal, gap, feature, found);
    }
}

static void touch_edges(const atemi_axis *axis, const polygon *a, const polygon *b, double reach,
                        const atemi_transform *world, atemi_touch_points *found)
{
    if (a->count < 2 || b->count < 2) { // no corner is outermost where poses are not numbers
        return;
    }
    const atemi_vec3 at = a->corners[0].at, end = a->corners[1].at, on = b->corners[0].at;
    const atemi_vec3 u = atemi_vec3_sub(end, at), w = atemi_vec3_sub(b->corners[1].at, on);
    const double     square = atemi_vec3_dot(u, u);
    const double     sine = atemi_vec3_norm(atemi_vec3_cross(u, w));
    const int        feature = 4096 * (1 + a->corners[0].feature) + b->corners[0].feature;
    if (square > 0.0 && sine < parallel * sqrt(square) * atemi_vec3_norm(w)) {
        const double one = atemi_vec3_dot(u, atemi_vec3_sub(on, at)) / square;
        const double two = one + atemi_vec3_dot(u, w) / square;
        const double from = fmax(0.0, fmin(one, two)), to = fmin(1.0, fmax(one, two));
        for (int i = 0; i < 2 && to > from; ++i) {
            const double part = i ? to : from;
            const double other = (part - one) / (two - one);
            add_between(axis, atemi_point_between(at, end, part),
                        atemi_point_between(on, b->corners[1].at, other), feature + i, reach, world,
                        found);
        }
        return;
    }
    const atemi_nearest_parts parts = atemi_segments_nearest(at, end, on, b->corners[1].at);
    add_between(axis, atemi_point_between(at, end, parts.of_a),
                atemi_point_between(on, b->corners[1].at, parts.of_b), feature, reach, world,
                found);
}

void atemi_flat_touch(const atemi_placed_convex *a, const atemi_placed_convex *b, double reach,
                      atemi_touch_points *found)
{
    const atemi_transform into = atemi_transform_inverse(&a->pose);
    const atemi_transform here = atemi_transform_identity();
    const atemi_flat_pair pair = {a->convex, b->convex, atemi_transform_compose(&into, &b->pose)};
    const atemi_axis      axis = atemi_flat_axis(&pair, reach);
    polygon               of_a, of_b;
    found->count = of_a.count = of_b.count = 0;
    if (axis.gap >= reach) {
        return;
    }
    switch (axis.kind) {
    case ATEMI_AXIS_FACE_OF_A:
    case ATEMI_AXIS_FACE_OF_B:
        touch_face(&pair, &axis, reach, &a->pose, found);
        if (found->count > 0 || axis.gap >= 0.0) {
            return;
        }
        put_edge(pair.a, &here, atemi_vec3_scale(-1.0, axis.normal), &of_a);
        put_edge(pair.b, &pair.pose, axis.normal, &of_b);
        break;
    case ATEMI_AXIS_EDGES:
        put_edge_of(pair.a, &here, axis.i, &of_a);
        put_edge_of(pair.b, &pair.pose, axis.j, &of_b);
        break;
    case ATEMI_AXIS_LINE:
        put_edge(pair.a, &here, atemi_vec3_scale(-1.0, axis.normal), &of_a);
        put_edge(pair.b, &pair.pose, axis.normal, &of_b);
        break;
    }
    touch_edges(&axis, &of_a, &of_b, reach, &a->pose, found);
}
