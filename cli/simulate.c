// SPDX-License-Identifier: Apache-2.0

#include "simulate.h"

#include "arguments.h"
#include "command.h"
#include "json_output.h"
#include "output.h"
#include "progress.h"

#include "atemi/allocator.h"
#include "atemi/report.h"
#include "atemi/simulate.h"

#include <stdio.h>
#include <string.h>

typedef struct simulate_request {
    const char *scenario; ///< NULL for none, to be explained
    const char *folder;
    const char *report;
    bool        json, explain;
} simulate_request;

static int explain(const simulate_request *request)
{
    char       *text;
    atemi_error error;
    if (atemi_simulate_explain(request->scenario, &text, &error)) {
        return output_error(&error);
    }
    fputs(text, stdout);
    atemi_release(text);
    return EXIT_DONE;
}

static int write_results(const simulate_request *request, const atemi_recording *recording)
{
    atemi_error  error;
    atemi_status status = ATEMI_OK;
    if (request->folder) {
        status = atemi_recording_write(recording, request->folder, &error);
    }
    if (!status && request->report) {
        status = atemi_report_write(recording, request->report, &error);
    }
    if (status) {
        (void)output_error(&error);
    }
    return status ? EXIT_JOB_FAILED : EXIT_DONE;
}

static int code_of(const atemi_recording *recording)
{
    if (progress_was_interrupted()) {
        return EXIT_INTERRUPTED;
    }
    return simulate_result(recording, "completed") == 1.0 ? EXIT_DONE : EXIT_JOB_FAILED;
}

static void print_files(const simulate_request *request)
{
    if (request->folder) {
        printf("\n  the recording is in %s\n", request->folder);
    }
    if (request->report) {
        printf("\n  open in a browser: %s\n", request->report);
    }
}

static int show(const simulate_request *request, const atemi_recording *recording, double wall_time)
{
    const int code = code_of(recording);
    if (request->json) {
        json_t *answer = simulate_json(recording, request->scenario, request->folder);
        json_t *report = request->report ? json_from_text(request->report) : json_null();
        return json_print(json_with_key(answer, "report", report), code);
    }
    simulate_print_text(recording, wall_time);
    print_files(request);
    return code;
}

static int simulate(const simulate_request *request)
{
    atemi_recording *recording;
    atemi_error      error;
    if (request->folder && atemi_recording_check_folder(request->folder, &error)) {
        return output_error(&error);
    }
    if (request->report && atemi_report_check(request->report, &error)) {
        return output_error(&error);
    }
    const double       begin = progress_clock();
    const atemi_status status =
        atemi_simulate_file(request->scenario, progress_begin(), &recording, &error);
    progress_end();
    if (status) {
        return output_error(&error);
    }
    int code = write_results(request, recording);
    if (!code) {
        code = show(request, recording, progress_clock() - begin);
    }
    atemi_recording_destroy(recording);
    return code;
}

int command_simulate(int argc, char **argv)
{
    simulate_request request = {0};
    const argument   positionals[] = {{.name = "SCENARIO.yaml",
                                       .help = "robot, start, torques, surfaces, contacts, duration",
                                       .text = &request.scenario,
                                       .optional = true},
                                      {0}};
    const argument   options[] = {
        {.name = "out",
           .value = "DIR",
           .help = "keep the recording in this folder: recording.csv,\n"
                     "summary.json, robot.urdf, scenario.yaml",
           .text = &request.folder},
        {.name = "report",
           .value = "FILE.html",
           .help = "write a page that opens in any browser",
           .text = &request.report},
        {.name = "json", .help = "print one JSON object", .flag = &request.json},
        {.name = "explain",
           .help = "do not simulate; print every key with its value,\n"
                     "default, unit, range and help",
           .flag = &request.explain},
        {0}};
    const command_usage usage = {
        .command = "simulate",
        .purpose = "Simulates a robot with contact: sticking, slipping, bumping, exactly.\n",
        .positionals = positionals,
        .options = options,
        .notes =
            "--explain without a scenario shows all keys there are. Ctrl-C ends the\n"
            "simulation and keeps what there is; the exit code is then 130. It is 1 where\n"
            "the motion cannot be continued, because contacts jam or contradict each other.\n\n"
            "example:\n  atemi simulate --explain\n"};
    const int code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    if (request.explain) {
        return explain(&request);
    }
    return request.scenario
               ? simulate(&request)
               : output_refuse("SCENARIO.yaml is missing; see 'atemi simulate --help'");
}
