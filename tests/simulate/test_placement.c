// SPDX-License-Identifier: Apache-2.0

#include "atemi/data.h"
#include "atemi/kinematics.h"
#include "atemi/simulation.h"
#include "bodies.h"
#include "check.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static atemi_data *data_of(const atemi_model *model)
{
    atemi_data *data = NULL;
    atemi_error error;
    CHECK_STATUS(atemi_data_create(model, NULL, &data, &error), ATEMI_OK);
    return data;
}

static atemi_status place(const body *b, const atemi_surface *surface,
                          const atemi_simulation_point *points, int count, double *q)
{
    atemi_model       *model = body_model(b);
    atemi_data        *data = data_of(model);
    atemi_error        error;
    const atemi_status status = atemi_place_on_surface(data, surface, points, count, 0, q, &error);
    atemi_data_destroy(data);
    atemi_model_destroy(model);
    return status;
}

// ---- Claims

// Turned by the angle u about y, the lowest corner of a box is (x sin u + z cos u) / 2 below it.
TEST(placement, of_a_tilted_box_puts_its_lowest_corner_on_the_floor)
{
    atemi_simulation_point bottom[4];
    const body             box = body_box(2.0, brick_size);
    const atemi_surface    floor = atemi_surface_floor();
    const double           u = 0.3;
    double                 q[7] = {0.1, -0.2, 5.0, 0.0, sin(0.5 * u), 0.0, cos(0.5 * u)};
    rough_bottom(brick_size, 0.5, bottom);
    CHECK_STATUS(place(&box, &floor, bottom, 4, q), ATEMI_OK);
    CHECK_NEAR(q[2], 0.5 * (brick_size.x * sin(u) + brick_size.z * cos(u)), 1e-12);
    CHECK_NEAR(q[0], 0.1, 0.0);
    CHECK_NEAR(q[1], -0.2, 0.0);
}

// Above a sphere of radius R, a ball of radius r at the distance x from the axis: z^2 = (R + r)^2
// - x^2.
TEST(placement, on_a_sphere_finds_the_height_of_a_ball)
{
    const atemi_surface          dome = {.kind = ATEMI_SURFACE_SPHERE, .radius = 2.0};
    const atemi_simulation_point point = {.radius = 0.25};
    const body                   ball = body_ball(1.0, 0.25, 0.4);
    double                       q[7] = {1.2, 0.0, 7.0, 0.0, 0.0, 0.0, 1.0};
    CHECK_STATUS(place(&ball, &dome, &point, 1, q), ATEMI_OK);
    CHECK_NEAR(q[2], sqrt(2.25 * 2.25 - 1.44), 1e-9);
}

TEST(placement, is_refused_where_nothing_can_be_put_down)
{
    const atemi_surface          floor = atemi_surface_floor();
    const atemi_surface          wall = {.kind = ATEMI_SURFACE_PLANE, .axis = {1.0, 0.0, 0.0}};
    const atemi_simulation_point point = {.radius = 0.1};
    body                         ball = body_ball(1.0, 0.1, 0.4);
    double                       q[7] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    CHECK_STATUS(place(&ball, &wall, &point, 1, q), ATEMI_ERROR_NOT_FOUND);
    CHECK_STATUS(place(&ball, &floor, NULL, 0, q), ATEMI_ERROR_NOT_FOUND);
    ball.base = ATEMI_BASE_FIXED;
    CHECK_STATUS(place(&ball, &floor, &point, 1, q), ATEMI_ERROR_INPUT);
    ball.base = ATEMI_BASE_PLANAR;
    CHECK_STATUS(place(&ball, &floor, &point, 1, q), ATEMI_ERROR_INPUT);
}

// A sagittal base has the height second.
TEST(placement, shifts_a_sagittal_base_along_z)
{
    const atemi_surface          floor = atemi_surface_floor();
    const atemi_simulation_point point = {.radius = 0.1};
    body                         ball = body_ball(1.0, 0.1, 0.4);
    double                       q[3] = {0.4, 3.0, pi};
    ball.base = ATEMI_BASE_SAGITTAL;
    CHECK_STATUS(place(&ball, &floor, &point, 1, q), ATEMI_OK);
    CHECK_NEAR(q[1], 0.1, 1e-12);
    CHECK_NEAR(q[0], 0.4, 0.0);
}
