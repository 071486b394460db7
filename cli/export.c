// SPDX-License-Identifier: Apache-2.0

#include "arguments.h"
#include "command.h"
#include "io/bytes/whole_file.h"
#include "json_output.h"
#include "output.h"
#include "robot_source.h"

#include "atemi/robots.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// What the user said.
typedef struct export_request {
    const char   *format, *out;
    robot_request robot;
    bool          json;
} export_request;

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

// By its name, or else by the ending of the file.
static int find_format(const export_request *request, atemi_robot_format *format)
{
    const char *name = request->format;
    const char *out = request->out ? request->out : "";
    if (!name) {
        name = ends_with(out, ".urdf") ? "urdf" : ends_with(out, ".xml") ? "mjcf" : NULL;
    }
    if (!name) {
        return output_refuse(
            "say in which format: --to urdf or --to mjcf, or --out with a name that "
            "ends in .urdf or .xml");
    }
    *format = strcmp(name, "mjcf") == 0 ? ATEMI_ROBOT_MJCF : ATEMI_ROBOT_URDF;
    return *format == ATEMI_ROBOT_MJCF || strcmp(name, "urdf") == 0
               ? EXIT_DONE
               : output_refuse("--to '%s' is no format of robots; there are urdf and mjcf", name);
}

static int write_file(const char *path, const char *text, size_t size)
{
    atemi_error      error;
    atemi_whole_file file = {0};
    atemi_status     status = atemi_whole_file_create(&file, path, ATEMI_LINKS_FOLLOWED, &error);
    if (!status) {
        atemi_whole_file_put(&file, text, size);
        status = atemi_whole_file_finish(&file, &error);
    }
    atemi_whole_file_destroy(&file);
    return status ? output_error(&error) : EXIT_DONE;
}

static int show(const export_request *request, const char *text, size_t size)
{
    const int code = request->out ? write_file(request->out, text, size) : EXIT_DONE;
    if (code) {
        return code;
    }
    if (request->json) {
        return json_print(json_pack("{s:o, s:o}", "file",
                                    request->out ? json_from_text(request->out) : json_null(),
                                    "text", json_from_text(text)),
                          EXIT_DONE);
    }
    if (!request->out) {
        fwrite(text, 1, size, stdout);
    }
    return EXIT_DONE;
}

static int export(const export_request *request, atemi_robot_format format)
{
    loaded_robot robot;
    atemi_error  error;
    char        *text = NULL;
    size_t       size = 0;
    int          code = robot_open(&request->robot, &robot);
    if (!code) {
        code = atemi_robot_write(robot.model, format, &text, &size, &error)
                   ? output_error(&error)
                   : show(request, text, size);
    }
    atemi_release(text);
    robot_close(&robot);
    return code;
}

int command_export(int argc, char **argv)
{
    export_request request = {0};
    const argument positionals[] = {ROBOT_POSITIONAL(&request.robot), {0}};
    const argument options[] = {
        {.name = "to",
         .value = "FORMAT",
         .help = "urdf or mjcf; default: by the ending of --out",
         .text = &request.format},
        {.name = "out",
         .letter = 'o',
         .value = "FILE",
         .help = "write it there; default: stdout",
         .text = &request.out},
        ROBOT_OPTIONS(&request.robot),
        {.name = "json", .help = "print one JSON object", .flag = &request.json},
        {0}};
    const command_usage usage = {
        .command = "export",
        .purpose =
            "Writes a robot as URDF or as MuJoCo's MJCF. What the format has no place for is\n"
            "named in warnings.\n",
        .positionals = positionals,
        .options = options,
        .notes =
            ROBOT_NOTES "examples:\n"
                        "  atemi export hrp2_like --out hrp2_like.xml\n"
                        "  atemi export g1.xml --out g1.urdf\n"
                        "  atemi export panda.urdf --srdf panda.srdf --base fixed --to mjcf\n"};
    atemi_robot_format format = ATEMI_ROBOT_URDF;
    int                code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    code = find_format(&request, &format);
    return code ? code : export(&request, format);
}
