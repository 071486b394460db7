// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure_robot.h"

#include "atemi/model.h"
#include "atemi/support.h"

#include <math.h>
#include <stdlib.h>

// The observer stands at the robot's right, at y = -infinity, and sees x to the right and z up. A
// part is seen as the convex hull of some points of its surface.

enum { AROUND = 24, LEAST_POINTS = 2 * AROUND };

static const double step_around = 6.283185307179586 / (double)AROUND; // rad

// ---- Points of a part, in its own frame

static int box_points(atemi_vec3 size, atemi_vec3 *points)
{
    for (int i = 0; i < 8; ++i) {
        points[i] =
            (atemi_vec3){i & 1 ? 0.5 * size.x : -0.5 * size.x, i & 2 ? 0.5 * size.y : -0.5 * size.y,
                         i & 4 ? 0.5 * size.z : -0.5 * size.z};
    }
    return 8;
}

static int cylinder_points(atemi_vec3 size, atemi_vec3 *points)
{
    for (int i = 0; i < AROUND; ++i) {
        const double x = size.x * cos(step_around * i), y = size.x * sin(step_around * i);
        points[2 * i] = (atemi_vec3){x, y, -0.5 * size.y};
        points[2 * i + 1] = (atemi_vec3){x, y, 0.5 * size.y};
    }
    return 2 * AROUND;
}

static int mesh_points(const atemi_mesh *mesh, atemi_vec3 scale, atemi_vec3 *points)
{
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const float *vertex = mesh->vertices + 3 * (ptrdiff_t)i;
        points[i] = (atemi_vec3){scale.x * (double)vertex[0], scale.y * (double)vertex[1],
                                 scale.z * (double)vertex[2]};
    }
    return mesh->vertex_count;
}

// ---- In the world

// The rim of a ball, as the observer sees it.
static int ball_points(atemi_vec3 center, double radius, atemi_vec3 *points)
{
    for (int i = 0; i < AROUND; ++i) {
        const atemi_vec3 rim = {radius * cos(step_around * i), 0.0, radius * sin(step_around * i)};
        points[i] = atemi_vec3_add(center, rim);
    }
    return AROUND;
}

static int round_points(const atemi_report_part *part, const atemi_transform *pose,
                        atemi_vec3 *points)
{
    const double     half = part->shape == ATEMI_SHAPE_CAPSULE ? 0.5 * part->size.y : 0.0;
    const atemi_vec3 ends[] = {{0.0, 0.0, -half}, {0.0, 0.0, half}};
    int              count = 0;
    for (int i = 0; i < 2; ++i) {
        count += ball_points(atemi_transform_apply(pose, ends[i]), part->size.x, points + count);
    }
    return count;
}

static int flat_points(const atemi_figure_robot *figure, const atemi_report_part *part,
                       const atemi_transform *pose)
{
    atemi_vec3 *points = figure->points;
    const int   count =
        part->shape == ATEMI_SHAPE_BOX ? box_points(part->size, points)
          : part->shape == ATEMI_SHAPE_CYLINDER
              ? cylinder_points(part->size, points)
              : mesh_points(&figure->robot->meshes[part->mesh].mesh, part->size, points);
    for (int i = 0; i < count; ++i) {
        points[i] = atemi_transform_apply(pose, points[i]);
    }
    return count;
}

static atemi_transform pose_of(const atemi_figure_robot *figure, const atemi_report_part *part)
{
    const atemi_transform link =
        atemi_link_pose_in(figure->robot->model, &figure->kinematics, part->link);
    return atemi_transform_compose(&link, &part->pose);
}

static bool are_finite(const atemi_vec3 *points, int count)
{
    bool finite = true;
    for (int i = 0; i < count && finite; ++i) {
        finite = isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z);
    }
    return finite;
}

const atemi_report_part *atemi_figure_robot_part(const atemi_figure_robot *figure, int index)
{
    return &figure->robot->parts[figure->order[index].part];
}

int atemi_figure_robot_outline(atemi_figure_robot *figure, int index, const atemi_vec3 **outline)
{
    const atemi_support_plane view = {{0.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
    const atemi_report_part  *part = atemi_figure_robot_part(figure, index);
    const atemi_transform     pose = pose_of(figure, part);
    const bool is_round = part->shape == ATEMI_SHAPE_SPHERE || part->shape == ATEMI_SHAPE_CAPSULE;
    const int  count =
        is_round ? round_points(part, &pose, figure->points) : flat_points(figure, part, &pose);
    *outline = figure->points;
    return are_finite(figure->points, count)
               ? atemi_support_polygon(&view, figure->points, count, figure->points).count
               : 0;
}

// ---- Posture

static void put(const atemi_figure_robot *figure, int row, int count, const int *columns, double *q)
{
    for (int i = 0; i < count; ++i) {
        const double value = atemi_recording_values(figure->recording, columns[i])[row];
        q[i] = isfinite(value) ? value : q[i];
    }
}

static void fill_q(const atemi_figure_robot *figure, int row)
{
    const atemi_model *model = figure->robot->model;
    int                columns[7];
    atemi_configuration_neutral(model, figure->q);
    put(figure, row, atemi_report_base_columns(figure->recording, atemi_model_base(model), columns),
        columns, figure->q);
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        const int          count = atemi_report_joint_columns(figure->recording, joint, columns);
        if (count > 0) {
            put(figure, row, count, columns, figure->q + joint->first_q);
        }
    }
    atemi_configuration_normalize(model, figure->q);
}

static int compare_depths(const void *first, const void *second)
{
    const atemi_figure_depth *a = (const atemi_figure_depth *)first;
    const atemi_figure_depth *b = (const atemi_figure_depth *)second;
    if (a->depth != b->depth) {
        return a->depth > b->depth ? -1 : 1;
    }
    return a->part - b->part;
}

static void sort_by_depth(const atemi_figure_robot *figure)
{
    for (int i = 0; i < figure->robot->part_count; ++i) {
        const double y = pose_of(figure, &figure->robot->parts[i]).position.y;
        figure->order[i] = (atemi_figure_depth){isfinite(y) ? y : 0.0, i};
    }
    qsort(figure->order, (size_t)figure->robot->part_count, sizeof *figure->order, compare_depths);
}

void atemi_figure_robot_pose(atemi_figure_robot *figure, int row)
{
    fill_q(figure, row);
    atemi_kinematics_update(figure->robot->model, figure->q, NULL, NULL, &figure->kinematics);
    sort_by_depth(figure);
}

// ---- Memory

static int most_points(const atemi_report_robot *robot)
{
    int most = LEAST_POINTS;
    for (int i = 0; i < robot->mesh_count; ++i) {
        const int count = robot->meshes[i].mesh.vertex_count;
        most = count > most ? count : most;
    }
    return most;
}

static void take(atemi_arena *arena, atemi_figure_robot *figure)
{
    const atemi_model *model = figure->robot->model;
    figure->kinematics = atemi_kinematics_take(arena, model);
    figure->q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    figure->points = atemi_arena_array(arena, atemi_vec3, most_points(figure->robot));
    figure->order = atemi_arena_array(arena, atemi_figure_depth, figure->robot->part_count);
}

atemi_status atemi_figure_robot_create(const atemi_recording    *recording,
                                       const atemi_report_robot *robot, atemi_figure_robot *figure,
                                       atemi_error *error)
{
    *figure = (atemi_figure_robot){.recording = recording, .robot = robot};
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, figure);
    const atemi_status status = atemi_arena_create(&figure->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&figure->arena, figure);
    return ATEMI_OK;
}

void atemi_figure_robot_destroy(atemi_figure_robot *figure)
{
    atemi_arena_destroy(&figure->arena);
}
