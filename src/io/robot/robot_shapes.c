// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"
#include "io/robot/mesh.h"

// Of the mesh's file, scaled; NULL without memory.
static atemi_vec3 *scaled_vertices(const atemi_mesh *mesh, atemi_vec3 scale)
{
    const size_t count = mesh->vertex_count > 0 ? (size_t)mesh->vertex_count : 1;
    atemi_vec3  *vertices = (atemi_vec3 *)atemi_allocate(count * sizeof *vertices);
    for (int i = 0; vertices && i < mesh->vertex_count; ++i) {
        const float *v = mesh->vertices + 3 * (ptrdiff_t)i;
        vertices[i] =
            (atemi_vec3){scale.x * (double)v[0], scale.y * (double)v[1], scale.z * (double)v[2]};
    }
    return vertices;
}

// @return false without memory; a mesh that is not found has no vertices
static bool read_mesh(const atemi_geometry *from, atemi_touch_shape *to, atemi_vec3 **vertices)
{
    atemi_mesh mesh = {0};
    bool       read = true;
    if (from->path && atemi_mesh_load(from->path, &mesh, NULL) == ATEMI_OK &&
        mesh.vertex_count >= 4) {
        *vertices = scaled_vertices(&mesh, from->size);
        to->vertices = *vertices;
        to->vertex_count = mesh.vertex_count;
        read = *vertices != NULL;
    }
    atemi_mesh_destroy(&mesh);
    return read;
}

static bool add_shape(const atemi_geometry *from, const atemi_touch_shape *like,
                      atemi_robot_shapes *shapes)
{
    const int          n = shapes->count;
    atemi_touch_shape *to = &shapes->list[n];
    *to = *like;
    to->link = from->link;
    to->shape = from->shape;
    to->pose = from->pose;
    to->size = from->size;
    shapes->vertices[n] = NULL;
    if (from->shape == ATEMI_SHAPE_MESH) {
        if (!read_mesh(from, to, &shapes->vertices[n])) {
            return false;
        }
        if (!to->vertices) {
            shapes->lost = shapes->lost_count++ ? shapes->lost : from;
            return true;
        }
    }
    ++shapes->count;
    return true;
}

atemi_status atemi_robot_shapes_load(const atemi_model *model, double friction, double restitution,
                                     atemi_robot_shapes *result, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && result, ATEMI_ERROR_CONTRACT);
    const int               count = atemi_model_geometry_count(model);
    const size_t            places = count > 0 ? (size_t)count : 1;
    const atemi_touch_shape like = {
        .static_friction = friction, .kinetic_friction = friction, .restitution = restitution};
    *result = (atemi_robot_shapes){0};
    result->list = (atemi_touch_shape *)atemi_allocate(places * sizeof *result->list);
    result->vertices = (atemi_vec3 **)atemi_allocate(places * sizeof *result->vertices);
    bool done = result->list && result->vertices;
    for (int i = 0; done && i < count; ++i) {
        const atemi_geometry *from = atemi_model_geometry(model, i);
        done = !from->collision || add_shape(from, &like, result);
    }
    if (!done) {
        atemi_robot_shapes_destroy(result);
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the robot's shapes");
    }
    return ATEMI_OK;
}

void atemi_robot_shapes_destroy(atemi_robot_shapes *shapes)
{
    for (int i = 0; shapes && shapes->vertices && i < shapes->count; ++i) {
        atemi_release(shapes->vertices[i]);
    }
    if (shapes) {
        atemi_release((void *)shapes->vertices);
        atemi_release(shapes->list);
        *shapes = (atemi_robot_shapes){0};
    }
}
