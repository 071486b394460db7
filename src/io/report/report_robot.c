// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_robot.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_parts.h"

#include <stdio.h>
#include <string.h>

// Beyond MOST_PARTS, nothing would be visible. After MOST_LEFT_OUT meshes that do not fit no more
// are read: each may take seconds.
enum { MOST_PARTS = 10000, MOST_LEFT_OUT = 8 };

static atemi_status no_memory(atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the robot of a report");
}

atemi_status atemi_report_add_part(atemi_report_robot *robot, const atemi_report_part *part,
                                   atemi_error *error)
{
    atemi_report_part *parts = (atemi_report_part *)atemi_grown(
        robot->parts, sizeof *parts, robot->part_count, &robot->part_capacity);
    if (!parts) {
        return no_memory(error);
    }
    robot->parts = parts;
    parts[robot->part_count++] = *part;
    return ATEMI_OK;
}

// ---- Meshes

static int find_mesh(const atemi_report_robot *robot, const atemi_file_identity *file)
{
    int index = 0;
    while (index < robot->mesh_count && (robot->meshes[index].file.device != file->device ||
                                         robot->meshes[index].file.number != file->number)) {
        ++index;
    }
    return index;
}

// Keeps a mesh if the page has a place for it.
static void fit_mesh(atemi_report_robot *robot, atemi_mesh *mesh)
{
    const size_t bytes =
        12 * ((size_t)mesh->vertex_count + (size_t)mesh->triangle_count); // as report_data.c
    if (bytes <= ATEMI_REPORT_MESH_BYTES - robot->mesh_bytes) {
        robot->mesh_bytes += bytes;
        return;
    }
    atemi_mesh_destroy(mesh);
    ++robot->left_out;
}

static void warn_of_left_out(const atemi_report_robot *robot)
{
    if (robot->left_out > 0) {
        atemi_log(ATEMI_LOG_WARNING,
                  "%d of %d meshes are left out, as all would take more than %d MiB of the page; "
                  "simpler shapes are drawn instead; make the meshes coarser",
                  robot->left_out, robot->mesh_count, ATEMI_REPORT_MESH_BYTES / 3 * 4 >> 20);
    }
}

// The first, and how many more there are: a robot may have hundreds.
static void warn_of_missing(const atemi_report_robot *robot)
{
    char others[32] = "";
    int  first = 0;
    if (robot->missing == 0) {
        return;
    }
    while (atemi_model_geometry(robot->model, first)->shape != ATEMI_SHAPE_MESH ||
           atemi_model_geometry(robot->model, first)->path) {
        ++first;
    }
    if (robot->missing > 1) {
        snprintf(others, sizeof others, " (and %d more like it)", robot->missing - 1);
    }
    atemi_log(ATEMI_LOG_WARNING,
              "the mesh '%s' is not found, and a simpler shape is drawn instead%s; name the "
              "folders of its package in ROS_PACKAGE_PATH",
              atemi_model_geometry(robot->model, first)->uri, others);
}

// A mesh that cannot be read stays empty: the robot is drawn without it.
static atemi_status load_mesh(const char *path, atemi_mesh *mesh, atemi_error *error)
{
    atemi_error        fault;
    const atemi_status status = atemi_mesh_load(path, mesh, &fault);
    if (status == ATEMI_ERROR_MEMORY) {
        *error = fault;
        return status;
    }
    if (status) {
        char text[ATEMI_ERROR_FILE_SIZE + ATEMI_ERROR_MESSAGE_SIZE];
        atemi_error_format(&fault, text, (int)sizeof text);
        atemi_log(ATEMI_LOG_WARNING, "%s; a simpler shape is drawn instead", text);
    }
    return ATEMI_OK;
}

// A file that has gone since the robot was loaded has no identity; reading it says so.
static atemi_status enter_mesh(atemi_report_robot *robot, const char *path, int *index,
                               atemi_error *error)
{
    atemi_file_identity file = {0, 0};
    *index = atemi_file_identify(path, &file) ? find_mesh(robot, &file) : robot->mesh_count;
    if (*index < robot->mesh_count) {
        return ATEMI_OK;
    }
    atemi_report_mesh *meshes = (atemi_report_mesh *)atemi_grown(
        robot->meshes, sizeof *meshes, robot->mesh_count, &robot->mesh_capacity);
    if (!meshes) {
        return no_memory(error);
    }
    robot->meshes = meshes;
    atemi_report_mesh *entered = &meshes[robot->mesh_count++];
    *entered = (atemi_report_mesh){.file = file};
    if (robot->left_out >= MOST_LEFT_OUT) {
        ++robot->left_out;
        return ATEMI_OK;
    }
    const atemi_status status = load_mesh(path, &entered->mesh, error);
    fit_mesh(robot, &entered->mesh);
    return status;
}

// ---- Parts

// A shape of the model. Meshes that are not found or cannot be read are left out.
static atemi_status add_shape(atemi_report_robot *robot, const atemi_geometry *geometry,
                              atemi_error *error)
{
    atemi_report_part part = {.link = geometry->link,
                              .shape = geometry->shape,
                              .pose = geometry->pose,
                              .size = geometry->size,
                              .mesh = ATEMI_NONE};
    memcpy(part.color, geometry->color, sizeof part.color);
    if (geometry->shape == ATEMI_SHAPE_MESH) {
        if (!geometry->path) {
            ++robot->missing;
            return ATEMI_OK;
        }
        const atemi_status status = enter_mesh(robot, geometry->path, &part.mesh, error);
        if (status || robot->meshes[part.mesh].mesh.triangle_count == 0) {
            return status;
        }
    }
    return atemi_report_add_part(robot, &part, error);
}

static atemi_status add_shapes(atemi_report_robot *robot, int link, bool collision,
                               atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_model_geometry_count(robot->model) && !status; ++i) {
        const atemi_geometry *geometry = atemi_model_geometry(robot->model, i);
        if (geometry->link == link && geometry->collision == collision) {
            status = add_shape(robot, geometry, error);
        }
    }
    return status;
}

static atemi_status add_link(atemi_report_robot *robot, int link, atemi_error *error)
{
    const int    before = robot->part_count;
    atemi_status status = add_shapes(robot, link, false, error);
    if (!status && robot->part_count == before) {
        status = add_shapes(robot, link, true, error);
    }
    if (!status && robot->part_count == before) {
        status = atemi_report_derive_parts(robot, link, error);
    }
    return status;
}

static bool is_too_large(const atemi_model *model)
{
    return atemi_model_link_count(model) > MOST_PARTS ||
           atemi_model_geometry_count(model) > MOST_PARTS;
}

atemi_status atemi_report_robot_load(const atemi_recording *recording, atemi_report_robot *robot,
                                     atemi_error *error)
{
    *robot = (atemi_report_robot){0};
    if (!recording->has_robot || !recording->urdf.bytes) {
        return ATEMI_OK;
    }
    atemi_status status = atemi_recording_robot_load(recording, NULL, &robot->model, error);
    if (!status && is_too_large(robot->model)) {
        atemi_log(ATEMI_LOG_WARNING,
                  "the robot has more than %d links or shapes, so it is not drawn", MOST_PARTS);
        atemi_report_robot_destroy(robot);
        return ATEMI_OK;
    }
    for (int i = 0; !status && i < atemi_model_link_count(robot->model); ++i) {
        status = add_link(robot, i, error);
    }
    warn_of_missing(robot);
    warn_of_left_out(robot);
    return status;
}

void atemi_report_robot_destroy(atemi_report_robot *robot)
{
    for (int i = 0; i < robot->mesh_count; ++i) {
        atemi_mesh_destroy(&robot->meshes[i].mesh);
    }
    atemi_release(robot->meshes);
    atemi_release(robot->parts);
    atemi_model_destroy(robot->model);
    *robot = (atemi_report_robot){0};
}

// ---- Columns

static const char *const of_space[] = {
    "x", "y", "z", "quaternion_x", "quaternion_y", "quaternion_z", "quaternion_w"};
static const char *const of_plane[] = {"x", "y", "turn"};
static const char *const of_sagittal_plane[] = {"x", "z", "turn"};

static int find_columns(const atemi_recording *recording, const char *owner, int count,
                        const char *const *coordinates, int columns[7])
{
    char name[512];
    for (int i = 0; i < count; ++i) {
        snprintf(name, sizeof name, "q.%s.%s", owner, coordinates[i]);
        columns[i] = atemi_recording_find_channel(recording, name);
        if (columns[i] == ATEMI_NONE) {
            return 0;
        }
    }
    return count;
}

int atemi_report_base_columns(const atemi_recording *recording, atemi_base base, int columns[7])
{
    switch (base) {
    case ATEMI_BASE_FIXED:
        return 0;
    case ATEMI_BASE_PLANAR:
        return find_columns(recording, "base", 3, of_plane, columns);
    case ATEMI_BASE_SAGITTAL:
        return find_columns(recording, "base", 3, of_sagittal_plane, columns);
    case ATEMI_BASE_FLOATING:
        return find_columns(recording, "base", 7, of_space, columns);
    }
    return 0;
}

int atemi_report_joint_columns(const atemi_recording *recording, const atemi_joint *joint,
                               int columns[7])
{
    char name[512];
    switch (joint->q_count) {
    case 0:
        return 0;
    case 1:
        snprintf(name, sizeof name, "q.%s", joint->name);
        columns[0] = atemi_recording_find_channel(recording, name);
        return columns[0] == ATEMI_NONE ? 0 : 1;
    case 3:
        return find_columns(recording, joint->name, 3, of_plane, columns);
    default:
        return find_columns(recording, joint->name, 7, of_space, columns);
    }
}
