// SPDX-License-Identifier: Apache-2.0

#include "model/shape_capsule.h"

#include <math.h>

// From -end to end, in the shape's frame.
static shape_capsule placed(const atemi_geometry *shape, atemi_vec3 end, double radius)
{
    return (shape_capsule){atemi_transform_apply(&shape->pose, atemi_vec3_scale(-1.0, end)),
                           atemi_transform_apply(&shape->pose, end), radius};
}

// Along z, with half of the length over all.
static shape_capsule in_round(const atemi_geometry *shape, double radius, double half)
{
    const double r = fmin(radius, half);
    return placed(shape, (atemi_vec3){0.0, 0.0, half - r}, r);
}

// Along its longest side.
static shape_capsule in_box(const atemi_geometry *shape)
{
    const atemi_vec3 s = shape->size;
    const double     longest = fmax(s.x, fmax(s.y, s.z)), least = fmin(s.x, fmin(s.y, s.z));
    const double     half = 0.5 * (longest - least);
    const atemi_vec3 end = s.z == longest   ? (atemi_vec3){0.0, 0.0, half}
                           : s.y == longest ? (atemi_vec3){0.0, half, 0.0}
                                            : (atemi_vec3){half, 0.0, 0.0};
    return placed(shape, end, 0.5 * least);
}

shape_capsule shape_capsule_in(const atemi_geometry *shape)
{
    const atemi_vec3 s = shape->size;
    switch (shape->shape) {
    case ATEMI_SHAPE_BOX:
        return in_box(shape);
    case ATEMI_SHAPE_CYLINDER:
        return in_round(shape, s.x, 0.5 * s.y);
    case ATEMI_SHAPE_SPHERE:
        return in_round(shape, s.x, s.x);
    case ATEMI_SHAPE_CAPSULE:
        return in_round(shape, s.x, 0.5 * s.y + s.x);
    case ATEMI_SHAPE_MESH:
        break;
    }
    return placed(shape, (atemi_vec3){0.0, 0.0, 0.0}, 0.0);
}
