// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // stat
#endif

#include "arguments.h"
#include "browser.h"
#include "command.h"
#include "output.h"
#include "report.h"

#include "atemi/report.h"

#include <stdio.h>
#include <sys/stat.h>

static int show(const char *path)
{
    const bool opened = browser_open(path);
    output_text(path);
    puts(opened ? "" : ": no browser is found here; open this file in one");
    return EXIT_DONE;
}

static int make_and_show(const char *folder)
{
    char             path[REPORT_PATH_SIZE];
    atemi_recording *recording;
    atemi_error      error;
    if (!report_default_path(folder, path)) {
        return EXIT_BAD_INPUT;
    }
    if (atemi_recording_load(folder, &recording, &error)) {
        return output_error(&error);
    }
    const atemi_status status = atemi_report_write(recording, path, &error);
    atemi_recording_destroy(recording);
    return status ? output_error(&error) : show(path);
}

static int view(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return output_refuse("%s: there is no such folder or file; check the path", path);
    }
    return S_ISDIR(about.st_mode) ? make_and_show(path) : show(path);
}

int command_view(int argc, char **argv)
{
    const char    *path = NULL;
    const argument positionals[] = {
        {.name = "DIR|FILE.html", .help = "the folder of a recording, or a report", .text = &path},
        {0}};
    const argument      options[] = {{0}};
    const command_usage usage = {
        .command = "view",
        .purpose = "Opens a report in the browser; of a recording it makes one first, report.html\n"
                   "in DIR.\n",
        .positionals = positionals,
        .options = options,
        .notes = "Prints the path of the page, with a word where there is no browser.\n\n"
                 "example:\n"
                 "  atemi view run1\n"};
    const int code = arguments_read(&usage, argc, argv);
    return code == ARGUMENTS_READY ? view(path) : code;
}
