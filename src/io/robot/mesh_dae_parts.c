// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mesh_dae.h"

#include <string.h>

// A node of a library may hold instances of others; so deep, and no deeper.
enum { MOST_NESTED_NODES = 8, MOST_LOOKS = 10000000 };

atemi_dae_transform atemi_dae_identity(void)
{
    return (atemi_dae_transform){.matrix = atemi_mat3_identity()};
}

atemi_dae_transform atemi_dae_compose(const atemi_dae_transform *a, const atemi_dae_transform *b)
{
    return (atemi_dae_transform){
        .matrix = {atemi_mat3_apply(&a->matrix, b->matrix.x),
                   atemi_mat3_apply(&a->matrix, b->matrix.y),
                   atemi_mat3_apply(&a->matrix, b->matrix.z)},
        .shift = atemi_vec3_add(atemi_mat3_apply(&a->matrix, b->shift), a->shift)};
}

void atemi_dae_forget_sources(atemi_dae_parts *parts)
{
    for (int i = 0; i < parts->source_count; ++i) {
        atemi_release(parts->sources[i].values);
    }
    parts->source_count = 0;
}

void atemi_dae_parts_destroy(atemi_dae_parts *parts)
{
    atemi_dae_forget_sources(parts);
    for (int i = 0; i < parts->geometry_count; ++i) {
        atemi_mesh_destroy(&parts->geometries[i].mesh);
    }
    atemi_release(parts->sources);
    atemi_release(parts->geometries);
    atemi_release(parts->instances);
    atemi_string_pool_destroy(&parts->names);
    *parts = (atemi_dae_parts){0};
}

// ---- Putting together

static double determinant(const atemi_mat3 *A)
{
    return atemi_vec3_dot(A->x, atemi_vec3_cross(A->y, A->z));
}

static atemi_status put_vertices(const atemi_mesh *from, const atemi_dae_transform *pose,
                                 atemi_mesh *mesh, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < from->vertex_count && !status; ++i) {
        const float     *v = from->vertices + 3 * (ptrdiff_t)i;
        const atemi_vec3 at = {(double)v[0], (double)v[1], (double)v[2]};
        const atemi_vec3 to = atemi_vec3_add(atemi_mat3_apply(&pose->matrix, at), pose->shift);
        const double     x[] = {to.x, to.y, to.z};
        status = atemi_mesh_add_vertex(mesh, x, error);
    }
    return status;
}

// Where a pose mirrors, corners go round the other way.
static atemi_status put_mesh(const atemi_mesh *from, const atemi_dae_transform *pose,
                             atemi_mesh *mesh, atemi_error *error)
{
    const uint32_t first = (uint32_t)mesh->vertex_count;
    const bool     mirrors = determinant(&pose->matrix) < 0.0;
    atemi_status   status = put_vertices(from, pose, mesh, error);
    for (int i = 0; i < from->triangle_count && !status; ++i) {
        const uint32_t *t = from->triangles + 3 * (ptrdiff_t)i;
        const uint32_t  corners[] = {first + t[0], first + t[mirrors ? 2 : 1],
                                     first + t[mirrors ? 1 : 2]};
        status = atemi_mesh_add_triangle(mesh, corners, error);
    }
    return status;
}

// What is put together, and how often a list of instances may still be looked through: nodes that
// stand in each other could double at each depth.
typedef struct dae_assembly {
    const atemi_dae_parts *parts;
    atemi_mesh            *mesh;
    atemi_error           *error;
    long                   looks_left;
} dae_assembly;

static atemi_status put_geometry(const dae_assembly *a, const char *id,
                                 const atemi_dae_transform *pose)
{
    for (int i = 0; i < a->parts->geometry_count; ++i) {
        if (strcmp(a->parts->geometries[i].id, id) == 0) {
            return put_mesh(&a->parts->geometries[i].mesh, pose, a->mesh, a->error);
        }
    }
    return ATEMI_OK; // a skin, or a curve
}

static bool is_in(const atemi_dae_instance *instance, const char *library)
{
    return library ? instance->library && strcmp(instance->library, library) == 0
                   : !instance->library;
}

// All that stands in the scene, or in a node of a library.
static atemi_status put_all(dae_assembly *a, const char *library, const atemi_dae_transform *pose,
                            int depth)
{
    atemi_status status = ATEMI_OK;
    a->looks_left -= a->parts->instance_count;
    if (depth > MOST_NESTED_NODES || a->looks_left < 0) {
        return atemi_fail(a->error, ATEMI_ERROR_LIMIT,
                          "nodes of libraries stand in each other too deep or too often; make the "
                          "mesh simpler");
    }
    for (int i = 0; i < a->parts->instance_count && !status; ++i) {
        const atemi_dae_instance *instance = &a->parts->instances[i];
        if (is_in(instance, library)) {
            const atemi_dae_transform at = atemi_dae_compose(pose, &instance->pose);
            status = instance->is_node ? put_all(a, instance->of, &at, depth + 1)
                                       : put_geometry(a, instance->of, &at);
        }
    }
    return status;
}

static bool has_scene(const atemi_dae_parts *parts)
{
    bool found = false;
    for (int i = 0; i < parts->instance_count; ++i) {
        found = found || !parts->instances[i].library;
    }
    return found;
}

atemi_status atemi_dae_assemble(const atemi_dae_parts *parts, atemi_mesh *mesh, atemi_error *error)
{
    dae_assembly        assembly = {parts, mesh, error, MOST_LOOKS};
    atemi_dae_transform metres = atemi_dae_identity();
    metres.matrix.x.x = metres.matrix.y.y = metres.matrix.z.z = parts->unit;
    atemi_status status = ATEMI_OK;
    if (has_scene(parts)) {
        return put_all(&assembly, NULL, &metres, 0);
    }
    for (int i = 0; i < parts->geometry_count && !status; ++i) {
        status = put_mesh(&parts->geometries[i].mesh, &metres, mesh, error);
    }
    return status;
}
