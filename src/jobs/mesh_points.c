// SPDX-License-Identifier: Apache-2.0

#include "jobs/mesh_points.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/robot/mesh.h"
#include "motion/bodies.h"

static atemi_status add_point(int link, atemi_vec3 point, mesh_points *points, atemi_error *error)
{
    atemi_contact_point *list = (atemi_contact_point *)atemi_grown(
        points->list, sizeof *points->list, points->count, &points->capacity);
    if (!list) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the points of a mesh");
    }
    points->list = list;
    points->list[points->count++] = (atemi_contact_point){link, point};
    return ATEMI_OK;
}

static atemi_status add_mesh(const atemi_geometry *shape, mesh_points *points, atemi_error *error)
{
    atemi_mesh   mesh = {0};
    atemi_status status = ATEMI_OK;
    if (atemi_mesh_load(shape->path, &mesh, NULL) == ATEMI_OK) {
        for (int i = 0; i < mesh.vertex_count && !status; ++i) {
            const float     *v = mesh.vertices + 3 * (ptrdiff_t)i;
            const atemi_vec3 scaled = {shape->size.x * (double)v[0], shape->size.y * (double)v[1],
                                       shape->size.z * (double)v[2]};
            status =
                add_point(shape->link, atemi_transform_apply(&shape->pose, scaled), points, error);
        }
    }
    atemi_mesh_destroy(&mesh);
    return status;
}

atemi_status mesh_points_add(const atemi_model *model, int link, mesh_points *points,
                             atemi_error *error)
{
    const int    body = atemi_body_of(model, link);
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_model_geometry_count(model) && !status; ++i) {
        const atemi_geometry *shape = atemi_model_geometry(model, i);
        if (shape->shape == ATEMI_SHAPE_MESH && shape->path &&
            atemi_body_of(model, shape->link) == body) {
            status = add_mesh(shape, points, error);
        }
    }
    return status;
}

void mesh_points_destroy(mesh_points *points)
{
    atemi_release(points->list);
    *points = (mesh_points){0};
}
