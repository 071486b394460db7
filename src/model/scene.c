// SPDX-License-Identifier: Apache-2.0

#include "atemi/model_builder.h"

#include "atemi/base.h"
#include "model/copying.h"
#include "model/layout.h"

#include <string.h>

// A scene that is being made, in stages.
typedef struct making {
    const atemi_model      *robot;
    const atemi_scene_body *bodies;
    int                     body_count;
    char                    world[ATEMI_MAX_NAME + 1]; ///< name of the root; no name is longer
    char                    base[ATEMI_MAX_NAME + 1];  ///< name of the joint of the robot's base
    atemi_model_builder    *builder;
    atemi_error            *error;
} making;

// ---- Names ----------------------------------------------------------------------------------

typedef int find_name(const atemi_model *model, const char *name);

// A name that no part of the robot has: the one wanted, with underscores behind as needed.
static void take_free_name(const atemi_model *robot, find_name *find, const char *wanted,
                           char name[ATEMI_MAX_NAME + 1])
{
    size_t length = strlen(wanted);
    memcpy(name, wanted, length + 1);
    while (robot && length < ATEMI_MAX_NAME && find(robot, name) != ATEMI_NONE) {
        name[length++] = '_';
        name[length] = '\0';
    }
}

static atemi_status check_name(const making *m, const char *name)
{
    if (!m->robot) {
        return ATEMI_OK;
    }
    const bool is_link =
        atemi_model_find_link(m->robot, name) != ATEMI_NONE || strcmp(name, m->world) == 0;
    const bool is_joint =
        atemi_model_find_joint(m->robot, name) != ATEMI_NONE || strcmp(name, m->base) == 0;
    if (is_link || is_joint) {
        return atemi_fail(m->error, ATEMI_ERROR_INPUT,
                          "the body '%s' of the scene is called like a %s of the robot or its "
                          "world; give it another name",
                          name, is_link ? "link" : "joint");
    }
    return ATEMI_OK;
}

static atemi_status check_names(const making *m)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < m->body_count && !status; ++i) {
        status = m->bodies[i].name ? check_name(m, m->bodies[i].name) : ATEMI_OK;
    }
    return status;
}

// ---- The robot ------------------------------------------------------------------------------

static atemi_joint_type type_of_base(atemi_base base)
{
    return base == ATEMI_BASE_FLOATING ? ATEMI_JOINT_FLOATING
           : base == ATEMI_BASE_PLANAR ? ATEMI_JOINT_PLANAR
                                       : ATEMI_JOINT_FIXED;
}

static atemi_status add_world(const making *m)
{
    const atemi_link_description world = {.name = m->world};
    if (!m->robot) {
        return atemi_model_builder_add_link(m->builder, &world, m->error);
    }
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = m->base;
    joint.type = type_of_base(m->robot->base);
    joint.axis = (atemi_vec3){0.0, 0.0, 1.0};
    joint.parent = m->world;
    joint.child = m->robot->links[0].name;
    const atemi_status status = atemi_model_builder_add_link(m->builder, &world, m->error);
    return status ? status : atemi_model_builder_add_joint(m->builder, &joint, m->error);
}

static atemi_status add_parts(const making *m)
{
    return m->robot ? atemi_parts_copy(m->robot, m->builder, m->error) : ATEMI_OK;
}

// ---- The bodies -----------------------------------------------------------------------------

static atemi_status add_shape(const making *m, const atemi_scene_body *body)
{
    atemi_geometry_description shape = {.link = body->name,
                                        .shape = body->shape,
                                        .pose = atemi_transform_identity(),
                                        .size = body->size};
    memcpy(shape.color, body->color, sizeof shape.color);
    if (atemi_vec3_norm(body->size) == 0.0) {
        return ATEMI_OK;
    }
    const atemi_status status = atemi_model_builder_add_geometry(m->builder, &shape, m->error);
    shape.collision = true;
    return status || !body->collides
               ? status
               : atemi_model_builder_add_geometry(m->builder, &shape, m->error);
}

static atemi_status add_body(const making *m, const atemi_scene_body *body)
{
    const atemi_link_description link = {.name = body->name, .inertia = body->inertia};
    atemi_joint_description      joint = atemi_joint_description_default();
    joint.name = body->name;
    joint.type = body->type;
    joint.parent = m->world;
    joint.child = body->name;
    joint.origin = body->pose;
    joint.axis = body->axis;
    joint.damping = body->damping;
    joint.friction = body->friction;
    atemi_status status = atemi_model_builder_add_link(m->builder, &link, m->error);
    if (!status) {
        status = atemi_model_builder_add_joint(m->builder, &joint, m->error);
    }
    return status ? status : add_shape(m, body);
}

// ---- Robots beside it -----------------------------------------------------------------------

// "NAME/PART"; cut off where that is longer than names may be, which the builder refuses.
static const char *part_name(const atemi_scene_body *body, const char *part, char *text)
{
    const size_t name = strlen(body->name), rest = strlen(part), most = 2 * ATEMI_MAX_NAME;
    memcpy(text, body->name, name < most ? name : most);
    size_t at = name < most ? name : most;
    text[at++] = '/';
    const size_t fits = rest < 2 * most - at ? rest : 2 * most - at;
    memcpy(text + at, part, fits);
    text[at + fits] = '\0';
    return text;
}

typedef char name_text[4 * ATEMI_MAX_NAME + 2];

static atemi_status add_robot_base(const making *m, const atemi_scene_body *body)
{
    name_text               child;
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = body->name;
    joint.type = type_of_base(body->robot->base);
    joint.axis = (atemi_vec3){0.0, 0.0, 1.0};
    joint.parent = m->world;
    joint.child = part_name(body, body->robot->links[0].name, child);
    joint.origin = body->pose;
    return atemi_model_builder_add_joint(m->builder, &joint, m->error);
}

static atemi_status add_robot_joint(const making *m, const atemi_scene_body *body, int index)
{
    name_text               name, parent, child, mimic;
    atemi_joint_description joint = atemi_joint_describe(body->robot, index);
    joint.name = part_name(body, joint.name, name);
    joint.parent = part_name(body, joint.parent, parent);
    joint.child = part_name(body, joint.child, child);
    joint.mimic = joint.mimic ? part_name(body, joint.mimic, mimic) : NULL;
    return atemi_model_builder_add_joint(m->builder, &joint, m->error);
}

// What is fixed to the world stands where the body's pose takes it.
static atemi_status add_robot_loop(const making *m, const atemi_scene_body *body,
                                   const atemi_loop *from)
{
    name_text              name, first, second;
    atemi_loop_description loop = atemi_loop_describe(body->robot, from);
    if (loop.first) {
        loop.first = part_name(body, loop.first, first);
    } else {
        loop.on_first = atemi_transform_compose(&body->pose, &from->on_first);
    }
    if (loop.second) {
        loop.second = part_name(body, loop.second, second);
    } else {
        loop.on_second = atemi_transform_compose(&body->pose, &from->on_second);
    }
    loop.name = part_name(body, from->name, name);
    return atemi_model_builder_add_loop(m->builder, &loop, m->error);
}

static atemi_status add_robot(const making *m, const atemi_scene_body *body)
{
    const atemi_model *robot = body->robot;
    atemi_status       status = add_robot_base(m, body);
    name_text          name;
    for (int i = 0; i < robot->link_count && !status; ++i) {
        const atemi_link_description link = {.name = part_name(body, robot->links[i].name, name),
                                             .inertia = robot->links[i].inertia};
        status = atemi_model_builder_add_link(m->builder, &link, m->error);
    }
    for (int j = 0; j < robot->joint_count && !status; ++j) {
        status = add_robot_joint(m, body, j);
    }
    for (int i = 0; i < robot->geometry_count && !status; ++i) {
        const atemi_geometry *from = &robot->geometries[i];
        status = atemi_geometry_copy(from, part_name(body, robot->links[from->link].name, name),
                                     m->builder, m->error);
    }
    for (int i = 0; i < robot->loop_count && !status; ++i) {
        status = add_robot_loop(m, body, &robot->loops[i]);
    }
    for (int i = 0; i < robot->apart_count && !status; ++i) {
        const atemi_link_pair         links = robot->aparts[i];
        name_text                     second;
        const atemi_apart_description pair = {
            .first = part_name(body, robot->links[links.first].name, name),
            .second = part_name(body, robot->links[links.second].name, second)};
        status = atemi_model_builder_add_apart(m->builder, &pair, m->error);
    }
    return status;
}

static atemi_status add_bodies(const making *m)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < m->body_count && !status; ++i) {
        status = (m->bodies[i].robot ? add_robot : add_body)(m, &m->bodies[i]);
    }
    return status;
}

// ---- The whole ------------------------------------------------------------------------------

typedef atemi_status stage(const making *m);

static stage *const stages[] = {check_names, add_world, add_parts, add_bodies};

static atemi_status build(const making *m, atemi_model **scene)
{
    atemi_model_options options = atemi_model_options_default();
    atemi_status        status = ATEMI_OK;
    options.base = ATEMI_BASE_FIXED;
    if (m->robot) {
        options.gravity = m->robot->gravity;
        options.mimic_as_coupled = m->robot->coupled;
    }
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && !status; ++i) {
        status = stages[i](m);
    }
    return status ? status : atemi_model_builder_finish(m->builder, &options, scene, m->error);
}

static atemi_status check_base(const making *m, const atemi_model *robot)
{
    return robot && robot->base == ATEMI_BASE_SAGITTAL
               ? atemi_fail(m->error, ATEMI_ERROR_INPUT,
                            "robot '%s' has a sagittal base, which cannot stand in a scene: no "
                            "joint has its coordinates; give it a planar, floating or fixed base",
                            robot->name)
               : ATEMI_OK;
}

static atemi_status check_bases(const making *m)
{
    atemi_status status = check_base(m, m->robot);
    for (int i = 0; i < m->body_count && !status; ++i) {
        status = check_base(m, m->bodies[i].robot);
    }
    return status;
}

atemi_status atemi_scene_create(const atemi_model *robot, const atemi_scene_body *bodies,
                                int body_count, atemi_model **scene, atemi_error *error)
{
    ATEMI_REQUIRE_OR(scene && body_count >= 0 && (bodies || !body_count), ATEMI_ERROR_CONTRACT);
    *scene = NULL;
    making m = {.robot = robot, .bodies = bodies, .body_count = body_count, .error = error};
    take_free_name(robot, atemi_model_find_link, "world", m.world);
    take_free_name(robot, atemi_model_find_joint, "base", m.base);
    atemi_status status = check_bases(&m);
    status =
        status ? status
               : atemi_model_builder_create(robot ? robot->name : "scene", NULL, &m.builder, error);
    if (!status) {
        status = build(&m, scene);
    }
    atemi_model_builder_destroy(m.builder);
    if (!status) {
        (*scene)->scene = true;
    }
    return status;
}
