// SPDX-License-Identifier: Apache-2.0

#include "contact/shapes/shape_touch.h"

#include <math.h>

// A cylinder touches a surface at its lower rim, at four places of each cap: the deepest, as the
// surface below the middle of the cap has it, and those a quarter turn on.

int atemi_touch_shapes_of(const atemi_model *model, double friction, double restitution,
                          atemi_touch_shape *shapes)
{
    int count = 0;
    for (int i = 0; i < atemi_model_geometry_count(model); ++i) {
        const atemi_geometry *from = atemi_model_geometry(model, i);
        if (from->collision && from->shape != ATEMI_SHAPE_MESH) {
            shapes[count++] = (atemi_touch_shape){.link = from->link,
                                                  .shape = from->shape,
                                                  .pose = from->pose,
                                                  .size = from->size,
                                                  .static_friction = friction,
                                                  .kinetic_friction = friction,
                                                  .restitution = restitution};
        }
    }
    return count;
}

// With all taken, in place of the one that is farthest if that is farther.
void atemi_touch_points_add(atemi_touch_points *found, atemi_touch_point point)
{
    if (found->count < ATEMI_TOUCH_MOST) {
        found->points[found->count++] = point;
        return;
    }
    int farthest = 0;
    for (int i = 1; i < found->count; ++i) {
        farthest = found->points[i].gap > found->points[farthest].gap ? i : farthest;
    }
    if (point.gap < found->points[farthest].gap) {
        found->points[farthest] = point;
    }
}

// ---- Pairs ----------------------------------------------------------------------------------

void atemi_shapes_touch(const atemi_placed_convex *a, const atemi_placed_convex *b, double reach,
                        atemi_touch_points *found)
{
    const atemi_vec3 of_a = atemi_transform_apply(&a->pose, a->convex->center);
    const atemi_vec3 of_b = atemi_transform_apply(&b->pose, b->convex->center);
    found->count = 0;
    if (atemi_vec3_norm(atemi_vec3_sub(of_a, of_b)) > a->convex->bound + b->convex->bound + reach) {
        return;
    }
    if (a->convex->kind == ATEMI_CONVEX_ROUND) {
        atemi_round_touch(a, b, reach, found);
    } else if (b->convex->kind == ATEMI_CONVEX_ROUND) {
        atemi_round_touch(b, a, reach, found);
        for (int i = 0; i < found->count; ++i) {
            found->points[i].normal = atemi_vec3_scale(-1.0, found->points[i].normal);
        }
    } else {
        atemi_flat_touch(a, b, reach, found);
    }
}

// ---- Surfaces -------------------------------------------------------------------------------

// A ball about a place of the world.
static void touch_at(const atemi_surface *surface, atemi_vec3 place, double radius, int feature,
                     double reach, atemi_touch_points *found)
{
    const atemi_surface_view view = atemi_surface_look(surface, place);
    const double             gap = view.gap - radius, down = radius + 0.5 * gap;
    if (gap < reach) {
        atemi_touch_points_add(
            found, (atemi_touch_point){
                       .position = atemi_vec3_sub(place, atemi_vec3_scale(down, view.normal)),
                       .normal = view.normal,
                       .gap = gap,
                       .feature = feature});
    }
}

static void touch_with_rim(const atemi_placed_convex *shape, const atemi_surface *surface, int cap,
                           double reach, atemi_touch_points *found)
{
    const atemi_convex *c = shape->convex;
    const double        z = cap ? c->half : -c->half;
    const atemi_vec3    middle = atemi_transform_apply(&shape->pose, (atemi_vec3){0.0, 0.0, z});
    const atemi_vec3    n = atemi_mat3_apply_transposed(&shape->pose.rotation,
                                                        atemi_surface_look(surface, middle).normal);
    const double        size = hypot(n.x, n.y);
    const double        x = size > 1e-9 ? -n.x / size : 1.0, y = size > 1e-9 ? -n.y / size : 0.0;
    const double        around[4][2] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}};
    for (int i = 0; i < 4; ++i) {
        const atemi_vec3 at = {c->radius * around[i][0], c->radius * around[i][1], z};
        touch_at(surface, atemi_transform_apply(&shape->pose, at), 0.0, 4 * cap + i, reach, found);
    }
}

void atemi_shape_touches_surface(const atemi_placed_convex *shape, const atemi_surface *surface,
                                 double reach, atemi_touch_points *found)
{
    const atemi_convex *c = shape->convex;
    const atemi_vec3    center = atemi_transform_apply(&shape->pose, c->center);
    found->count = 0;
    if (atemi_surface_look(surface, center).gap > c->bound + reach) {
        return;
    }
    switch (c->kind) {
    case ATEMI_CONVEX_ROUND:
        for (int end = 0; end < (c->half > 0.0 ? 2 : 1); ++end) {
            const atemi_vec3 at = {0.0, 0.0, end ? c->half : -c->half};
            touch_at(surface, atemi_transform_apply(&shape->pose, at), c->radius, end, reach,
                     found);
        }
        break;
    case ATEMI_CONVEX_FLAT:
        for (int i = 0; i < c->vertex_count; ++i) {
            touch_at(surface, atemi_transform_apply(&shape->pose, c->vertices[i]), 0.0, i, reach,
                     found);
        }
        break;
    case ATEMI_CONVEX_CYLINDER:
        touch_with_rim(shape, surface, 0, reach, found);
        touch_with_rim(shape, surface, 1, reach, found);
        break;
    }
}
