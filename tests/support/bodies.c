// SPDX-License-Identifier: Apache-2.0

#include "bodies.h"

#include "atemi/model_builder.h"
#include "check.h"

#include <stddef.h>

const atemi_vec3 brick_size = {0.4, 0.2, 0.1};
const double     brick_mass = 2.0;

static body free_body(double mass, atemi_vec3 inertia)
{
    return (body){.mass = mass, .inertia = inertia, .base = ATEMI_BASE_FLOATING, .gravity = 9.81};
}

body body_box(double mass, atemi_vec3 size)
{
    const double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
    return free_body(mass, atemi_vec3_scale(mass / 12.0, (atemi_vec3){y + z, x + z, x + y}));
}

body body_ball(double mass, double radius, double k)
{
    const double inertia = k * mass * radius * radius;
    return free_body(mass, (atemi_vec3){inertia, inertia, inertia});
}

body body_rod(double mass, double length)
{
    const double inertia = mass * length * length / 12.0;
    return free_body(mass, (atemi_vec3){inertia, inertia, 0.0});
}

static atemi_inertia inertia_of(double mass, atemi_vec3 com, atemi_vec3 about_com)
{
    return (atemi_inertia){.mass = mass,
                           .com = com,
                           .rotational = {.xx = about_com.x, .yy = about_com.y, .zz = about_com.z}};
}

static atemi_model_builder *begin(const char *name)
{
    atemi_model_builder *builder;
    CHECK_STATUS(atemi_model_builder_create(name, NULL, &builder, NULL), ATEMI_OK);
    return builder;
}

static void add_link(atemi_model_builder *builder, const char *name, atemi_inertia inertia)
{
    const atemi_link_description link = {.name = name, .inertia = inertia};
    CHECK_STATUS(atemi_model_builder_add_link(builder, &link, NULL), ATEMI_OK);
}

static atemi_model *finish(atemi_model_builder *builder, atemi_base base, double gravity)
{
    atemi_model_options options = atemi_model_options_default();
    atemi_model        *model;
    options.base = base;
    options.gravity.z = -gravity;
    CHECK_STATUS(atemi_model_builder_finish(builder, &options, &model, NULL), ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return model;
}

atemi_model *body_model(const body *b)
{
    const atemi_vec3     origin = {0.0, 0.0, 0.0};
    atemi_model_builder *builder = begin("body");
    add_link(builder, "body", inertia_of(b->mass, origin, b->inertia));
    return finish(builder, b->base, b->gravity);
}

atemi_model *brick_model(void)
{
    const body brick = body_box(brick_mass, brick_size);
    return body_model(&brick);
}

// ---- Points ---------------------------------------------------------------------------------

atemi_vec3 box_corner(atemi_vec3 size, int index)
{
    return (atemi_vec3){index & 1 ? 0.5 * size.x : -0.5 * size.x,
                        index & 2 ? 0.5 * size.y : -0.5 * size.y,
                        index & 4 ? 0.5 * size.z : -0.5 * size.z};
}

atemi_simulation_point rough_point(atemi_vec3 point, double friction)
{
    return (atemi_simulation_point){
        .point = point, .static_friction = friction, .kinetic_friction = friction};
}

void rough_bottom(atemi_vec3 size, double friction, atemi_simulation_point bottom[4])
{
    for (int i = 0; i < 4; ++i) {
        bottom[i] = rough_point(box_corner(size, i), friction);
    }
}

// ---- Cart -----------------------------------------------------------------------------------

static void add_joint(atemi_model_builder *builder, atemi_joint_type type, const char *parent,
                      const char *child, atemi_vec3 axis)
{
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = child;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.axis = axis;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
}

atemi_model *cart_model(const cart *c, bool on_rail)
{
    const atemi_vec3 origin = {0.0, 0.0, 0.0}, along = {1.0, 0.0, 0.0}, across = {0.0, 1.0, 0.0};
    const atemi_vec3 hanging = {0.0, 0.0, -c->arm};
    const atemi_vec3 round = {c->bob_inertia, c->bob_inertia, c->bob_inertia};
    const body       block = body_box(c->cart_mass, brick_size);
    atemi_model_builder *builder = begin("cart");
    add_link(builder, "cart", inertia_of(block.mass, origin, block.inertia));
    add_link(builder, "bob", inertia_of(c->bob_mass, hanging, round));
    add_joint(builder, ATEMI_JOINT_CONTINUOUS, "cart", "bob", across);
    if (on_rail) {
        add_link(builder, "rail", (atemi_inertia){0});
        add_joint(builder, ATEMI_JOINT_PRISMATIC, "rail", "cart", along);
    }
    return finish(builder, on_rail ? ATEMI_BASE_FIXED : ATEMI_BASE_FLOATING, block.gravity);
}

atemi_model *hinge_model(const hinge *h)
{
    const atemi_vec3 hanging = {0.0, 0.0, -h->arm}, round = {h->inertia, h->inertia, h->inertia};
    const atemi_vec3 across = {0.0, 1.0, 0.0}, up = {0.0, 0.0, 1.0};
    atemi_joint_description joint = atemi_joint_description_default();
    atemi_model_builder    *builder = begin("hinge");
    add_link(builder, "wall", (atemi_inertia){0});
    add_link(builder, "arm", inertia_of(h->mass, hanging, round));
    joint.name = "joint";
    joint.type = h->slides ? ATEMI_JOINT_PRISMATIC : ATEMI_JOINT_REVOLUTE;
    joint.parent = "wall";
    joint.child = "arm";
    joint.axis = h->slides ? up : across;
    joint.limits = h->limits;
    joint.damping = h->damping;
    joint.friction = h->friction;
    CHECK_STATUS(atemi_model_builder_add_joint(builder, &joint, NULL), ATEMI_OK);
    return finish(builder, ATEMI_BASE_FIXED, h->gravity);
}
