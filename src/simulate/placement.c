// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"
#include "atemi/simulation.h"

#include <math.h>

// A robot is put on a surface by Newton's method on the height s of its base: point i, at the gap
// g_i and with the surface's normal n_i, touches about when s has grown by -g_i / (n_i . up), and
// the lowest point is the one that needs the largest shift.

enum { MAX_SHIFTS = 100 };

// In m: what counts as in touch for the simulation, how exactly a robot is put down, and the least
// n . up of a surface that can be stood on.
static const double touching = 1e-9, settled = 1e-13, steepest = 1e-3;

static atemi_surface_view look(const atemi_data *data, const atemi_surface *surface,
                               const atemi_simulation_point *point)
{
    const atemi_transform pose = atemi_link_pose(data, point->link);
    atemi_surface_view    view =
        atemi_surface_look(surface, atemi_transform_apply(&pose, point->point));
    view.gap -= point->radius;
    return view;
}

double atemi_point_gap(const atemi_data *data, const atemi_surface *surfaces,
                       const atemi_simulation_point *point)
{
    ATEMI_REQUIRE_OR(data && surfaces && point, 0.0);
    return look(data, &surfaces[point->surface], point).gap;
}

// How much the base has to go up; NaN if a point is not above the surface's upper side, or if none
// may touch it.
static double find_shift(const atemi_data *data, const atemi_surface *surfaces,
                         const atemi_simulation_point *points, int count, int surface,
                         atemi_vec3 up)
{
    double largest = -INFINITY;
    for (int i = 0; i < count; ++i) {
        if (points[i].surface != surface) {
            continue;
        }
        const atemi_surface_view view = look(data, &surfaces[surface], &points[i]);
        const double             slope = atemi_vec3_dot(view.normal, up);
        if (!(slope > steepest)) {
            return (double)NAN;
        }
        largest = fmax(largest, -view.gap / slope);
    }
    return isfinite(largest) ? largest : (double)NAN;
}

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

atemi_status atemi_place_on_surface(atemi_data *data, const atemi_surface *surfaces,
                                    const atemi_simulation_point *points, int count, int surface,
                                    double *q, atemi_error *error)
{
    ATEMI_REQUIRE_OR(data && surfaces && q && (points || count == 0), ATEMI_ERROR_CONTRACT);
    const atemi_model *model = atemi_data_model(data);
    const atemi_vec3   up = up_of(model);
    double             shift = INFINITY;
    for (int i = 0; i < MAX_SHIFTS && fabs(shift) > settled; ++i) {
        atemi_update_kinematics(data, q, NULL, NULL);
        shift = find_shift(data, surfaces, points, count, surface, up);
        if (isnan(shift)) {
            return atemi_fail(error, ATEMI_ERROR_NOT_FOUND,
                              "no contact point is above the surface, so the robot cannot be put "
                              "on it; give the position of its base");
        }
        if (!shift_base(atemi_model_base(model), atemi_vec3_scale(shift, up), q)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the base is %s and cannot be shifted against gravity",
                              atemi_base_text(atemi_model_base(model)));
        }
    }
    return fabs(shift) < touching
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_SINGULAR,
                            "found no height at which the robot stands on the surface; give the "
                            "position of its base");
}
