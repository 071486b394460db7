// SPDX-License-Identifier: Apache-2.0

#include "io/scenario_robot.h"

#include "atemi/allocator.h"
#include "atemi/robots.h"
#include "io/default_base.h"
#include "io/file.h"
#include "io/scenario_failure.h"
#include "io/scenario_pick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Choosing the base takes a look at the robot with a fixed one, so a robot may be loaded twice.

enum { MOST_MEBIBYTES = 64, MOST_SITES = 100, BASE_BY_ROBOT = ATEMI_BASE_FLOATING + 1 };

// Where a robot comes from: a shipped one by its name, or a file by its path.
typedef struct robot_origin {
    const char *name;
    char       *path; ///< NULL for a shipped one
} robot_origin;

static bool is_path(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".urdf") == 0);
}

// The path of a file that is named in another one.
static char *path_beside(atemi_scenario_reader *reader, const char *file, const char *name)
{
    const char  *slash = file && name[0] != '/' ? strrchr(file, '/') : NULL;
    const int    folder = slash ? (int)(slash - file) + 1 : 0;
    const size_t size = (size_t)folder + strlen(name) + 1;
    char        *path = (char *)atemi_scenario_allocate(reader, size, 1);
    if (path) {
        snprintf(path, size, "%.*s%s", folder, folder ? file : "", name);
    }
    return path;
}

static atemi_status load(const robot_origin *origin, const atemi_urdf_options *options,
                         atemi_model **model, atemi_error *error)
{
    return origin->path ? atemi_urdf_load(origin->path, options, model, error)
                        : atemi_robots_load(origin->name, options, model, error);
}

static atemi_status find_base(const robot_origin *origin, atemi_urdf_options *options,
                              atemi_error *error)
{
    atemi_model *model = NULL;
    options->model.base = ATEMI_BASE_FIXED;
    atemi_status status = load(origin, options, &model, error);
    if (!status) {
        status = atemi_default_base(model, &options->model.base, NULL, error);
    }
    atemi_model_destroy(model);
    return status;
}

static atemi_status read_description(const robot_origin *origin, atemi_scenario_robot *robot,
                                     atemi_error *error)
{
    if (origin->path) {
        return atemi_file_read(origin->path, (size_t)MOST_MEBIBYTES << 20, &robot->urdf,
                               &robot->urdf_size, error);
    }
    const char *text = atemi_robots_urdf(origin->name, &robot->urdf_size);
    robot->urdf = (char *)atemi_allocate(robot->urdf_size);
    if (!robot->urdf) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the description of a robot");
    }
    memcpy(robot->urdf, text, robot->urdf_size);
    return ATEMI_OK;
}

static void load_all(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                     const robot_origin *origin, int base, atemi_urdf_options *options,
                     atemi_scenario_robot *robot)
{
    atemi_error  error;
    atemi_status status = ATEMI_OK;
    if (base == BASE_BY_ROBOT) {
        status = find_base(origin, options, &error);
    } else {
        options->model.base = (atemi_base)base;
    }
    status = status ? status : load(origin, options, &robot->model, &error);
    status = status ? status : read_description(origin, robot, &error);
    if (status) {
        atemi_scenario_adopt(reader, mark, &error);
    }
}

static void load_named(atemi_scenario_reader *reader, atemi_scenario_mark mark, const char *file,
                       const char *name, int base, atemi_urdf_options *options,
                       atemi_scenario_robot *robot)
{
    const robot_origin origin = {name, is_path(name) ? path_beside(reader, file, name) : NULL};
    if (!atemi_scenario_failed(reader)) {
        load_all(reader, mark, &origin, base, options, robot);
    }
    atemi_release(origin.path);
}

void atemi_scenario_load_robot(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                               const char *file, const char *name, atemi_urdf_options *options,
                               atemi_scenario_robot *robot)
{
    load_named(reader, mark, file, name, (int)options->model.base, options, robot);
}

// How the robot is to be read; the result is its base.
static int read_options(atemi_scenario_reader *reader, atemi_urdf_options *options)
{
    static const char *const bases[] = {"fixed", "planar", "sagittal", "floating", "auto", NULL};
    static const char *const mimics[] = {"coupled", "independent", NULL};
    const int                base = atemi_scenario_choice(
        reader, "base",
        (atemi_choice_key){.words = bases,
                                          .fallback = BASE_BY_ROBOT,
                                          .help = "auto: floating where the root link has mass, otherwise fixed"});
    *options = atemi_urdf_options_default();
    options->model.gravity = atemi_scenario_vec3(
        reader, "gravity",
        (atemi_vec3_key){.unit = "m/s^2", .fallback = {0.0, 0.0, -9.81}, .help = "world axes"});
    options->model.mimic_as_coupled =
        atemi_scenario_choice(reader, "mimic",
                              (atemi_choice_key){.words = mimics,
                                                 .help = "joints that copy others follow them, or "
                                                         "have coordinates of their own"}) == 0;
    return base;
}

static atemi_site_description read_site(atemi_scenario_reader *reader)
{
    const atemi_string_key  required = {.required = true, .help = "of the site"};
    const atemi_string_key  carrier = {.required = true, .help = "that carries it"};
    const atemi_numbers_key size = {
        .each = {.unit = "m", .upper = INFINITY, .help = "along x and y; none for a point"},
        .most = 2};
    double                 sides[2] = {0.0, 0.0};
    atemi_site_description site = {.name = atemi_scenario_string(reader, "name", required),
                                   .link = atemi_scenario_string(reader, "link", carrier)};
    site.pose.position = atemi_scenario_vec3(
        reader, "point", (atemi_vec3_key){.unit = "m", .help = "its middle, in the link's frame"});
    const atemi_vec3 rpy = atemi_scenario_vec3(
        reader, "rpy",
        (atemi_vec3_key){.unit = "rad", .help = "turns about the link's axes x, y, z"});
    site.pose.rotation = atemi_mat3_from_rpy(rpy.x, rpy.y, rpy.z);
    if (atemi_scenario_numbers(reader, "size", size, sides) == 1) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "has one number; give the lengths along x and y");
    }
    site.size_x = sides[0];
    site.size_y = sides[1];
    return site;
}

// Feet and hands of a robot whose file has no sites.
static void read_sites(atemi_scenario_reader *reader, atemi_site_description *sites,
                       atemi_urdf_options *options)
{
    atemi_scenario_enter_list(reader, "sites", 0, MOST_SITES,
                              "places of links by name, besides those that the robot's file has");
    while (atemi_scenario_next(reader)) {
        const atemi_site_description site = read_site(reader);
        if (options->site_count < MOST_SITES) {
            sites[options->site_count++] = site;
        }
    }
    options->sites = sites;
}

void atemi_scenario_read_robot(atemi_scenario_reader *reader, const char *file,
                               atemi_scenario_robot *robot)
{
    atemi_urdf_options     options;
    atemi_site_description sites[MOST_SITES];
    *robot = (atemi_scenario_robot){0};
    const char *name = atemi_scenario_string(
        reader, "robot",
        (atemi_string_key){
            .required = true,
            .help = "a shipped robot, or the path of a URDF file (with '/' or '.urdf') from here"});
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    const int                 base = read_options(reader, &options);
    read_sites(reader, sites, &options);
    if (atemi_scenario_failed(reader) || atemi_scenario_is_blank(reader)) {
        return;
    }
    load_named(reader, mark, file, name, base, &options, robot);
}

void atemi_scenario_robot_destroy(atemi_scenario_robot *robot)
{
    atemi_model_destroy(robot->model);
    atemi_release(robot->urdf);
    *robot = (atemi_scenario_robot){0};
}
