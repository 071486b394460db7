// SPDX-License-Identifier: Apache-2.0

#include "motion/outline.h"

#include "check.h"
#include "data.h"
#include "random_tree.h"

#include <math.h>

// One body on a floating base, held anywhere, with shapes or none.
typedef struct bench {
    atemi_model *model;
    atemi_data  *data;
    outline      o;
} bench;

// The body is turned by `yaw` and lifted by 1 m.
static bench body(const atemi_inertia *inertia, const atemi_geometry_description *shape, double yaw)
{
    bench                b = {0};
    double               q[] = {0.0, 0.0, 1.0, 0.0, 0.0, sin(0.5 * yaw), cos(0.5 * yaw)};
    atemi_model_builder *builder = tree_begin();
    tree_add_link(builder, "body", inertia);
    if (shape) {
        CHECK_STATUS(atemi_model_builder_add_geometry(builder, shape, NULL), ATEMI_OK);
    }
    b.model = tree_finish(builder, ATEMI_BASE_FLOATING);
    b.data = data_create(b.model);
    atemi_update_kinematics(b.data, q, NULL, NULL);
    b.o = (outline){.model = b.model, .data = b.data, .up = {0.0, 0.0, 1.0}};
    return b;
}

static void end(bench *b)
{
    atemi_data_destroy(b->data);
    atemi_model_destroy(b->model);
}

// A uniform box with the sides a, b, c.
static atemi_inertia box_of(double m, double a, double b, double c)
{
    return (atemi_inertia){.mass = m,
                           .rotational = {.xx = m / 12.0 * (b * b + c * c),
                                          .yy = m / 12.0 * (a * a + c * c),
                                          .zz = m / 12.0 * (a * a + b * b)}};
}

static void check_box(outline_box box, atemi_vec3 lower, atemi_vec3 upper, double tolerance)
{
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(box.lower, lower)), 0.0, tolerance);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(box.upper, upper)), 0.0, tolerance);
}

TEST(outline, of_an_inertia_is_the_uniform_box_that_has_it)
{
    const atemi_inertia inertia = box_of(3.0, 0.2, 0.1, 0.4);
    const atemi_mat3    world = atemi_mat3_identity();
    bench               b = body(&inertia, NULL, 0.0);
    check_box(atemi_outline_around(&b.o, 0, &world, ATEMI_OUTLINE_INERTIA),
              (atemi_vec3){-0.1, -0.05, 0.8}, (atemi_vec3){0.1, 0.05, 1.2}, 1e-14);
    CHECK_NEAR(atemi_outline_inertia(&b.o, 0).mass, 3.0, 1e-15);
    CHECK_NEAR(atemi_outline_inertia(&b.o, 0).com.z, 1.0, 1e-15);
    end(&b);
}

TEST(outline, along_axes_of_the_body_does_not_see_its_rotation)
{
    const double        yaw = 0.7;
    const atemi_inertia inertia = box_of(3.0, 0.2, 0.1, 0.4);
    const atemi_mat3    axes = atemi_mat3_from_rpy(0.0, 0.0, yaw);
    bench               b = body(&inertia, NULL, yaw);
    check_box(atemi_outline_around(&b.o, 0, &axes, ATEMI_OUTLINE_INERTIA),
              (atemi_vec3){-0.1, -0.05, 0.8}, (atemi_vec3){0.1, 0.05, 1.2}, 1e-14);
    end(&b);
}

// A cylinder that lies along x: eight points around each end, so that the rim is met to the
// cosine of half the angle between two, or exactly where one is on the axis.
TEST(outline, of_a_cylinder_reaches_its_rim)
{
    const atemi_inertia              inertia = box_of(1.0, 0.1, 0.1, 0.1);
    const atemi_mat3                 world = atemi_mat3_identity();
    const atemi_geometry_description shape = {
        .link = "body",
        .collision = true,
        .shape = ATEMI_SHAPE_CYLINDER,
        .pose = {atemi_mat3_from_rpy(0.0, 1.5707963267948966, 0.0), {0.0, 0.0, 0.0}},
        .size = {0.1, 0.6, 0.0}};
    bench b = body(&inertia, &shape, 0.0);
    check_box(atemi_outline_around(&b.o, 0, &world, ATEMI_OUTLINE_SHAPES),
              (atemi_vec3){-0.3, -0.1, 0.9}, (atemi_vec3){0.3, 0.1, 1.1}, 1e-14);
    CHECK_EQUAL_INT(atemi_outline_around(&b.o, 0, &world, ATEMI_OUTLINE_SHAPES).count, 16);
    end(&b);
}

// Four corners are below and four above: only the lower ones are its bottom.
TEST(outline, bottom_has_what_is_within_the_flatness_of_the_lowest)
{
    const atemi_inertia              inertia = box_of(1.0, 0.1, 0.1, 0.1);
    const atemi_mat3                 world = atemi_mat3_identity();
    const atemi_geometry_description shape = {.link = "body",
                                              .collision = true,
                                              .shape = ATEMI_SHAPE_BOX,
                                              .pose = {world, {0.05, 0.0, -0.5}},
                                              .size = {0.25, 0.1, 0.02}};
    bench                            b = body(&inertia, &shape, 0.0);
    const outline_box sole = atemi_outline_bottom(&b.o, 0, &world, ATEMI_OUTLINE_SHAPES, 0.01);
    CHECK_EQUAL_INT(sole.count, 4);
    check_box(sole, (atemi_vec3){-0.075, -0.05, 0.49}, (atemi_vec3){0.175, 0.05, 0.49}, 1e-14);
    CHECK_EQUAL_INT(atemi_outline_bottom(&b.o, 0, &world, ATEMI_OUTLINE_SHAPES, 0.03).count, 8);
    end(&b);
}

TEST(outline, of_points_has_those_of_its_body)
{
    const atemi_inertia       inertia = box_of(1.0, 0.1, 0.1, 0.1);
    const atemi_mat3          world = atemi_mat3_identity();
    const atemi_contact_point points[] = {{0, {0.1, 0.2, -1.0}}, {0, {-0.3, 0.1, -0.9}}};
    bench                     b = body(&inertia, NULL, 0.0);
    b.o.points = points;
    b.o.point_count = 2;
    check_box(atemi_outline_around(&b.o, 0, &world, ATEMI_OUTLINE_POINTS),
              (atemi_vec3){-0.3, 0.1, 0.0}, (atemi_vec3){0.1, 0.2, 0.1}, 1e-14);
    CHECK_EQUAL_INT(atemi_outline_around(&b.o, 0, &world, ATEMI_OUTLINE_SHAPES).count, 0);
    end(&b);
}
