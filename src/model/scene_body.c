// SPDX-License-Identifier: Apache-2.0

#include "atemi/model_builder.h"

#include "atemi/base.h"

#include <math.h>

// Of a capsule of radius r and length l between the centres of its ends: a cylinder, and two half
// balls whose centres of mass are 3/8 r beyond those centres. With the volumes in the ratio
// l : 4/3 r, the masses are m_c and m_b, and
//
//   I_zz = m_c r^2 / 2 + m_b 2/5 r^2
//   I_xx = m_c (r^2 / 4 + l^2 / 12) + m_b (2/5 r^2 + l^2 / 4 + 3/8 l r)

atemi_scene_body atemi_scene_body_box(const char *name, double mass, atemi_vec3 size)
{
    const double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z, part = mass / 12.0;
    return (atemi_scene_body){.name = name,
                              .pose = atemi_transform_identity(),
                              .type = ATEMI_JOINT_FLOATING,
                              .axis = {1.0, 0.0, 0.0},
                              .inertia = {.mass = mass,
                                          .rotational = {.xx = part * (y + z),
                                                         .yy = part * (x + z),
                                                         .zz = part * (x + y)}},
                              .size = size};
}

static atemi_symmetric3 about_z(double across, double along)
{
    return (atemi_symmetric3){.xx = across, .yy = across, .zz = along};
}

static atemi_symmetric3 capsule_inertia(double mass, double r, double l)
{
    const double ball = mass * 4.0 * r / (3.0 * l + 4.0 * r), bar = mass - ball;
    return about_z(bar * (r * r / 4.0 + l * l / 12.0) +
                       ball * (0.4 * r * r + l * l / 4.0 + 0.375 * l * r),
                   bar * r * r / 2.0 + ball * 0.4 * r * r);
}

atemi_scene_body atemi_scene_body_solid(const char *name, double mass, atemi_shape shape,
                                        atemi_vec3 size)
{
    atemi_scene_body body = atemi_scene_body_box(name, mass, size);
    const double     r = size.x, l = size.y;
    body.shape = shape;
    body.collides = true;
    switch (shape) {
    case ATEMI_SHAPE_SPHERE:
        body.inertia.rotational = about_z(0.4 * mass * r * r, 0.4 * mass * r * r);
        break;
    case ATEMI_SHAPE_CYLINDER:
        body.inertia.rotational = about_z(mass * (r * r / 4.0 + l * l / 12.0), mass * r * r / 2.0);
        break;
    case ATEMI_SHAPE_CAPSULE:
        body.inertia.rotational = capsule_inertia(mass, r, l);
        break;
    case ATEMI_SHAPE_BOX:
    case ATEMI_SHAPE_MESH:
        break;
    }
    return body;
}
