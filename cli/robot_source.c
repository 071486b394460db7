// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // stat
#endif

#include "robot_source.h"

#include "command.h"
#include "io/bytes/file.h"
#include "io/bytes/number.h"
#include "io/robot/default_base.h"
#include "io/syntax/suggestion.h"
#include "io/syntax/xml_reader.h"
#include "output.h"

#include "atemi/base.h"
#include "atemi/job.h"
#include "atemi/robots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Choosing the base takes a look at the robot, so a robot may be loaded twice. What can be read
// only once (standard input, a pipe) is kept in memory.

static const size_t most_bytes = (size_t)ATEMI_XML_MAX_MEBIBYTES << 20;

typedef enum source_kind { SOURCE_SHIPPED, SOURCE_FILE, SOURCE_STREAM } source_kind;

typedef struct robot_source {
    source_kind kind;
    const char *name; ///< of the robot or the file
    char       *text; ///< of a stream
    size_t      size;
} robot_source;

// ---- Sources

static bool has_ending(const char *text, const char *ending)
{
    const size_t length = strlen(text);
    const size_t tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static bool is_shipped(const char *name)
{
    size_t size;
    return atemi_robots_urdf(name, &size) != NULL;
}

// By the rule of ROBOT_NOTES. A folder is told by that, unless a shipped robot has its name.
static source_kind kind_of(const char *name)
{
    struct stat about;
    const bool  is_name =
        !strchr(name, '/') && !has_ending(name, ".urdf") && !has_ending(name, ".xml");
    if (stat(name, &about) != 0) {
        return is_name ? SOURCE_SHIPPED : SOURCE_FILE;
    }
    if (S_ISDIR(about.st_mode)) {
        return is_name && is_shipped(name) ? SOURCE_SHIPPED : SOURCE_FILE;
    }
    return S_ISREG(about.st_mode) ? SOURCE_FILE : SOURCE_STREAM;
}

static atemi_status source_open(const robot_request *request, robot_source *source,
                                atemi_error *error)
{
    const char *name = request->source;
    *source = (robot_source){.kind = SOURCE_SHIPPED, .name = name};
    if (request->shipped) {
        return ATEMI_OK;
    }
    if (strcmp(name, "-") == 0) {
        source->kind = SOURCE_STREAM;
        source->name = "standard input";
        return atemi_file_read_open(STDIN_FILENO, source->name, most_bytes, &source->text,
                                    &source->size, error);
    }
    source->kind = kind_of(name);
    return source->kind == SOURCE_STREAM
               ? atemi_file_read_given(name, most_bytes, &source->text, &source->size, error)
               : ATEMI_OK;
}

static atemi_status source_load(const robot_source *source, const atemi_urdf_options *options,
                                atemi_model **model, atemi_error *error)
{
    switch (source->kind) {
    case SOURCE_SHIPPED:
        return atemi_robots_load(source->name, options, model, error);
    case SOURCE_STREAM:
        return atemi_urdf_parse(source->text, source->size, source->name, options, model, error);
    case SOURCE_FILE:
        break;
    }
    return atemi_urdf_load(source->name, options, model, error);
}

// ---- The base

// Loads the robot with a fixed base, which any robot can have, and without its warnings.
static atemi_status find_base(const robot_source *source, atemi_urdf_options *options,
                              const char **reason, atemi_error *error)
{
    atemi_model *model = NULL;
    options->model.base = ATEMI_BASE_FIXED;
    output_set_quiet(true);
    atemi_status status = source_load(source, options, &model, error);
    output_set_quiet(false);
    if (!status) {
        status = atemi_default_base(model, &options->model.base, reason, error);
    }
    atemi_model_destroy(model);
    return status;
}

// ---- Options

static const char *base_name(const void *context, int index)
{
    (void)context;
    return atemi_base_text((atemi_base)index);
}

static int read_base(const char *text, atemi_base *base)
{
    const int count = ATEMI_BASE_FLOATING + 1;
    for (int i = 0; i < count; ++i) {
        if (strcmp(text, base_name(NULL, i)) == 0) {
            *base = (atemi_base)i;
            return EXIT_DONE;
        }
    }
    const char *meant = atemi_suggestion_find(text, count, base_name, NULL);
    return output_refuse("--base '%s' is none of fixed, planar, sagittal, floating%s%s%s", text,
                         ATEMI_SUGGESTION_TEXT(meant));
}

static bool read_components(const char *text, double *components, int count)
{
    const char *rest = text;
    bool        fine = true;
    for (int i = 0; i < count && fine; ++i) {
        const char      *end = i + 1 < count ? strchr(rest, ',') : rest + strlen(rest);
        const atemi_word word = {rest, end ? (int)(end - rest) : 0};
        fine = end && atemi_number_parse(word, &components[i]) == ATEMI_NUMBER_FINE;
        rest = fine ? end + 1 : rest;
    }
    return fine;
}

static int read_gravity(const char *text, atemi_vec3 *gravity)
{
    double g[3];
    if (!read_components(text, g, 3)) {
        return output_refuse("--gravity '%s' is not three numbers X,Y,Z such as 0,0,-9.81", text);
    }
    *gravity = (atemi_vec3){g[0], g[1], g[2]};
    return EXIT_DONE;
}

static int read_mimic(const char *text, bool *coupled)
{
    *coupled = strcmp(text, "coupled") == 0;
    if (!*coupled && strcmp(text, "independent") != 0) {
        return output_refuse("--mimic '%s' is none of coupled, independent", text);
    }
    return EXIT_DONE;
}

static int read_options(const robot_request *request, atemi_urdf_options *options)
{
    int code = EXIT_DONE;
    *options = atemi_urdf_options_default();
    options->package_path = request->package_path;
    options->srdf = request->srdf;
    if (request->base) {
        code = read_base(request->base, &options->model.base);
    }
    if (request->gravity && !code) {
        code = read_gravity(request->gravity, &options->model.gravity);
    }
    if (request->mimic && !code) {
        code = read_mimic(request->mimic, &options->model.mimic_as_coupled);
    }
    return code;
}

static atemi_status load(const robot_request *request, const robot_source *source,
                         atemi_urdf_options *options, loaded_robot *robot, atemi_error *error)
{
    robot->base_reason = "as asked";
    const atemi_status status =
        request->base ? ATEMI_OK : find_base(source, options, &robot->base_reason, error);
    return status ? status : source_load(source, options, &robot->model, error);
}

// A scenario where a robot should be is told by its job.
static int refuse(const robot_source *source, const atemi_error *error)
{
    const bool  is_scenario = source->kind == SOURCE_FILE && error->status == ATEMI_ERROR_SYNTAX;
    const char *job = NULL;
    if (is_scenario) {
        (void)atemi_job_of_scenario(source->name, &job, NULL);
    }
    return job ? output_refuse("%s: this is no URDF but a scenario; 'atemi %s' takes it",
                               source->name, job)
               : output_error(error);
}

int robot_open(const robot_request *request, loaded_robot *robot)
{
    atemi_urdf_options options;
    atemi_error        error;
    robot_source       source;
    *robot = (loaded_robot){0};

    const int code = read_options(request, &options);
    if (code) {
        return code;
    }
    atemi_status status = source_open(request, &source, &error);
    if (!status) {
        status = load(request, &source, &options, robot, &error);
    }
    atemi_release(source.text);
    return status ? refuse(&source, &error) : EXIT_DONE;
}

void robot_close(loaded_robot *robot)
{
    atemi_model_destroy(robot->model);
    robot->model = NULL;
}

void robot_mark_moving(const atemi_model *model, bool *moving)
{
    atemi_default_base_mark_moving(model, moving);
}
