// SPDX-License-Identifier: Apache-2.0

#include "atemi/data.h"
#include "atemi/kinematics.h"
#include "atemi/model_builder.h"
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

// ---- Shapes

static double height_on_floor(const atemi_touch_shape *shape, double angle)
{
    const body          what = body_box(2.0, brick_size);
    const atemi_surface floor = atemi_surface_floor();
    double              q[7] = {0.1, -0.2, 5.0, 0.0, sin(0.5 * angle), 0.0, cos(0.5 * angle)};
    atemi_model        *model = body_model(&what);
    atemi_data         *data = data_of(model);
    CHECK_STATUS(atemi_place_shapes_on_surface(data, &floor, shape, 1, q, NULL), ATEMI_OK);
    atemi_data_destroy(data);
    atemi_model_destroy(model);
    return q[2];
}

static atemi_touch_shape a_shape(atemi_shape kind, atemi_vec3 size)
{
    return (atemi_touch_shape){.shape = kind, .pose = atemi_transform_identity(), .size = size};
}

// Rotated by u about y, a shape reaches below its middle: a box by the half sides x sin u + z cos
// u, a capsule of the half length h by h cos u + r, a cylinder by h cos u + r sin u.
TEST(placement, of_shapes_puts_the_lowest_part_on_the_floor)
{
    const double      u = 0.4, x = 0.3, z = 0.2, r = 0.05, h = 0.25;
    atemi_touch_shape box = a_shape(ATEMI_SHAPE_BOX, (atemi_vec3){2.0 * x, 0.1, 2.0 * z});
    atemi_touch_shape ball = a_shape(ATEMI_SHAPE_SPHERE, (atemi_vec3){r, 0.0, 0.0});
    atemi_touch_shape capsule = a_shape(ATEMI_SHAPE_CAPSULE, (atemi_vec3){r, 2.0 * h, 0.0});
    atemi_touch_shape cylinder = a_shape(ATEMI_SHAPE_CYLINDER, (atemi_vec3){r, 2.0 * h, 0.0});
    CHECK_NEAR(height_on_floor(&box, u), x * sin(u) + z * cos(u), 1e-12);
    CHECK_NEAR(height_on_floor(&ball, u), r, 1e-12);
    CHECK_NEAR(height_on_floor(&capsule, u), h * cos(u) + r, 1e-12);
    CHECK_NEAR(height_on_floor(&cylinder, u), h * cos(u) + r * sin(u), 1e-12);
    CHECK_NEAR(height_on_floor(&cylinder, 0.0), h, 1e-12); // flat on its end
}

TEST(placement, of_a_mesh_and_of_a_shape_beside_the_origin)
{
    const atemi_vec3 corners[] = {
        {0.0, 0.0, -0.3}, {0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.2}};
    atemi_touch_shape mesh = a_shape(ATEMI_SHAPE_MESH, (atemi_vec3){1.0, 1.0, 1.0});
    atemi_touch_shape ball = a_shape(ATEMI_SHAPE_SPHERE, (atemi_vec3){0.05, 0.0, 0.0});
    mesh.vertices = corners;
    mesh.vertex_count = 4;
    ball.pose.position = (atemi_vec3){0.4, 0.0, 0.0}; // 0.4 sin(pi/6) lower
    CHECK_NEAR(height_on_floor(&mesh, 0.0), 0.3, 1e-12);
    CHECK_NEAR(height_on_floor(&ball, pi / 6.0), 0.2 + 0.05, 1e-12);
}

// In a scene the robot's base is the joint "base"; a body below stays, and does not count.
TEST(placement, in_a_scene_shifts_the_robot_alone)
{
    const body          brick = body_box(2.0, brick_size);
    atemi_scene_body    low = atemi_scene_body_box("low", 1.0, (atemi_vec3){0.1, 0.1, 0.1});
    const atemi_surface floor = atemi_surface_floor();
    atemi_model        *robot = body_model(&brick), *scene = NULL;
    low.pose.position.z = -3.0;
    CHECK_STATUS(atemi_scene_create(robot, &low, 1, &scene, NULL), ATEMI_OK);
    const int robot_link =
        atemi_model_joint(scene, atemi_model_find_joint(scene, "base"))->child_link;
    const int         low_link = atemi_model_find_link(scene, "low");
    atemi_touch_shape shapes[] = {a_shape(ATEMI_SHAPE_SPHERE, (atemi_vec3){0.05, 0.0, 0.0}),
                                  a_shape(ATEMI_SHAPE_SPHERE, (atemi_vec3){0.05, 0.0, 0.0})};
    shapes[0].link = robot_link;
    shapes[1].link = low_link;
    double      q[14];
    atemi_data *data = data_of(scene);
    atemi_configuration_neutral(scene, q);
    CHECK_STATUS(atemi_place_shapes_on_surface(data, &floor, shapes, 2, q, NULL), ATEMI_OK);
    CHECK_NEAR(atemi_link_pose(data, robot_link).position.z, 0.05, 1e-12);
    CHECK_NEAR(atemi_link_pose(data, low_link).position.z, -3.0, 0.0);
    atemi_data_destroy(data);
    atemi_model_destroy(scene);
    atemi_model_destroy(robot);
}

TEST(placement, of_no_shapes_is_refused)
{
    const body          ball = body_ball(1.0, 0.1, 0.4);
    const atemi_surface floor = atemi_surface_floor();
    double              q[7] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    atemi_model        *model = body_model(&ball);
    atemi_data         *data = data_of(model);
    CHECK_STATUS(atemi_place_shapes_on_surface(data, &floor, NULL, 0, q, NULL),
                 ATEMI_ERROR_NOT_FOUND);
    atemi_data_destroy(data);
    atemi_model_destroy(model);
}
