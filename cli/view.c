// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // stat
#endif

#include "arguments.h"
#include "browser.h"
#include "command.h"
#include "json_output.h"
#include "live.h"
#include "output.h"
#include "report.h"

#include <stdio.h>
#include <sys/stat.h>

typedef struct view_request {
    const char *path; ///< a recording's folder, or a page; a scenario if it is live
    const char *out;  ///< where the recording of a live one goes, or NULL
    bool        live;
    bool        json;
} view_request;

static int show(const char *page, bool json)
{
    const bool opened = browser_open(page);
    if (json) {
        return json_print(
            json_pack("{s:o, s:b}", "report", json_from_text(page), "opened", (int)opened),
            EXIT_DONE);
    }
    output_text(page);
    putchar('\n');
    if (!opened) {
        output_warn("no browser is found here; open this page in one");
    }
    return EXIT_DONE;
}

static int make_and_show(const view_request *request)
{
    char             page[REPORT_PATH_SIZE];
    atemi_recording *recording;
    atemi_error      error;
    if (!report_default_path(request->path, page)) {
        return EXIT_BAD_INPUT;
    }
    if (atemi_recording_load(request->path, &recording, &error)) {
        return output_error(&error);
    }
    const int code = report_write_inside(recording, request->path);
    atemi_recording_destroy(recording);
    return code ? code : show(page, request->json);
}

static int view(const view_request *request)
{
    struct stat about;
    if (stat(request->path, &about) != 0) {
        return output_refuse("%s: there is no such folder or file; check the path", request->path);
    }
    if (S_ISDIR(about.st_mode)) {
        return make_and_show(request);
    }
    return report_is_page(request->path)
               ? show(request->path, request->json)
               : output_refuse("%s: this is no page; give a report (.html), or the folder of a "
                               "recording",
                               request->path);
}

int command_view(int argc, char **argv)
{
    view_request   request = {0};
    const argument positionals[] = {
        {.name = "DIR|FILE.html",
         .help = "the folder of a recording, or a report; with\n--live a scenario",
         .text = &request.path},
        {0}};
    const argument options[] = {
        {.name = "live",
         .help = "run a scenario, and follow it in the browser",
         .flag = &request.live},
        {.name = "out",
         .letter = 'o',
         .value = "DIR",
         .help = "with --live: keep the recording in this folder",
         .text = &request.out},
        {.name = "json", .help = "print one JSON object", .flag = &request.json},
        {0}};
    const command_usage usage = {
        .command = "view",
        .purpose =
            "Opens a report in the browser. For a recording, it first writes the report, as\n"
            "report.html in DIR. With --live it runs a scenario, and the page follows it.\n",
        .positionals = positionals,
        .options = options,
        .notes = "Prints the path of the page, and warns if there is no browser. With --live it\n"
                 "prints an address that only this machine reaches, and ends when the browser\n"
                 "has the page of the ended job, or nobody asks for it for 20 s.\n\n"
                 "examples:\n  atemi view run1\n  atemi view --live scenarios/walk.yaml\n"};
    const int code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    if (request.live && request.json) {
        return output_refuse("--live prints the answer for people; leave --json out");
    }
    if (request.out && !request.live) {
        return output_refuse("--out keeps the recording of --live; this one is kept already");
    }
    return request.live ? live_run(request.path, request.out) : view(&request);
}
