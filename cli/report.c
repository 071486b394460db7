// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // strcasecmp, stat
#endif

#include "report.h"

#include "arguments.h"
#include "command.h"
#include "json_output.h"
#include "output.h"
#include "packages.h"

#include "atemi/recording.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool report_default_path(const char *folder, char path[REPORT_PATH_SIZE])
{
    const size_t length = strlen(folder);
    const char  *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    if (snprintf(path, REPORT_PATH_SIZE, "%s%sreport.html", folder, slash) < REPORT_PATH_SIZE) {
        return true;
    }
    (void)output_refuse(
        "the path of the recording is longer than the system allows; run from a parent folder");
    return false;
}

bool report_is_page(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *ending = strrchr(slash ? slash : path, '.');
    return ending && (strcasecmp(ending, ".html") == 0 || strcasecmp(ending, ".htm") == 0);
}

// Browsers know a page by its ending, and a name like results.csv is a slip that would overwrite
// it. A pipe or a device (/dev/stdout) has no such ending and is fine.
static bool is_place_of_page(const char *path)
{
    struct stat about;
    return report_is_page(path) || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
}

int report_check(const char *page, const char *figures)
{
    atemi_error error;
    if (page && !is_place_of_page(page)) {
        return output_refuse("%s: this is to be a page; let its name end with .html", page);
    }
    if ((page && atemi_report_check(page, &error)) ||
        (figures && atemi_report_check_figures(figures, &error))) {
        return output_error(&error);
    }
    return EXIT_DONE;
}

int report_write(const atemi_recording *recording, const char *page, const char *figures)
{
    atemi_error error;
    const int   code = report_check(page, figures);
    if (code) {
        return code;
    }
    if ((page && atemi_report_write(recording, page, &error)) ||
        (figures && atemi_report_write_figures(recording, figures, &error))) {
        return error.status == ATEMI_ERROR_FILE ? output_failure(&error) : output_error(&error);
    }
    return EXIT_DONE;
}

int report_write_inside(const atemi_recording *recording, const char *folder)
{
    atemi_error error;
    return atemi_report_write_inside(recording, folder, &error) ? output_error(&error) : EXIT_DONE;
}

// ---- The command

typedef struct report_request {
    const char *recording; ///< its folder
    const char *second;    ///< that of a recording beside it, or NULL
    const char *page;      ///< NULL for none
    bool        inside;    ///< the page is report.html in the folder, by default
    const char *figures;   ///< folder, or NULL
    const char *packages;  ///< folders that hold packages of meshes, or NULL
    bool        json;
} report_request;

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

static int write_pair(const report_request *request)
{
    atemi_recording *first, *second = NULL;
    atemi_error      error;
    int              code = EXIT_DONE;
    if (atemi_recording_load(request->recording, &first, &error)) {
        return output_error(&error);
    }
    code = report_check(request->page, NULL);
    if (!code && (atemi_recording_load(request->second, &second, &error) ||
                  atemi_report_write_pair(first, second, request->page, &error))) {
        code = output_error(&error);
    }
    atemi_recording_destroy(second);
    atemi_recording_destroy(first);
    return code ? code : show(request);
}

static int write(const report_request *request)
{
    atemi_recording *recording;
    atemi_error      error;
    if (atemi_recording_load(request->recording, &recording, &error)) {
        return output_error(&error);
    }
    const int code = request->inside ? report_write_inside(recording, request->recording)
                                     : report_write(recording, request->page, request->figures);
    atemi_recording_destroy(recording);
    return code ? code : show(request);
}

int command_report(int argc, char **argv)
{
    report_request request = {0};
    const argument positionals[] = {
        {.name = "DIR", .help = "the folder of a recording", .text = &request.recording},
        {.name = "SECOND",
         .help = "that of another one, to be shown beside it",
         .text = &request.second,
         .optional = true},
        {0}};
    const argument options[] = {
        {.name = "out",
         .letter = 'o',
         .value = "FILE.html",
         .help = "the page to write; default: report.html in DIR, or\n"
                 "none if --figures is given",
         .text = &request.page},
        {.name = "figures",
         .value = "FOLDER",
         .help = "write pictures (SVG) into this folder, for papers:\n"
                 "postures, forces, contacts, q, v, tau, energy, ZMP",
         .text = &request.figures},
        PACKAGES_OPTION(&request.packages),
        {.name = "json", .help = "print one JSON object", .flag = &request.json},
        {0}};
    const command_usage usage = {
        .command = "report",
        .purpose = "Makes a page of a recording: one file that opens offline in any browser, with\n"
                   "the robot in 3D, a time line, forces, contacts and all columns.\n",
        .positionals = positionals,
        .options = options,
        .notes = "Prints what was written. Meshes of the robot are drawn if they are found;\n"
                 "--package-path and ROS_PACKAGE_PATH name the folders that hold packages.\n\n"
                 "examples:\n"
                 "  atemi report run1 -o run1.html --figures figures\n"
                 "  atemi report run1 run2 -o both.html\n"};
    int code = arguments_read(&usage, argc, argv);
    code = code == ARGUMENTS_READY ? packages_use(request.packages) : code;
    if (code != ARGUMENTS_READY) {
        return code;
    }
    char path[REPORT_PATH_SIZE];
    if (request.second && (!request.page || request.figures)) {
        return output_refuse("two recordings make one page: say where with --out FILE.html, and "
                             "leave --figures out");
    }
    if (request.second) {
        return write_pair(&request);
    }
    if (!request.page && !request.figures) {
        if (!report_default_path(request.recording, path)) {
            return EXIT_BAD_INPUT;
        }
        request.page = path;
        request.inside = true;
    }
    return write(&request);
}
