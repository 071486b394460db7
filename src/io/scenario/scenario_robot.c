// SPDX-License-Identifier: Apache-2.0

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // realpath
#endif

#include "io/scenario/scenario_robot.h"

#include "atemi/base.h"
#include "atemi/robots.h"
#include "io/bytes/file.h"
#include "io/robot/default_base.h"
#include "io/robot/mjcf_tree.h"
#include "io/robot/urdf_file.h"
#include "io/robot/urdf_writer.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"
#include "io/syntax/xml_reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Choosing the base and checking the links of sites take a look at the robot with a fixed base and
// no more sites than its file has, so a robot may be loaded twice.

// The reader refuses more sites.
enum { MAX_SITES = 100, BASE_BY_ROBOT = ATEMI_BASE_FLOATING + 1 };

// Where a robot comes from: a shipped one by its name, a file by its path, or a text.
typedef struct robot_origin {
    const char *name;
    char       *path; ///< NULL for a shipped one
    const char *text; ///< NULL where there is none; else it counts
    size_t      size; ///< of the text
} robot_origin;

// What a scenario says of its robot, and where.
typedef struct robot_keys {
    const char            *name;
    const char            *srdf; ///< as the scenario names it, or NULL
    atemi_scenario_mark    mark;
    int                    base; ///< or BASE_BY_ROBOT
    atemi_urdf_options     options;
    atemi_site_description sites[MAX_SITES];
    atemi_scenario_mark    site_names[MAX_SITES], site_links[MAX_SITES];
} robot_keys;

static bool has_ending(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_path(const char *name)
{
    return strchr(name, '/') || has_ending(name, ".urdf") || has_ending(name, ".xml");
}

// Standard input and pipes have no folder.
static bool is_stream(const char *file)
{
    return strcmp(file, "/dev/stdin") == 0 || strncmp(file, "/dev/fd/", strlen("/dev/fd/")) == 0;
}

// The path of a file that is named in another one: from the folder of that, or from the current
// one.
static char *path_beside(atemi_scenario_reader *reader, const char *file, const char *name)
{
    const bool   is_beside = file && name[0] != '/' && !is_stream(file);
    const char  *slash = is_beside ? strrchr(file, '/') : NULL;
    const int    folder = slash ? (int)(slash - file) + 1 : 0;
    const size_t size = (size_t)folder + strlen(name) + 1;
    char        *path = (char *)atemi_scenario_allocate(reader, size, 1);
    if (path) {
        snprintf(path, size, "%.*s%s", folder, folder ? file : "", name);
    }
    return path;
}

// `description` has been read already where it comes from a file.
static atemi_status load(const robot_origin *origin, const atemi_scenario_robot *description,
                         const atemi_urdf_options *options, atemi_model **model, atemi_error *error)
{
    return origin->text ? atemi_urdf_parse(origin->text, origin->size, NULL, options, model, error)
           : origin->path
               ? atemi_urdf_parse_of_file(description->urdf, description->urdf_size, origin->path,
                                          origin->path, options, model, error)
               : atemi_robots_load(origin->name, options, model, error);
}

static atemi_status copy_description(const char *text, size_t size, atemi_scenario_robot *robot,
                                     atemi_error *error)
{
    robot->urdf = (char *)atemi_allocate(size);
    if (!robot->urdf) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the description of a robot");
    }
    memcpy(robot->urdf, text, size);
    robot->urdf_size = size;
    return ATEMI_OK;
}

static atemi_status read_description(const robot_origin *origin, atemi_scenario_robot *robot,
                                     atemi_error *error)
{
    size_t size = origin->size;
    if (!origin->text && origin->path) {
        return atemi_file_read(origin->path, (size_t)ATEMI_XML_MAX_MEBIBYTES << 20, &robot->urdf,
                               &robot->urdf_size, error);
    }
    const char *text = origin->text ? origin->text : atemi_robots_urdf(origin->name, &size);
    return text ? copy_description(text, size, robot, error) : ATEMI_OK; // load() finds the fault
}

// MJCF, and URDF with an SRDF, is kept as the URDF of the same robot: jobs add to it, and a
// recording has no other files.
static atemi_status convert(const robot_origin *origin, const atemi_urdf_options *options,
                            atemi_scenario_robot *robot, atemi_error *error)
{
    atemi_model       *model = NULL;
    atemi_text         text = {0};
    atemi_urdf_options plain = *options;
    plain.model.base = ATEMI_BASE_FIXED;
    plain.site_count = 0;
    const atemi_status status = load(origin, robot, &plain, &model, error);
    if (status) {
        return status;
    }
    atemi_urdf_write(model, &text);
    atemi_model_destroy(model);
    if (text.failed) {
        atemi_text_destroy(&text);
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the description of a robot");
    }
    atemi_release(robot->urdf);
    robot->urdf = text.bytes;
    robot->urdf_size = text.size;
    return ATEMI_OK;
}

static atemi_status convert_all(const robot_origin *origin, const atemi_urdf_options *options,
                                atemi_scenario_robot *robot, atemi_error *error)
{
    bool         is_mjcf = false;
    atemi_status status = ATEMI_OK;
    if (origin->path) {
        status = atemi_mjcf_recognize(robot->urdf, robot->urdf_size, &is_mjcf, error);
    }
    return status || !(is_mjcf || options->srdf) ? status : convert(origin, options, robot, error);
}

// Whether the robot, or a site before this one, has the name.
static bool is_name_taken(const robot_keys *keys, int index, const atemi_model *model)
{
    const char *name = keys->sites[index].name;
    bool        found = atemi_model_find_site(model, name) != ATEMI_NONE;
    for (int i = 0; i < index; ++i) {
        found = found || strcmp(keys->sites[i].name, name) == 0;
    }
    return found;
}

static void check_sites(atemi_scenario_reader *reader, const robot_keys *keys,
                        const atemi_model *model)
{
    for (int i = 0; i < keys->options.site_count; ++i) {
        if (is_name_taken(keys, i, model)) {
            atemi_scenario_fail(reader, keys->site_names[i],
                                "there is a site '%s' already; give another name",
                                keys->sites[i].name);
        }
        atemi_scenario_pick_at(reader, keys->site_links[i], atemi_scenario_links(model),
                               keys->sites[i].link);
    }
}

static atemi_status look(atemi_scenario_reader *reader, const robot_keys *keys,
                         const robot_origin *origin, const atemi_scenario_robot *description,
                         atemi_base *base, atemi_error *error)
{
    atemi_model       *model = NULL;
    atemi_urdf_options options = keys->options;
    options.model.base = ATEMI_BASE_FIXED;
    options.site_count = 0;
    options.srdf = NULL; // bases and links do not hang on it
    atemi_status status = load(origin, description, &options, &model, error);
    if (!status) {
        check_sites(reader, keys, model);
        status =
            keys->base == BASE_BY_ROBOT ? atemi_default_base(model, base, NULL, error) : ATEMI_OK;
    }
    atemi_model_destroy(model);
    return status;
}

static void load_all(atemi_scenario_reader *reader, const robot_keys *keys,
                     const robot_origin *origin, atemi_scenario_robot *robot)
{
    atemi_error        error;
    atemi_status       status = read_description(origin, robot, &error);
    atemi_urdf_options options = keys->options;
    options.model.base = (atemi_base)keys->base;
    if (!status) {
        status = convert_all(origin, &options, robot, &error);
    }
    if (origin->path) {
        options.srdf = NULL; // the description has it now
    }
    if (!status && (keys->base == BASE_BY_ROBOT || options.site_count > 0)) {
        status = look(reader, keys, origin, robot, &options.model.base, &error);
    }
    if (!status && !atemi_scenario_failed(reader)) {
        status = load(origin, robot, &options, &robot->model, &error);
    }
    if (status) {
        atemi_scenario_adopt(reader, keys->mark, &error);
    }
}

// Meshes are looked for beside it, also when a report is made of the recording.
static void keep_file(atemi_scenario_reader *reader, const robot_origin *origin,
                      atemi_scenario_robot *robot)
{
    char path[PATH_MAX]; // realpath() writes no more
    if (origin->path && realpath(origin->path, path)) {
        robot->file = (char *)atemi_scenario_allocate(reader, strlen(path) + 1, 1);
        if (robot->file) {
            memcpy(robot->file, path, strlen(path) + 1);
        }
    }
}

// Nothing but a place without mass, for scenes of bodies alone.
static void make_none(atemi_scenario_reader *reader, const robot_keys *keys,
                      atemi_scenario_robot *robot)
{
    atemi_model_builder         *builder = NULL;
    atemi_error                  error = {0};
    atemi_text                   text = {0};
    atemi_model_options          options = keys->options.model;
    const atemi_link_description ground = {.name = "ground"};
    options.base = ATEMI_BASE_FIXED;
    atemi_status status = atemi_model_builder_create("none", NULL, &builder, &error);
    if (!status) {
        status = atemi_model_builder_add_link(builder, &ground, &error);
    }
    if (!status) {
        status = atemi_model_builder_finish(builder, &options, &robot->model, &error);
    }
    atemi_model_builder_destroy(builder);
    if (status) {
        atemi_scenario_adopt(reader, keys->mark, &error);
        return;
    }
    atemi_urdf_write(robot->model, &text);
    robot->urdf = text.bytes;
    robot->urdf_size = text.size;
}

static void load_named(atemi_scenario_reader *reader, const char *file, robot_keys *keys,
                       atemi_scenario_robot *robot)
{
    if (strcmp(keys->name, "none") == 0) {
        make_none(reader, keys, robot);
        return;
    }
    const robot_origin origin = {.name = keys->name,
                                 .path = is_path(keys->name) ? path_beside(reader, file, keys->name)
                                                             : NULL};
    char              *srdf = keys->srdf ? path_beside(reader, file, keys->srdf) : NULL;
    keys->options.srdf = srdf;
    if (!atemi_scenario_failed(reader)) {
        load_all(reader, keys, &origin, robot);
        keep_file(reader, &origin, robot);
    }
    atemi_release(origin.path);
    atemi_release(srdf);
}

void atemi_scenario_load_robot(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                               const char *file, const char *name,
                               const atemi_urdf_options *options, atemi_scenario_robot *robot)
{
    robot_keys keys = {
        .name = name, .mark = mark, .base = (int)options->model.base, .options = *options};
    load_named(reader, file, &keys, robot);
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

static atemi_site_description read_site(atemi_scenario_reader *reader, atemi_scenario_mark *name,
                                        atemi_scenario_mark *link)
{
    const atemi_string_key  required = {.required = true, .help = "of the site"};
    const atemi_string_key  carrier = {.required = true, .help = "that carries it"};
    const atemi_numbers_key size = {
        .each = {.unit = "m", .upper = INFINITY, .help = "along x and y; none for a point"},
        .most = 2};
    double                 sides[2] = {0.0, 0.0};
    atemi_site_description site = {.name = atemi_scenario_string(reader, "name", required)};
    *name = atemi_scenario_last(reader);
    site.link = atemi_scenario_string(reader, "link", carrier);
    *link = atemi_scenario_last(reader);
    site.pose.position = atemi_scenario_vec3(
        reader, "point", (atemi_vec3_key){.unit = "m", .help = "its middle, in the link's frame"});
    const atemi_vec3 rpy = atemi_scenario_vec3(
        reader, "rpy",
        (atemi_vec3_key){.unit = "rad", .help = "rotations about the link's axes x, y, z"});
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
static void read_sites(atemi_scenario_reader *reader, robot_keys *keys)
{
    int count = 0;
    atemi_scenario_enter_list(reader, "sites", 0, MAX_SITES,
                              "places of links by name, besides those that the robot's file has");
    while (atemi_scenario_next(reader)) {
        atemi_scenario_mark          name, link;
        const atemi_site_description site = read_site(reader, &name, &link);
        if (count < MAX_SITES) {
            keys->sites[count] = site;
            keys->site_names[count] = name;
            keys->site_links[count++] = link;
        }
    }
    keys->options.sites = keys->sites;
    keys->options.site_count = count;
}

// False where there is no robot to load.
static bool read_keys(atemi_scenario_reader *reader, robot_keys *keys)
{
    keys->name = atemi_scenario_string(
        reader, "robot",
        (atemi_string_key){.required = true,
                           .help = "a shipped robot, or the path of a URDF or MJCF file (with '/', "
                                   "'.urdf' or '.xml') from here; none: nothing "
                                   "but the bodies"});
    keys->mark = atemi_scenario_last(reader);
    keys->base = read_options(reader, &keys->options);
    keys->srdf = atemi_scenario_string(
        reader, "srdf",
        (atemi_string_key){.help =
                               "path of the robot's SRDF file from here: postures, and pairs of "
                               "links that do not touch"});
    read_sites(reader, keys);
    return !atemi_scenario_failed(reader) && !atemi_scenario_is_blank(reader);
}

static void read_robot(atemi_scenario_reader *reader, const char *file, bool open_loops,
                       atemi_scenario_robot *robot)
{
    robot_keys keys;
    *robot = (atemi_scenario_robot){0};
    if (read_keys(reader, &keys)) {
        keys.options.model.open_loops = open_loops;
        load_named(reader, file, &keys, robot);
    }
}

void atemi_scenario_read_robot(atemi_scenario_reader *reader, const char *file,
                               atemi_scenario_robot *robot)
{
    read_robot(reader, file, true, robot);
}

void atemi_scenario_read_looped_robot(atemi_scenario_reader *reader, const char *file,
                                      atemi_scenario_robot *robot)
{
    read_robot(reader, file, false, robot);
}

void atemi_scenario_read_recorded_robot(atemi_scenario_reader *reader, const char *urdf,
                                        size_t size, atemi_scenario_robot *robot)
{
    robot_keys keys;
    *robot = (atemi_scenario_robot){0};
    if (read_keys(reader, &keys)) {
        const robot_origin origin = {.name = keys.name, .text = urdf, .size = size};
        load_all(reader, &keys, &origin, robot);
    }
}

void atemi_scenario_robot_destroy(atemi_scenario_robot *robot)
{
    atemi_model_destroy(robot->model);
    atemi_release(robot->urdf);
    atemi_release(robot->file);
    *robot = (atemi_scenario_robot){0};
}
