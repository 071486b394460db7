// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_getres, access, sysconf
#endif

#include "arguments.h"
#include "browser.h"
#include "command.h"
#include "dynamics_check.h"
#include "json_output.h"
#include "output.h"
#include "program.h"
#include "robot_source.h"
#include "table.h"

#include "atemi/recording.h"
#include "atemi/robots.h"
#include "atemi/version.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { FINDING_SIZE = 160 };

// How a part of the installation is.
typedef enum condition {
    CONDITION_OK,
    CONDITION_MISSING, ///< atemi works, but for what the finding says
    CONDITION_BROKEN
} condition;

typedef struct finding {
    condition   state;
    const char *cure; ///< NULL where none is needed
    char        text[FINDING_SIZE];
} finding;

static const char *const condition_names[] = {"ok", "missing", "BROKEN"};

ATEMI_PRINTF(4, 5)
static void find(finding *found, condition state, const char *cure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->text, FINDING_SIZE, format, arguments);
    va_end(arguments);
    found->state = state;
    found->cure = cure;
}

// ---- What is looked at

static double check_shipped(const char *name)
{
    const robot_request request = {.source = name, .shipped = true};
    loaded_robot        robot;
    dynamics_check      check;
    atemi_error         error;
    double              deviation = INFINITY;
    if (!robot_open(&request, &robot) && !dynamics_check_run(robot.model, &check, &error)) {
        deviation = check.deviation;
    }
    robot_close(&robot);
    return deviation;
}

static void look_at_robots(finding *found)
{
    const int count = atemi_robots_count();
    double    largest = 0;
    for (int i = 0; i < count; ++i) {
        largest = fmax(largest, check_shipped(atemi_robots_name(i)));
    }
    if (count == 0 || !(largest < DYNAMICS_CHECK_TOLERANCE)) {
        find(found, CONDITION_BROKEN, "build atemi again; if that does not help, report a bug",
             "the shipped robots do not load, or their dynamics are off");
    } else {
        find(found, CONDITION_OK, NULL, "%d shipped robots load, their dynamics agree to %.0e",
             count, largest);
    }
}

static void look_at_processor(finding *found)
{
#if defined(__AVX2__) || defined(__ARM_NEON)
    find(found, CONDITION_OK, NULL, "built with vector instructions, %ld cores",
         sysconf(_SC_NPROCESSORS_ONLN));
#else
    find(found, CONDITION_MISSING, "for more speed build with -DATEMI_NATIVE=ON",
         "built for every processor of this kind, without its vector instructions");
#endif
}

static void look_at_folder(finding *found)
{
    if (access(".", W_OK) == 0) {
        find(found, CONDITION_OK, NULL, "recordings and reports can be written here");
    } else {
        find(found, CONDITION_MISSING, "cd to a folder of your own, or give --out another",
             "this folder is read-only: no recordings, no reports");
    }
}

static void look_at_page(finding *found)
{
    if (atemi_report_available()) {
        find(found, CONDITION_OK, NULL, "--report writes pages");
    } else {
        find(found, CONDITION_MISSING, "install nodejs and npm, and build atemi again",
             "built without the page: no --report, no 'atemi view'");
    }
}

static void look_at_browser(finding *found)
{
    if (browser_found()) {
        find(found, CONDITION_OK, NULL, "'atemi view' opens pages");
    } else {
        find(found, CONDITION_MISSING, "open the file that 'atemi view' names in any browser",
             "no screen, or no xdg-open");
    }
}

static void look_at_python(finding *found)
{
    char *const import[] = {"python3", "-c", "import atemi", NULL};
    if (program_succeeds(import)) {
        find(found, CONDITION_OK, NULL, "python3 imports atemi");
    } else {
        find(found, CONDITION_MISSING, "pip install ./python, in the folder of the sources",
             "python3 does not find the package atemi");
    }
}

static bool has_real_time_kernel(void)
{
    FILE *file = fopen("/sys/kernel/realtime", "r");
    if (!file) {
        return false;
    }
    const bool real_time = fgetc(file) == '1';
    fclose(file);
    return real_time;
}

static void look_at_kernel(finding *found)
{
    struct timespec tick = {0};
    clock_getres(CLOCK_MONOTONIC, &tick);
    if (has_real_time_kernel() && tick.tv_sec == 0 && tick.tv_nsec <= 1000) {
        find(found, CONDITION_OK, NULL, "a real-time kernel, a clock of %ld ns", tick.tv_nsec);
    } else {
        find(found, CONDITION_MISSING, "on the robot use a kernel with PREEMPT_RT",
             "no real-time kernel: ticks of control may come late");
    }
}

typedef struct examination {
    const char *subject;
    void (*look)(finding *found);
} examination;

static const examination examinations[] = {
    {"robots", look_at_robots}, {"processor", look_at_processor}, {"folder", look_at_folder},
    {"reports", look_at_page},  {"browser", look_at_browser},     {"python", look_at_python},
    {"kernel", look_at_kernel},
};

enum { EXAMINATION_COUNT = sizeof examinations / sizeof examinations[0] };

// ---- The answer

static void write_cell(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    const finding *found = &((const finding *)context)[row];
    const char *cells[] = {examinations[row].subject, condition_names[found->state], found->text};
    snprintf(text, TABLE_CELL_SIZE, "%s", cells[column]);
}

static void print_findings(const finding *findings)
{
    static const table_column columns[] = {
        {"looked at", NULL, false}, {"", NULL, false}, {"", NULL, false}};
    const text_table table = {columns, 3, EXAMINATION_COUNT, write_cell, findings, NULL};
    char             heading[FINDING_SIZE];
    snprintf(heading, sizeof heading, "atemi %s", atemi_version());
    output_heading(heading);
    table_print(&table);
    putchar('\n');
    for (int i = 0; i < EXAMINATION_COUNT; ++i) {
        if (findings[i].cure) {
            printf("  %s: %s\n", examinations[i].subject, findings[i].cure);
        }
    }
}

static json_t *findings_json(const finding *findings)
{
    json_t *list = json_array();
    for (int i = 0; i < EXAMINATION_COUNT && list; ++i) {
        list = json_with_item(list,
                              json_pack("{s:s, s:s, s:s, s:s?}", "subject", examinations[i].subject,
                                        "state", condition_names[findings[i].state], "finding",
                                        findings[i].text, "cure", findings[i].cure));
    }
    return json_pack("{s:s, s:o}", "version", atemi_version(), "findings", list);
}

static int examine(bool json)
{
    finding findings[EXAMINATION_COUNT];
    int     code = EXIT_DONE;
    for (int i = 0; i < EXAMINATION_COUNT; ++i) {
        examinations[i].look(&findings[i]);
        code = findings[i].state == CONDITION_BROKEN ? EXIT_JOB_FAILED : code;
    }
    if (json) {
        return json_print(findings_json(findings), code);
    }
    print_findings(findings);
    return code;
}

int command_doctor(int argc, char **argv)
{
    bool           json = false;
    const argument none[] = {{0}};
    const argument options[] = {{.name = "json", .help = "print one JSON object", .flag = &json},
                                {0}};
    const command_usage usage = {
        .command = "doctor",
        .purpose = "Checks what atemi needs on this machine, and says how to fix what is\n"
                   "missing.\n",
        .positionals = none,
        .options = options,
        .notes = "Exit code 1: something is broken. A missing optional part is no failure.\n\n"
                 "example:\n  atemi doctor\n"};
    const int code = arguments_read(&usage, argc, argv);
    return code == ARGUMENTS_READY ? examine(json) : code;
}
