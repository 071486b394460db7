// SPDX-License-Identifier: Apache-2.0

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // realpath
#endif

#include "arguments.h"
#include "command.h"
#include "io/bytes/number.h"
#include "io/bytes/whole_file.h"
#include "jobs/registry.h"
#include "json_output.h"
#include "output.h"
#include "robot_source.h"

#include "atemi/robots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

// What the user said.
typedef struct init_request {
    const char   *job, *out, *feet, *other_foot, *hand, *sole, *target;
    robot_request robot;
    bool          json, stands;
    char          first_foot[NAME_SIZE]; ///< longer names are refused
} init_request;

// ---- Options

static bool read_number(const char *text, size_t length, double *value)
{
    const atemi_word word = {text, (int)length};
    return atemi_number_parse(word, value) == ATEMI_NUMBER_FINE && *value > 0.0;
}

static int read_feet(init_request *request, atemi_job_wish *wish)
{
    const char *comma = request->feet ? strchr(request->feet, ',') : NULL;
    if (!request->feet) {
        return EXIT_DONE;
    }
    if (request->other_foot) {
        wish->feet[0] = request->feet;
        wish->feet[1] = request->other_foot;
        return EXIT_DONE;
    }
    const size_t length = comma ? (size_t)(comma - request->feet) : 0;
    if (length == 0 || length >= NAME_SIZE || !comma[1]) {
        return output_refuse("--feet '%s' is not two names of links or sites, such as "
                             "right_foot left_foot",
                             request->feet);
    }
    memcpy(request->first_foot, request->feet, length);
    wish->feet[0] = request->first_foot;
    wish->feet[1] = comma + 1;
    return EXIT_DONE;
}

static int read_sole(const char *text, double sole[2])
{
    const char *x = text ? strchr(text, 'x') : NULL;
    if (text && !(x && read_number(text, (size_t)(x - text), &sole[0]) &&
                  read_number(x + 1, strlen(x + 1), &sole[1]))) {
        return output_refuse("--sole '%s' is not a length and a width in metres, such as 0.2x0.1",
                             text);
    }
    return EXIT_DONE;
}

static int read_target(const char *text, atemi_job_wish *wish)
{
    const size_t length = text ? strcspn(text, ",") : 0;
    const bool   has_mass = text && text[length] == ',';
    if (text &&
        !(read_number(text, length, &wish->height) &&
          (!has_mass || read_number(text + length + 1, strlen(text + length + 1), &wish->mass)))) {
        return output_refuse("--target '%s' is not a height in metres, or a height and a mass in "
                             "kilograms, such as 0.8,5",
                             text);
    }
    return EXIT_DONE;
}

static int read_wish(init_request *request, atemi_job_wish *wish)
{
    *wish = atemi_job_wish_default();
    wish->hand = request->hand;
    wish->stands = request->stands;
    int code = read_feet(request, wish);
    code = code ? code : read_sole(request->sole, wish->sole);
    return code ? code : read_target(request->target, wish);
}

// ---- The robot as the scenario names it

// A scenario looks for its robot beside itself, so a path is written whole where the scenario goes
// elsewhere. The result is to be released.
static char *robot_name(const init_request *request)
{
    const char *name = request->robot.source;
    size_t      size;
    const bool  is_elsewhere = request->out && strchr(request->out, '/');
    const bool  has_slash = strchr(name, '/') != NULL;
    if (!has_slash && atemi_robots_urdf(name, &size)) {
        return strdup(name);
    }
    char *whole = is_elsewhere ? realpath(name, NULL) : NULL;
    if (whole || has_slash) {
        return whole ? whole : strdup(name);
    }
    const size_t length = strlen(name) + sizeof "./";
    char        *beside = (char *)malloc(length);
    if (beside) {
        snprintf(beside, length, "./%s", name);
    }
    return beside;
}

// ---- The scenario

static int write_file(const char *path, const atemi_text *yaml)
{
    atemi_error      error;
    atemi_whole_file file = {0};
    atemi_status     status = atemi_whole_file_create(&file, path, ATEMI_LINKS_FOLLOWED, &error);
    if (!status) {
        atemi_whole_file_put(&file, yaml->bytes, yaml->size);
        status = atemi_whole_file_finish(&file, &error);
    }
    atemi_whole_file_destroy(&file);
    return status ? output_error(&error) : EXIT_DONE;
}

static int print_json(const init_request *request, const atemi_text *yaml)
{
    return json_print(json_pack("{s:o, s:o}", "scenario",
                                request->out ? json_from_text(request->out) : json_null(), "text",
                                json_from_text(yaml->bytes)),
                      EXIT_DONE);
}

static int write_scenario(const init_request *request, const atemi_text *yaml)
{
    const int code = request->out ? write_file(request->out, yaml) : EXIT_DONE;
    if (code || request->json) {
        return code ? code : print_json(request, yaml);
    }
    if (request->out) {
        printf("  %-10s", "scenario");
        output_text(request->out);
        printf("\n  %-10satemi %s ", "run it by", request->job);
        output_text(request->out);
        putchar('\n');
    } else {
        fwrite(yaml->bytes, 1, yaml->size, stdout);
    }
    return EXIT_DONE;
}

static int make(const init_request *request, const atemi_job *job, atemi_job_wish *wish)
{
    loaded_robot robot;
    atemi_error  error;
    atemi_text   yaml = {0};
    int          code = robot_open(&request->robot, &robot);
    char        *name = robot_name(request);
    if (!code && !name) {
        code = output_fail("no memory");
    }
    if (!code) {
        wish->model = robot.model;
        wish->robot = name;
        code =
            job->init(wish, &yaml, &error) ? output_error(&error) : write_scenario(request, &yaml);
    }
    atemi_text_destroy(&yaml);
    free(name);
    robot_close(&robot);
    return code;
}

static int find_job(const char *name, const atemi_job **job)
{
    atemi_error error;
    if (atemi_registry_find(name, job, &error)) {
        return output_error(&error);
    }
    return (*job)->init ? EXIT_DONE
                        : output_refuse("no scenario can be written for the job '%s' yet; begin "
                                        "with one of the folder scenarios",
                                        name);
}

int command_init(int argc, char **argv)
{
    init_request   request = {0};
    const argument positionals[] = {
        {.name = "JOB", .help = "job of the scenario (see 'atemi jobs')", .text = &request.job},
        {.name = "ROBOT|FILE",
         .help = "a shipped robot (see 'atemi robots'), or a file (URDF,\nMJCF)",
         .text = &request.robot.source},
        {0}};
    const argument options[] = {
        {.name = "out",
         .letter = 'o',
         .value = "FILE",
         .help = "write it there; default: stdout",
         .text = &request.out},
        {.name = "feet",
         .value = "A B",
         .help = "links or sites of the two feet, or A,B; default: found",
         .text = &request.feet,
         .second = &request.other_foot},
        {.name = "hand",
         .value = "C",
         .help = "for strike: link or site that hits; default: the\nright hand",
         .text = &request.hand},
        {.name = "sole",
         .value = "LENGTHxWIDTH",
         .help =
             "size of a sole in m, such as 0.2x0.1; default: found\nfrom sites, shapes or inertia",
         .text = &request.sole},
        {.name = "target",
         .value = "HEIGHT[,MASS]",
         .help = "for strike: height above the floor in m, and mass in\nkg; default: chosen for "
                 "the robot",
         .text = &request.target},
        {.name = "stand",
         .help = "for control: the robot stands on its feet; without it,\nthey are held",
         .flag = &request.stands},
        {.name = "package-path",
         .value = "PATH",
         .help = "folders separated by ':' that hold the packages of\n"
                 "package:// names, before ROS_PACKAGE_PATH",
         .text = &request.robot.package_path},
        {.name = "json", .help = "print one JSON object", .flag = &request.json},
        {0}};
    const command_usage usage = {
        .command = "init",
        .purpose =
            "Writes a scenario for any humanoid. It finds feet, soles, hands, facing, start\n"
            "and ranges from the robot's joints, shapes and masses. The scenario has\n"
            "comments and runs as it is.\n",
        .positionals = positionals,
        .options = options,
        .notes = "examples:\n"
                 "  atemi init strike hrp2_like --target 0.8,5\n"
                 "  atemi init strike hrp2_like --out punch.yaml\n"
                 "  atemi init walk hrp2_like --out walk.yaml\n"
                 "  atemi init control hrp2_like --stand --out stand.yaml\n"};
    atemi_job_wish   wish;
    const atemi_job *job = NULL;
    int              code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    code = find_job(request.job, &job);
    code = code ? code : read_wish(&request, &wish);
    return code ? code : make(&request, job, &wish);
}
