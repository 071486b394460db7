// SPDX-License-Identifier: Apache-2.0

#include "io/walk_robot.h"

#include "atemi/allocator.h"
#include "atemi/robots.h"
#include "io/file.h"
#include "io/scenario_failure.h"
#include "io/scenario_pick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MEBIBYTES = 64 };

static const double steepest = 0.175; // rad, 10 degrees

static bool is_shipped(const char *name)
{
    size_t size;
    return atemi_robots_urdf(name, &size) || !(strchr(name, '/') || strstr(name, ".urdf"));
}

// The text of a shipped robot, or of a file beside the scenario.
static atemi_status read_urdf(const char *path, const char *name, atemi_scenario_robot *robot,
                              atemi_error *error)
{
    if (!is_shipped(name)) {
        return atemi_file_read(path, (size_t)MOST_MEBIBYTES << 20, &robot->urdf, &robot->urdf_size,
                               error);
    }
    const char *text = atemi_robots_urdf(name, &robot->urdf_size);
    robot->urdf = (char *)atemi_allocate(robot->urdf_size);
    if (!robot->urdf) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the description of a robot");
    }
    memcpy(robot->urdf, text, robot->urdf_size);
    return ATEMI_OK;
}

static void load(atemi_scenario_reader *reader, atemi_scenario_mark mark, const char *file,
                 const char *name, const atemi_urdf_options *options, atemi_scenario_robot *robot)
{
    const char  *slash = file && name[0] != '/' ? strrchr(file, '/') : NULL;
    const int    folder = slash ? (int)(slash - file) + 1 : 0;
    const size_t size = (size_t)folder + strlen(name) + 1;
    char        *path = (char *)atemi_scenario_allocate(reader, size, 1);
    atemi_error  error;
    if (!path) {
        return;
    }
    snprintf(path, size, "%.*s%s", folder, folder ? file : "", name);
    atemi_status status = is_shipped(name) ? atemi_robots_load(name, options, &robot->model, &error)
                                           : atemi_urdf_load(path, options, &robot->model, &error);
    status = status ? status : read_urdf(path, name, robot, &error);
    if (status) {
        atemi_scenario_adopt(reader, mark, &error);
    }
    atemi_release(path);
}

static atemi_vec3 read_gravity(atemi_scenario_reader *reader)
{
    const double gravity = atemi_scenario_number(
        reader, "gravity",
        (atemi_number_key){
            .unit = "m/s^2", .fallback = 9.81, .lower = 0.1, .upper = 100.0, .help = "how strong"});
    const double slope = atemi_scenario_number(
        reader, "slope",
        (atemi_number_key){.unit = "rad",
                           .lower = -steepest,
                           .upper = steepest,
                           .help = "of the floor, up where positive; x runs along it"});
    return (atemi_vec3){-gravity * sin(slope), 0.0, -gravity * cos(slope)};
}

void atemi_walk_read_robot(atemi_scenario_reader *reader, const char *file,
                           atemi_scenario_robot *robot, atemi_scenario_mark *mark)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    *robot = (atemi_scenario_robot){0};
    const char *name = atemi_scenario_string(
        reader, "robot",
        (atemi_string_key){
            .fallback = "humanoid17",
            .help = "a shipped robot, or the path of a URDF file (with '/' or '.urdf') from here"});
    *mark = atemi_scenario_last(reader);
    options.model.base = ATEMI_BASE_SAGITTAL;
    options.model.gravity = read_gravity(reader);
    if (!atemi_scenario_failed(reader) && !atemi_scenario_is_blank(reader)) {
        load(reader, *mark, file, name, &options, robot);
    }
}
