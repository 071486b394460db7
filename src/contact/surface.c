// SPDX-License-Identifier: Apache-2.0

#include "atemi/surface.h"

#include "atemi/base.h"
#include "contact/height_field.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// The gap is the distance C, the normal its gradient, the bending its second derivative H:
//
//   sphere     C = +-(|x| - r)          H = +-(1 - e e^T) / |x|,  e = x / |x|
//   cylinder   the same with x across the axis a, H = +-(1 - e e^T - a a^T) / |x|
//   capsule    that of a cylinder where |x.a| < half_length, beyond that of a sphere about an end
//
// Tables of heights: contact/height_field.c.

atemi_surface atemi_surface_floor(void)
{
    return (atemi_surface){.kind = ATEMI_SURFACE_PLANE, .axis = {0.0, 0.0, 1.0}};
}

// ---- Checking -------------------------------------------------------------------------------

static bool has_axis(atemi_surface_kind kind)
{
    return kind == ATEMI_SURFACE_PLANE || kind == ATEMI_SURFACE_CYLINDER;
}

static bool has_radius(atemi_surface_kind kind)
{
    return kind == ATEMI_SURFACE_SPHERE || kind == ATEMI_SURFACE_CYLINDER;
}

static atemi_status check_table(const atemi_height_table *table, atemi_error *error)
{
    if (table->columns < 2 || table->rows < 2 || !table->heights) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "a table of heights needs at least 2 x 2 of them, not %d x %d",
                          table->columns, table->rows);
    }
    if (!(table->spacing_x > 0.0 && isfinite(table->spacing_x)) ||
        !(table->spacing_y > 0.0 && isfinite(table->spacing_y))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the spacing of heights is %g x %g m; give positive lengths",
                          table->spacing_x, table->spacing_y);
    }
    for (int i = 0; i < table->rows; ++i) {
        for (int j = 0; j < table->columns; ++j) {
            if (!isfinite(table->heights[(size_t)i * (size_t)table->columns + (size_t)j])) {
                return atemi_fail(error, ATEMI_ERROR_INPUT,
                                  "height %d of row %d is not a finite number", j + 1, i + 1);
            }
        }
    }
    return ATEMI_OK;
}

atemi_status atemi_surface_check(const atemi_surface *surface, atemi_error *error)
{
    ATEMI_REQUIRE_OR(surface, ATEMI_ERROR_CONTRACT);
    if (!atemi_vec3_is_finite(surface->position)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the position of a surface is not finite");
    }
    if (has_axis(surface->kind) && !(fabs(atemi_vec3_norm(surface->axis) - 1.0) < 1e-9)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the axis of a surface is (%g, %g, %g); give a direction of length 1",
                          surface->axis.x, surface->axis.y, surface->axis.z);
    }
    if (has_radius(surface->kind) && (surface->radius == 0.0 || !isfinite(surface->radius))) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "the radius of a surface is %g m; give a length, negative if the robot is "
            "inside",
            surface->radius);
    }
    if (!(surface->half_length >= 0.0) ||
        (surface->half_length > 0.0 &&
         !(surface->kind == ATEMI_SURFACE_CYLINDER && surface->radius > 0.0))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the half length of a surface is %g m and its radius %g m; only a "
                          "cylinder that is touched from outside ends in half balls",
                          surface->half_length, surface->radius);
    }
    return surface->kind == ATEMI_SURFACE_HEIGHTS ? check_table(&surface->table, error) : ATEMI_OK;
}

static atemi_status check_in_valley(const atemi_surface *surface, double radius, atemi_error *error)
{
    const atemi_height_field_valley valley = atemi_height_field_sharpest(&surface->table);
    if (!(radius * valley.curvature < 1.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "a ball with a radius of %g m would touch the heights at two places at "
                          "once: about (%g, %g) they bend with a radius of %.3g m; use smaller "
                          "balls, points, or smoother heights",
                          radius, surface->position.x + valley.x, surface->position.y + valley.y,
                          1.0 / valley.curvature);
    }
    return ATEMI_OK;
}

atemi_status atemi_surface_check_ball(const atemi_surface *surface, double radius,
                                      atemi_error *error)
{
    ATEMI_REQUIRE_OR(surface && radius >= 0.0, ATEMI_ERROR_CONTRACT);
    if (surface->kind == ATEMI_SURFACE_HEIGHTS && radius > 0.0) {
        return check_in_valley(surface, radius, error);
    }
    if (has_radius(surface->kind) && surface->radius < 0.0 && radius >= -surface->radius) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "a ball with a radius of %g m does not fit into a surface of %g m",
                          radius, -surface->radius);
    }
    return ATEMI_OK;
}

// ---- Looking --------------------------------------------------------------------------------

static atemi_surface_view look_at_plane(const atemi_surface *surface, atemi_vec3 x)
{
    return (atemi_surface_view){.gap = atemi_vec3_dot(surface->axis, x), .normal = surface->axis};
}

// s (1 - a a^T)
static atemi_symmetric3 across(double s, atemi_vec3 a)
{
    return (atemi_symmetric3){.xx = s * (1.0 - a.x * a.x),
                              .yy = s * (1.0 - a.y * a.y),
                              .zz = s * (1.0 - a.z * a.z),
                              .xy = -s * a.x * a.y,
                              .xz = -s * a.x * a.z,
                              .yz = -s * a.y * a.z};
}

// x counts from the centre, or across the axis from it. At the very centre any direction will do.
static atemi_surface_view look_at_round(double radius, atemi_vec3 x)
{
    const double     side = radius > 0.0 ? 1.0 : -1.0, distance = atemi_vec3_norm(x);
    const atemi_vec3 up = {0.0, 0.0, 1.0};
    const atemi_vec3 e = distance > 0.0 ? atemi_vec3_scale(1.0 / distance, x) : up;
    const double     bending = distance > 0.0 ? side / distance : 0.0;
    return (atemi_surface_view){.gap = side * distance - radius,
                                .normal = atemi_vec3_scale(side, e),
                                .bending = across(bending, e)};
}

static atemi_surface_view look_at_cylinder(const atemi_surface *surface, atemi_vec3 x)
{
    const atemi_vec3   a = surface->axis;
    const atemi_vec3   radial = atemi_vec3_sub(x, atemi_vec3_scale(atemi_vec3_dot(a, x), a));
    atemi_surface_view view = look_at_round(surface->radius, radial);
    const double       s = atemi_vec3_norm(radial) > 0.0
                               ? (surface->radius > 0.0 ? 1.0 : -1.0) / atemi_vec3_norm(radial)
                               : 0.0;
    view.bending.xx -= s * a.x * a.x;
    view.bending.yy -= s * a.y * a.y;
    view.bending.zz -= s * a.z * a.z;
    view.bending.xy -= s * a.x * a.y;
    view.bending.xz -= s * a.x * a.z;
    view.bending.yz -= s * a.y * a.z;
    return view;
}

static bool is_capsule(const atemi_surface *surface)
{
    return surface->kind == ATEMI_SURFACE_CYLINDER && surface->half_length > 0.0;
}

atemi_capsule_part atemi_surface_part_at(const atemi_surface *surface, atemi_vec3 point)
{
    if (!is_capsule(surface)) {
        return ATEMI_CAPSULE_SIDE;
    }
    const double along = atemi_vec3_dot(surface->axis, atemi_vec3_sub(point, surface->position));
    return along > surface->half_length    ? ATEMI_CAPSULE_TOP
           : along < -surface->half_length ? ATEMI_CAPSULE_BOTTOM
                                           : ATEMI_CAPSULE_SIDE;
}

atemi_surface_view atemi_surface_look_at_part(const atemi_surface *surface, atemi_capsule_part part,
                                              atemi_vec3 point)
{
    const atemi_vec3 x = atemi_vec3_sub(point, surface->position);
    if (part != ATEMI_CAPSULE_SIDE) {
        const double end = part == ATEMI_CAPSULE_TOP ? surface->half_length : -surface->half_length;
        return look_at_round(surface->radius,
                             atemi_vec3_sub(x, atemi_vec3_scale(end, surface->axis)));
    }
    switch (surface->kind) {
    case ATEMI_SURFACE_PLANE:
        return look_at_plane(surface, x);
    case ATEMI_SURFACE_SPHERE:
        return look_at_round(surface->radius, x);
    case ATEMI_SURFACE_CYLINDER:
        return look_at_cylinder(surface, x);
    case ATEMI_SURFACE_HEIGHTS:
        return atemi_height_field_look(&surface->table, x);
    }
    return look_at_plane(surface, x);
}

atemi_surface_view atemi_surface_look(const atemi_surface *surface, atemi_vec3 point)
{
    return atemi_surface_look_at_part(surface, atemi_surface_part_at(surface, point), point);
}
