// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_robot.h"

#include "atemi/base.h"
#include "check.h"
#include "folder.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A robot of one link, with the mesh files that a test names.

static char warnings[4096];

static void keep_warning(void *context, atemi_log_level level, const char *message)
{
    (void)context;
    if (level == ATEMI_LOG_WARNING) {
        strncat(warnings, message, sizeof warnings - strlen(warnings) - 1);
    }
}

static atemi_recording *record(const char *shapes)
{
    const size_t        capacity = strlen(shapes) + 1000;
    char               *urdf = (char *)malloc(capacity);
    const atemi_channel time = {"t", "s", NULL};
    atemi_error         error = {0};
    atemi_recording    *recording;
    atemi_model        *model;
    CHECK(urdf);
    snprintf(
        urdf, capacity,
        "<robot name='r'><link name='l'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>%s</link></robot>",
        shapes);
    CHECK_STATUS(atemi_recording_create(1, &time, &recording, &error), ATEMI_OK);
    CHECK_STATUS(atemi_urdf_parse(urdf, strlen(urdf), NULL, NULL, &model, &error), ATEMI_OK);
    const atemi_recorded_job job = {.robot = model, .urdf = urdf, .urdf_size = strlen(urdf)};
    CHECK_STATUS(atemi_recording_describe(recording, &job, &error), ATEMI_OK);
    atemi_model_destroy(model);
    free(urdf);
    return recording;
}

static atemi_report_robot load(const char *shapes)
{
    atemi_recording   *recording = record(shapes);
    atemi_report_robot robot;
    atemi_error        error = {0};
    warnings[0] = '\0';
    atemi_set_log_hook(keep_warning, NULL);
    CHECK_STATUS(atemi_report_robot_load(recording, &robot, &error), ATEMI_OK);
    atemi_set_log_hook(NULL, NULL);
    atemi_recording_destroy(recording);
    return robot;
}

static void add_shape(char *shapes, size_t capacity, const char *place, const char *file)
{
    const size_t used = strlen(shapes);
    snprintf(shapes + used, capacity - used,
             "<visual><geometry><mesh filename='%s/%s'/></geometry></visual>", place, file);
}

// `count` triangles that share no corner, as a binary STL: 48 bytes each in a page.
static void put_stl(const char *path, uint32_t count)
{
    static char header[80];
    FILE       *file = fopen(path, "wb");
    CHECK(file && fwrite(header, 1, sizeof header, file) == sizeof header);
    CHECK(fwrite(&count, 4, 1, file) == 1);
    for (uint32_t i = 0; i < count; ++i) {
        const float x = (float)i;
        const float numbers[12] = {0, 0, 1, x, 0, 0, x, 1, 0, x, 0, 1};
        CHECK(fwrite(numbers, 4, 12, file) == 12 && fwrite(header, 1, 2, file) == 2);
    }
    CHECK(fclose(file) == 0);
}

TEST(report_robot, has_a_mesh_once_however_its_path_is_spelled)
{
    enum { SPELLINGS = 200, ROOM = 200 * 400 };
    folder home = folder_create();
    char  *shapes = (char *)calloc(1, ROOM);
    char   name[300] = "";
    folder_put(folder_path(home.path, "a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (int i = 0; i < SPELLINGS; ++i) {
        snprintf(
            name, sizeof name, "%.*sa.obj", i,
            "././././././././././././././././././././././././././././././././././././././././././"
            "././././././././././././././././././././././././././././././././././././././././././"
            "././././././././././././././././././");
        if (i % 2 == 0) {
            add_shape(shapes, ROOM, home.path, name);
        }
    }
    atemi_report_robot robot = load(shapes);
    CHECK_EQUAL_INT(robot.part_count, SPELLINGS / 2);
    CHECK_EQUAL_INT(robot.mesh_count, 1);
    CHECK_EQUAL_STRING(warnings, "");
    atemi_report_robot_destroy(&robot);
    free(shapes);
    folder_remove(home.path);
}

// 48 MiB are 1,048,576 triangles of 48 bytes: one more does not fit, and what comes behind it does.
TEST(report_robot, leaves_out_what_makes_a_page_too_large_and_says_so)
{
    folder home = folder_create();
    char   shapes[2000] = "";
    put_stl(folder_path(home.path, "whole.stl"), 1U << 20);
    put_stl(folder_path(home.path, "more.stl"), (1U << 20) + 1);
    put_stl(folder_path(home.path, "small.stl"), 10);
    add_shape(shapes, sizeof shapes, home.path, "whole.stl");
    atemi_report_robot robot = load(shapes);
    CHECK_EQUAL_INT(robot.part_count, 1);
    CHECK_EQUAL_INT(robot.meshes[0].mesh.triangle_count, 1 << 20);
    CHECK_EQUAL_STRING(warnings, "");
    atemi_report_robot_destroy(&robot);

    shapes[0] = '\0';
    add_shape(shapes, sizeof shapes, home.path, "more.stl");
    add_shape(shapes, sizeof shapes, home.path, "small.stl");
    robot = load(shapes);
    CHECK_EQUAL_INT(robot.part_count, 1);
    CHECK_EQUAL_INT(robot.meshes[robot.parts[0].mesh].mesh.triangle_count, 10);
    CHECK_CONTAINS(warnings, "1 of 2 meshes are left out");
    CHECK_CONTAINS(warnings, "64 MiB");
    atemi_report_robot_destroy(&robot);
    folder_remove(home.path);
}
