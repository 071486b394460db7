// SPDX-License-Identifier: Apache-2.0

#include "report.h"

#include "arguments.h"
#include "command.h"
#include "json_output.h"
#include "output.h"

#include "atemi/report.h"

#include <stdio.h>
#include <string.h>

typedef struct report_request {
    const char *recording; ///< its folder
    const char *page;      ///< NULL for none
    const char *figures;   ///< folder, or NULL
    bool        json;
} report_request;

bool report_default_path(const char *folder, char path[REPORT_PATH_SIZE])
{
    const size_t length = strlen(folder);
    const char  *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    if (snprintf(path, REPORT_PATH_SIZE, "%s%sreport.html", folder, slash) < REPORT_PATH_SIZE) {
        return true;
    }
    (void)output_refuse("the path of the recording is longer than the system allows");
    return false;
}

// -o is --out.
static void spell_out(int argc, char **argv)
{
    static char out[] = "--out";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strcmp(argv[i], "-o") == 0) {
            argv[i] = out;
        }
    }
}

static int show(const report_request *request)
{
    if (request->json) {
        return json_print(
            json_pack("{s:o, s:o, s:o}", "recording", json_from_text(request->recording), "report",
                      request->page ? json_from_text(request->page) : json_null(), "figures",
                      request->figures ? json_from_text(request->figures) : json_null()),
            EXIT_DONE);
    }
    if (request->page) {
        output_text(request->page);
        puts("");
    }
    if (request->figures) {
        output_text(request->figures);
        puts("");
    }
    return EXIT_DONE;
}

static int write(const report_request *request)
{
    atemi_recording *recording;
    atemi_error      error;
    if (atemi_recording_load(request->recording, &recording, &error)) {
        return output_error(&error);
    }
    atemi_status status = ATEMI_OK;
    if (request->page) {
        status = atemi_report_write(recording, request->page, &error);
    }
    if (!status && request->figures) {
        status = atemi_report_write_figures(recording, request->figures, &error);
    }
    atemi_recording_destroy(recording);
    return status ? output_error(&error) : show(request);
}

int command_report(int argc, char **argv)
{
    report_request request = {0};
    const argument positionals[] = {
        {.name = "DIR", .help = "the folder of a recording", .text = &request.recording}, {0}};
    const argument options[] = {
        {.name = "out",
         .value = "FILE.html",
         .help = "the page to write, also as -o; default: report.html\n"
                 "in DIR, or none where --figures is given",
         .text = &request.page},
        {.name = "figures",
         .value = "FOLDER",
         .help = "write pictures (SVG) for papers into this folder:\n"
                 "postures, forces, contacts, q, v, tau, energy, ZMP",
         .text = &request.figures},
        {.name = "json", .help = "print one JSON object", .flag = &request.json},
        {0}};
    const command_usage usage = {
        .command = "report",
        .purpose = "Makes a page of a recording: one file that opens offline in any browser, with\n"
                   "the robot in 3D, a time line, forces, contacts and all columns.\n",
        .positionals = positionals,
        .options = options,
        .notes = "Prints what was written. Meshes of the robot are drawn where they are found;\n"
                 "ROS_PACKAGE_PATH names the folders that hold packages.\n\n"
                 "example:\n"
                 "  atemi report run1 -o run1.html --figures figures\n"};
    spell_out(argc, argv);
    const int code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    char path[REPORT_PATH_SIZE];
    if (!request.page && !request.figures) {
        if (!report_default_path(request.recording, path)) {
            return EXIT_BAD_INPUT;
        }
        request.page = path;
    }
    return write(&request);
}
