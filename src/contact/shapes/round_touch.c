// SPDX-License-Identifier: Apache-2.0

#include "contact/shapes/shape_touch.h"

#include <math.h>

// A round shape is a ball that moves along a segment. The distance of a point from a convex shape
// is a convex function, so that the nearest point of the segment is found by the golden section. A
// capsule that lies along a face or beside a cylinder touches there with a part of its length: both
// ends of that part are places as well.

static const double golden = 0.61803398874989485;

enum { SECTIONS = 48 };

// Cosine between normals within which a segment lies along a face.
static const double along_face = 0.995;

// Relative to the radius: the nearest place is as near as an end.
static const double same = 1e-6;

// In the frame of the other shape.
typedef struct bar {
    const atemi_convex *on;
    atemi_vec3          from, to;
    double              radius;
} bar;

static atemi_convex_distance distance_at(const bar *of, double part)
{
    return atemi_convex_from_point(of->on, atemi_point_between(of->from, of->to, part));
}

static double find_nearest(const bar *of)
{
    double a = 0.0, b = 1.0, x = 1.0 - golden, y = golden;
    double at_x = distance_at(of, x).gap, at_y = distance_at(of, y).gap;
    for (int i = 0; i < SECTIONS; ++i) {
        if (at_x <= at_y) {
            b = y;
            y = x;
            at_y = at_x;
            x = b - golden * (b - a);
            at_x = distance_at(of, x).gap;
        } else {
            a = x;
            x = y;
            at_x = at_y;
            y = a + golden * (b - a);
            at_y = distance_at(of, y).gap;
        }
    }
    return 0.5 * (a + b);
}

// ---- The part that lies along the shape -----------------------------------------------------

typedef struct part {
    double from, to; ///< of the bar; none where to < from
} part;

// Keeps what is behind a plane.
static void cut(const bar *of, atemi_vec3 normal, double offset, part *kept)
{
    const double at = atemi_vec3_dot(normal, of->from) - offset;
    const double change = atemi_vec3_dot(normal, atemi_vec3_sub(of->to, of->from));
    if (change > 0.0) {
        kept->to = fmin(kept->to, -at / change);
    } else if (change < 0.0) {
        kept->from = fmax(kept->from, -at / change);
    } else if (at > 0.0) {
        kept->to = -1.0;
    }
}

static part along_flat(const bar *of, atemi_vec3 normal)
{
    const atemi_convex      *c = of->on;
    const atemi_convex_face *face = &c->faces[atemi_convex_face_along(c, normal)];
    part                     kept = {0.0, 1.0};
    if (atemi_vec3_dot(face->normal, normal) < along_face) {
        return (part){1.0, 0.0};
    }
    for (int i = 0; i < face->count; ++i) {
        const atemi_vec3 from = c->vertices[c->corners[face->first + i]];
        const atemi_vec3 to = c->vertices[c->corners[face->first + (i + 1) % face->count]];
        const atemi_vec3 out = atemi_vec3_cross(atemi_vec3_sub(to, from), face->normal);
        cut(of, out, atemi_vec3_dot(out, from), &kept);
    }
    return kept;
}

// Beside a capsule or a cylinder, between its ends; or across the middle of a cap.
static part along_axis(const bar *of, atemi_vec3 normal)
{
    const atemi_vec3 up = {0.0, 0.0, 1.0}, down = {0.0, 0.0, -1.0};
    part             kept = {0.0, 1.0};
    if (fabs(normal.z) < 1.0 - along_face) {
        cut(of, up, of->on->half, &kept);
        cut(of, down, of->on->half, &kept);
        return kept;
    }
    if (of->on->kind == ATEMI_CONVEX_ROUND || fabs(normal.z) < along_face) {
        return (part){1.0, 0.0};
    }
    const atemi_vec3 d = atemi_vec3_sub(of->to, of->from);
    const double     square = d.x * d.x + d.y * d.y, half = d.x * of->from.x + d.y * of->from.y;
    const double     rest =
        of->from.x * of->from.x + of->from.y * of->from.y - of->on->radius * of->on->radius;
    const double root = half * half - square * rest;
    if (!(square > 0.0 && root > 0.0)) {
        return (part){1.0, 0.0};
    }
    return (part){fmax(0.0, (-half - sqrt(root)) / square),
                  fmin(1.0, (-half + sqrt(root)) / square)};
}

// ---- Places ---------------------------------------------------------------------------------

static void add(const bar *of, const atemi_transform *pose, double at, int feature, double reach,
                atemi_touch_points *found)
{
    const atemi_convex_distance seen = distance_at(of, at);
    const double                gap = seen.gap - of->radius;
    const atemi_vec3            down = atemi_vec3_scale(of->radius + 0.5 * gap, seen.normal);
    const atemi_vec3 place = atemi_vec3_sub(atemi_point_between(of->from, of->to, at), down);
    if (gap < reach) {
        atemi_touch_points_add(
            found, (atemi_touch_point){.position = atemi_transform_apply(pose, place),
                                       .normal = atemi_mat3_apply(&pose->rotation, seen.normal),
                                       .gap = gap,
                                       .feature = feature});
    }
}

void atemi_round_touch(const atemi_placed_convex *a, const atemi_placed_convex *b, double reach,
                       atemi_touch_points *found)
{
    const atemi_transform into = atemi_transform_inverse(&b->pose);
    const double          half = a->convex->half;
    const atemi_vec3      low = atemi_transform_apply(&a->pose, (atemi_vec3){0.0, 0.0, -half});
    const atemi_vec3      high = atemi_transform_apply(&a->pose, (atemi_vec3){0.0, 0.0, half});
    const bar             of = {.on = b->convex,
                                .from = atemi_transform_apply(&into, low),
                                .to = atemi_transform_apply(&into, high),
                                .radius = a->convex->radius};
    found->count = 0;
    if (half == 0.0) {
        add(&of, &b->pose, 0.0, 0, reach, found);
        return;
    }
    const double     nearest = find_nearest(&of);
    const atemi_vec3 normal = distance_at(&of, nearest).normal;
    const part       along =
        b->convex->kind == ATEMI_CONVEX_FLAT ? along_flat(&of, normal) : along_axis(&of, normal);
    if (along.to - along.from > 1e-3) {
        add(&of, &b->pose, along.from, 1, reach, found);
        add(&of, &b->pose, along.to, 2, reach, found);
    }
    const double ends = fmin(distance_at(&of, along.from).gap, distance_at(&of, along.to).gap);
    if (found->count == 0 || distance_at(&of, nearest).gap < ends - same * of.radius) {
        add(&of, &b->pose, nearest, 0, reach, found);
    }
}
