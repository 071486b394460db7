// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"
#include "atemi/simulation.h"

#include <math.h>

// A robot is put on a surface by Newton's method on the height s of its base: point i, at the gap
// g_i and with the surface's normal n_i, touches about when s has grown by -g_i / (n_i . up), and
// the lowest point is the one that needs the largest shift. Of a shape the corners count, of a ball
// or a capsule its ends, of a cylinder the point of each rim that is furthest against n.

enum { MAX_SHIFTS = 100 };

// In m: what counts as in touch for the simulation, how exactly a robot is put down, and the least
// n . up of a surface that can be stood on.
static const double touching = 1e-9, settled = 1e-13, steepest = 1e-3;

// Where a robot is put down, and how much its base has to go up as far as is known. NaN: a point is
// not above the surface's upper side. In a scene the robot's base is a joint, and what does not
// hang on it stays.
typedef struct landing {
    const atemi_data    *data;
    const atemi_surface *surface;
    int                  base; ///< joint, or ATEMI_NONE
    atemi_vec3           up;
    double               shift;
} landing;

static int base_joint(const atemi_model *model)
{
    const int j = atemi_model_base(model) == ATEMI_BASE_FIXED
                      ? atemi_model_find_joint(model, "base")
                      : ATEMI_NONE;
    return j != ATEMI_NONE && atemi_model_joint(model, j)->type == ATEMI_JOINT_FLOATING &&
                   atemi_model_joint(model, j)->parent_link == 0
               ? j
               : ATEMI_NONE;
}

static bool is_shifted(const landing *l, int link)
{
    const atemi_model *model = atemi_data_model(l->data);
    int                joint = atemi_model_link(model, link)->parent_joint;
    while (joint != ATEMI_NONE && joint != l->base) {
        joint = atemi_model_link(model, atemi_model_joint(model, joint)->parent_link)->parent_joint;
    }
    return joint == l->base; // ATEMI_NONE at the root of a robot without scene
}

static atemi_surface_view look(const atemi_data *data, const atemi_surface *surface, int link,
                               atemi_vec3 point, double radius)
{
    const atemi_transform pose = atemi_link_pose(data, link);
    atemi_surface_view    view = atemi_surface_look(surface, atemi_transform_apply(&pose, point));
    view.gap -= radius;
    return view;
}

double atemi_point_gap(const atemi_data *data, const atemi_surface *surfaces,
                       const atemi_simulation_point *point)
{
    ATEMI_REQUIRE_OR(data && surfaces && point, 0.0);
    return look(data, &surfaces[point->surface], point->link, point->point, point->radius).gap;
}

static void land(landing *l, int link, atemi_vec3 point, double radius)
{
    if (!is_shifted(l, link)) {
        return;
    }
    const atemi_surface_view view = look(l->data, l->surface, link, point, radius);
    const double             slope = atemi_vec3_dot(view.normal, l->up);
    const double             shift = slope > steepest ? -view.gap / slope : (double)NAN;
    l->shift = shift <= l->shift ? l->shift : isnan(l->shift) ? l->shift : shift;
}

// ---- Shapes

static void land_at(landing *l, const atemi_touch_shape *shape, atemi_vec3 corner, double radius)
{
    land(l, shape->link, atemi_transform_apply(&shape->pose, corner), radius);
}

static void land_box(landing *l, const atemi_touch_shape *shape)
{
    const atemi_vec3 half = atemi_vec3_scale(0.5, shape->size);
    for (int i = 0; i < 8; ++i) {
        land_at(l, shape,
                (atemi_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                             i & 4 ? half.z : -half.z},
                0.0);
    }
}

// Its size is radius and length, as a capsule's is.
static void land_cylinder(landing *l, const atemi_touch_shape *shape)
{
    const double          radius = shape->size.x;
    const atemi_transform link = atemi_link_pose(l->data, shape->link);
    const atemi_transform pose = atemi_transform_compose(&link, &shape->pose);
    for (int end = -1; end <= 1; end += 2) {
        const atemi_vec3 middle = {0.0, 0.0, 0.5 * end * shape->size.y};
        const atemi_vec3 normal =
            atemi_surface_look(l->surface, atemi_transform_apply(&pose, middle)).normal;
        const atemi_vec3 n = atemi_mat3_apply_transposed(&pose.rotation, normal);
        const double     across = hypot(n.x, n.y), scale = across > 0.0 ? radius / across : 0.0;
        land_at(l, shape, (atemi_vec3){-scale * n.x, -scale * n.y, middle.z}, 0.0);
    }
}

static void land_shape(landing *l, const atemi_touch_shape *shape)
{
    const atemi_vec3 half = {0.0, 0.0, 0.5 * shape->size.y}, middle = {0.0, 0.0, 0.0};
    switch (shape->shape) {
    case ATEMI_SHAPE_BOX:
        land_box(l, shape);
        break;
    case ATEMI_SHAPE_SPHERE:
        land_at(l, shape, middle, shape->size.x);
        break;
    case ATEMI_SHAPE_CAPSULE:
        land_at(l, shape, half, shape->size.x);
        land_at(l, shape, atemi_vec3_scale(-1.0, half), shape->size.x);
        break;
    case ATEMI_SHAPE_CYLINDER:
        land_cylinder(l, shape);
        break;
    case ATEMI_SHAPE_MESH:
        for (int i = 0; i < shape->vertex_count; ++i) {
            land_at(l, shape, shape->vertices[i], 0.0);
        }
        break;
    }
}

// ---- The base

// @return false, with nothing changed, if the base cannot be shifted that way
static bool shift_base(atemi_base base, atemi_vec3 shift, double *q)
{
    switch (base) {
    case ATEMI_BASE_FLOATING:
        q[0] += shift.x;
        q[1] += shift.y;
        q[2] += shift.z;
        return true;
    case ATEMI_BASE_SAGITTAL:
        q[0] += shift.y == 0.0 ? shift.x : 0.0;
        q[1] += shift.y == 0.0 ? shift.z : 0.0;
        return shift.y == 0.0;
    case ATEMI_BASE_PLANAR:
        q[0] += shift.z == 0.0 ? shift.x : 0.0;
        q[1] += shift.z == 0.0 ? shift.y : 0.0;
        return shift.z == 0.0;
    case ATEMI_BASE_FIXED:
        break;
    }
    return shift.x == 0.0 && shift.y == 0.0 && shift.z == 0.0;
}

static atemi_vec3 up_of(const atemi_model *model)
{
    const atemi_vec3 gravity = atemi_model_gravity(model), z = {0.0, 0.0, 1.0};
    const double     size = atemi_vec3_norm(gravity);
    return size > 0.0 ? atemi_vec3_scale(-1.0 / size, gravity) : z;
}

// What touches: points of one surface, or shapes.
typedef struct standing {
    const atemi_simulation_point *points;
    const atemi_touch_shape      *shapes;
    int                           count, surface;
} standing;

static void land_all(landing *l, const standing *s)
{
    for (int i = 0; i < s->count; ++i) {
        if (s->shapes) {
            land_shape(l, &s->shapes[i]);
        } else if (s->points[i].surface == s->surface) {
            land(l, s->points[i].link, s->points[i].point, s->points[i].radius);
        }
    }
}

static atemi_status put_down(atemi_data *data, const atemi_surface *surface, const standing *s,
                             double *q, atemi_error *error)
{
    const atemi_model *model = atemi_data_model(data);
    landing            l = {.data = data,
                            .surface = surface,
                            .base = base_joint(model),
                            .up = up_of(model),
                            .shift = 1.0};
    double *place = l.base == ATEMI_NONE ? q : q + atemi_model_joint(model, l.base)->first_q;
    const atemi_base base = l.base == ATEMI_NONE ? atemi_model_base(model) : ATEMI_BASE_FLOATING;
    for (int i = 0; i < MAX_SHIFTS && fabs(l.shift) > settled; ++i) {
        l.shift = -INFINITY;
        atemi_update_kinematics(data, q, NULL, NULL);
        land_all(&l, s);
        if (!isfinite(l.shift)) {
            return atemi_fail(error, ATEMI_ERROR_NOT_FOUND,
                              "no contact point is above the surface, so the robot cannot be put "
                              "on it; give the position of its base");
        }
        if (!shift_base(base, atemi_vec3_scale(l.shift, l.up), place)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the base is %s and cannot be shifted against gravity",
                              atemi_base_text(atemi_model_base(model)));
        }
    }
    return fabs(l.shift) < touching
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_SINGULAR,
                            "found no height at which the robot stands on the surface; give the "
                            "position of its base");
}

atemi_status atemi_place_on_surface(atemi_data *data, const atemi_surface *surfaces,
                                    const atemi_simulation_point *points, int count, int surface,
                                    double *q, atemi_error *error)
{
    ATEMI_REQUIRE_OR(data && surfaces && q && (points || count == 0), ATEMI_ERROR_CONTRACT);
    const standing s = {.points = points, .count = count, .surface = surface};
    return put_down(data, &surfaces[surface], &s, q, error);
}

atemi_status atemi_place_shapes_on_surface(atemi_data *data, const atemi_surface *surface,
                                           const atemi_touch_shape *shapes, int count, double *q,
                                           atemi_error *error)
{
    ATEMI_REQUIRE_OR(data && surface && q && (shapes || count == 0), ATEMI_ERROR_CONTRACT);
    const standing s = {.shapes = shapes, .count = count};
    return put_down(data, surface, &s, q, error);
}
