// SPDX-License-Identifier: Apache-2.0

#include "model/shape_capsule.h"

#include "check.h"

#include <math.h>

static double length(shape_capsule c)
{
    return atemi_vec3_norm(atemi_vec3_sub(c.to, c.from)) + 2.0 * c.radius;
}

static atemi_geometry shape_of(atemi_shape shape, atemi_vec3 size)
{
    return (atemi_geometry){.shape = shape, .size = size, .pose = atemi_transform_identity()};
}

// As long and as thick as the shape allows.
TEST(shape_capsule, fills_a_shape_along_its_axis)
{
    const struct {
        atemi_shape shape;
        atemi_vec3  size;
        double      length, radius;
    } cases[] = {{ATEMI_SHAPE_BOX, {0.1, 0.5, 0.2}, 0.5, 0.05},
                 {ATEMI_SHAPE_SPHERE, {0.3, 0.0, 0.0}, 0.6, 0.3},
                 {ATEMI_SHAPE_CYLINDER, {0.1, 0.8, 0.0}, 0.8, 0.1},
                 {ATEMI_SHAPE_CYLINDER, {0.5, 0.2, 0.0}, 0.2, 0.1},
                 {ATEMI_SHAPE_CAPSULE, {0.1, 0.8, 0.0}, 1.0, 0.1},
                 {ATEMI_SHAPE_MESH, {1.0, 1.0, 1.0}, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const atemi_geometry shape = shape_of(cases[i].shape, cases[i].size);
        const shape_capsule  c = shape_capsule_in(&shape);
        CHECK_NEAR(length(c), cases[i].length, 1e-15);
        CHECK_NEAR(c.radius, cases[i].radius, 1e-15);
    }
}

// A box along y, turned by a quarter about x and moved: its axis is along z then.
TEST(shape_capsule, is_where_the_shape_is)
{
    atemi_geometry shape = shape_of(ATEMI_SHAPE_BOX, (atemi_vec3){0.1, 0.5, 0.1});
    shape.pose.rotation = (atemi_mat3){{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}};
    shape.pose.position = (atemi_vec3){1.0, 2.0, 3.0};
    const shape_capsule c = shape_capsule_in(&shape);
    CHECK_NEAR(c.to.x, 1.0, 1e-15);
    CHECK_NEAR(c.to.y, 2.0, 1e-15);
    CHECK_NEAR(fabs(c.to.z - 3.0), 0.2, 1e-15);
    CHECK_NEAR(c.from.z + c.to.z, 6.0, 1e-15);
}
