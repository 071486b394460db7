// SPDX-License-Identifier: Apache-2.0

#include "job.h"

#include "command.h"
#include "json_output.h"
#include "output.h"
#include "progress.h"

#include "atemi/allocator.h"
#include "atemi/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double job_result(const atemi_recording *recording, const char *name)
{
    for (int i = 0; i < atemi_recording_result_count(recording); ++i) {
        const atemi_recorded_result *result = atemi_recording_result(recording, i);
        if (strcmp(result->name, name) == 0) {
            return result->value;
        }
    }
    return (double)NAN;
}

// ---- The answer

static json_t *results_json(const atemi_recording *recording)
{
    json_t *results = json_object();
    for (int i = 0; i < atemi_recording_result_count(recording) && results; ++i) {
        const atemi_recorded_result *result = atemi_recording_result(recording, i);
        results = json_with_key(results, result->name,
                                json_pack("{s:o, s:s}", "value", json_from_number(result->value),
                                          "unit", result->unit));
    }
    return results;
}

// Without what depends on the machine.
static json_t *answer_json(const job_request *request, const atemi_recording *recording)
{
    const atemi_recorded_robot *robot = atemi_recording_robot(recording);
    return json_pack("{s:o, s:o, s:s, s:o, s:b, s:i, s:o, s:o, s:o}", "scenario",
                     json_from_text(request->scenario), "robot", json_from_text(robot->name),
                     "base", atemi_base_text(robot->base), "outcome",
                     json_from_text(atemi_recording_outcome(recording)), "completed",
                     job_result(recording, "completed") == 1.0, "rows",
                     atemi_recording_row_count(recording), "results", results_json(recording),
                     "recording", request->folder ? json_from_text(request->folder) : json_null(),
                     "report", request->report ? json_from_text(request->report) : json_null());
}

static void print_files(const job_request *request)
{
    if (request->folder) {
        printf("\n  the recording is in %s\n", request->folder);
    }
    if (request->report) {
        printf("\n  open in a browser: %s\n", request->report);
    }
}

static int code_of(const atemi_recording *recording)
{
    if (progress_was_interrupted()) {
        return EXIT_INTERRUPTED;
    }
    return job_result(recording, "completed") == 1.0 ? EXIT_DONE : EXIT_JOB_FAILED;
}

static int show(const job_kind *kind, const job_request *request, const atemi_recording *recording,
                double wall_time)
{
    const int code = code_of(recording);
    if (request->json) {
        json_t *answer = answer_json(request, recording);
        return json_print(kind->extend ? kind->extend(answer, recording) : answer, code);
    }
    kind->print(recording, wall_time);
    print_files(request);
    return code;
}

// ---- The way there

static int explain(const job_kind *kind, const job_request *request)
{
    char       *text;
    atemi_error error;
    if (kind->explain(request->scenario, &text, &error)) {
        return output_error(&error);
    }
    fputs(text, stdout);
    atemi_release(text);
    return EXIT_DONE;
}

static int write_results(const job_request *request, const atemi_recording *recording)
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

static int do_it(const job_kind *kind, const job_request *request, const void *options)
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
        kind->run(request->scenario, options, progress_begin(), &recording, &error);
    progress_end();
    if (status) {
        return output_error(&error);
    }
    int code = write_results(request, recording);
    if (!code) {
        code = show(kind, request, recording, progress_clock() - begin);
    }
    atemi_recording_destroy(recording);
    return code;
}

int job_run(const job_kind *kind, const job_request *request, const void *options)
{
    if (request->explain) {
        return explain(kind, request);
    }
    return request->scenario
               ? do_it(kind, request, options)
               : output_refuse("SCENARIO.yaml is missing; see 'atemi %s --help'", kind->name);
}
