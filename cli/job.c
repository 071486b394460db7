// SPDX-License-Identifier: Apache-2.0

#include "job.h"

#include "command.h"
#include "job_of_scenario.h"
#include "json_output.h"
#include "output.h"
#include "progress.h"
#include "recorded_table.h"
#include "report.h"
#include "visible.h"

#include "atemi/allocator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OPTIONS = 16, HEADING_SIZE = 1280, MESSAGE_SIZE = 2048, HELP_SIZE = 256 };

// ---- Figures that several kinds of jobs show

void job_print_time(const atemi_recording *recording, double wall_time)
{
    const double duration = atemi_recording_result_value(recording, "duration");
    printf("  time      %.6g s simulated in %.3g s, %.3g times real time\n", duration, wall_time,
           wall_time > 0.0 ? duration / wall_time : 0.0);
}

// In tenths of a millimetre: a ZMP on the edge is not outside by rounding.
void job_print_least_margin(const atemi_recording *recording)
{
    const double margin =
        0.1 * round(1e4 * atemi_recording_result_value(recording, "least_zmp_margin"));
    if (isfinite(margin)) {
        printf("  ZMP       %.4g mm %s the edge of the support polygon at the least\n",
               fabs(margin), margin >= 0.0 ? "inside" : "OUTSIDE");
    }
}

// ---- The answer for people

static void print_heading(const atemi_recording *recording)
{
    char heading[HEADING_SIZE];
    snprintf(heading, sizeof heading, "%.200s: %.1000s", atemi_recording_robot(recording)->name,
             atemi_recording_outcome(recording));
    output_heading(heading);
}

static void print_tables(const char *const *names, const atemi_recording *recording)
{
    for (; names && *names; ++names) {
        const atemi_recorded_table *table = recorded_table_find(recording, *names);
        if (table && table->row_count > 0) {
            recorded_table_print(table);
        }
    }
}

static void print_place(const char *what, const char *path)
{
    if (path) {
        printf("  %-10s", what);
        output_text(path);
        putchar('\n');
    }
}

static void print_places(const job_request *request)
{
    if (request->folder || request->report || request->figures) {
        putchar('\n');
    }
    print_place("recording", request->folder);
    print_place("report", request->report);
    print_place("figures", request->figures);
}

// ---- The answer as JSON

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

static json_t *warnings_json(const atemi_recording *recording)
{
    json_t *warnings = json_array();
    for (int i = 0; i < atemi_recording_warning_count(recording) && warnings; ++i) {
        const atemi_recorded_warning *warning = atemi_recording_warning(recording, i);
        warnings =
            json_with_item(warnings, json_pack("{s:s?, s:i, s:i, s:s}", "file", warning->file,
                                               "line", warning->line, "column", warning->column,
                                               "message", warning->message));
    }
    return warnings;
}

static json_t *path_json(const char *path)
{
    return path ? json_from_text(path) : json_null();
}

// Without what depends on the machine.
static json_t *answer_json(const job_request *request, const atemi_recording *recording)
{
    const atemi_recorded_robot *robot = atemi_recording_robot(recording);
    return json_pack("{s:o, s:o, s:s, s:o, s:b, s:o, s:i, s:o, s:o, s:o, s:o}", "scenario",
                     json_from_text(request->scenario), "robot", json_from_text(robot->name),
                     "base", atemi_base_text(robot->base), "outcome",
                     json_from_text(atemi_recording_outcome(recording)), "completed",
                     atemi_recording_result_value(recording, "completed") == 1.0, "warnings",
                     warnings_json(recording), "rows", atemi_recording_row_count(recording),
                     "results", results_json(recording), "recording", path_json(request->folder),
                     "report", path_json(request->report), "figures", path_json(request->figures));
}

static json_t *whole_json(const job_kind *kind, const job_request *request,
                          const atemi_recording *recording)
{
    json_t *answer = recorded_tables_extend_json(answer_json(request, recording), recording);
    return kind->extend ? kind->extend(answer, recording) : answer;
}

// ---- Showing it

static int code_of(const atemi_recording *recording)
{
    if (progress_was_interrupted()) {
        return EXIT_INTERRUPTED;
    }
    return atemi_recording_result_value(recording, "completed") == 1.0 ? EXIT_DONE
                                                                       : EXIT_JOB_FAILED;
}

static int show(const job_kind *kind, const job_request *request, const atemi_recording *recording,
                double wall_time)
{
    const int code = code_of(recording);
    if (request->json) {
        return json_print(whole_json(kind, request, recording), code);
    }
    print_heading(recording);
    kind->print(recording, wall_time);
    print_tables(kind->tables, recording);
    print_places(request);
    return code;
}

// ---- What is wrong

// A scenario of another job is told from one with a mistake.
static int refuse_scenario(const job_kind *kind, const char *scenario, const atemi_error *error)
{
    const bool  is_wrong = scenario && error->status == ATEMI_ERROR_INPUT;
    const char *job = is_wrong ? job_of_scenario(scenario, kind->name) : NULL;
    if (!job || strcmp(job, kind->name) == 0) {
        return output_error(error);
    }
    char text[MESSAGE_SIZE];
    atemi_error_format(error, text, (int)sizeof text);
    return output_refuse("%s; 'atemi %s' takes it as it is", text, job);
}

static int check_places(const job_request *request)
{
    atemi_error error;
    if (request->folder && atemi_recording_check_folder(request->folder, &error)) {
        return output_error(&error);
    }
    return report_check(request->report, request->figures);
}

static int check_request(const job_kind *kind, const job_request *request)
{
    const bool keeps = request->folder || request->report || request->figures;
    if (request->explain && (keeps || request->json)) {
        return output_refuse("--explain runs nothing and prints a scenario; leave --out, --report, "
                             "--figures and --json out");
    }
    if (!request->explain && !request->scenario) {
        return output_refuse("SCENARIO.yaml is missing; see 'atemi %s --help'", kind->name);
    }
    return check_places(request);
}

// ---- The way there

// Lines, each with its end, as visible.h shows them: texts with odd characters stand in double
// quotes, in which YAML knows the same escapes.
static int print_scenario(char *text)
{
    char *visible = (char *)atemi_allocate(VISIBLE_GROWTH * strlen(text) + 1);
    if (!visible) {
        return output_fail("no memory to print the scenario");
    }
    for (char *line = text, *end = strchr(text, '\n'); end; end = strchr(line, '\n')) {
        *end = '\0';
        visible_text(line, visible, VISIBLE_GROWTH * strlen(line) + 1);
        puts(visible);
        line = end + 1;
    }
    atemi_release(visible);
    return EXIT_DONE;
}

static int explain(const job_kind *kind, const job_request *request)
{
    char       *text;
    atemi_error error;
    if (kind->explain(request->scenario, &text, &error)) {
        return refuse_scenario(kind, request->scenario, &error);
    }
    const int code = print_scenario(text);
    atemi_release(text);
    return code;
}

// What cannot be written is no more asked for: the answer tells what there is.
static int write_results(job_request *request, const atemi_recording *recording)
{
    atemi_error error;
    int         code = EXIT_DONE;
    if (request->folder && atemi_recording_write(recording, request->folder, &error)) {
        code = output_failure(&error);
        request->folder = NULL;
    }
    if (request->report && report_write(recording, request->report, NULL)) {
        code = EXIT_JOB_FAILED;
        request->report = NULL;
    }
    if (request->figures && report_write(recording, NULL, request->figures)) {
        code = EXIT_JOB_FAILED;
        request->figures = NULL;
    }
    return code;
}

// Rows go to the recording's folder as they come, unless pages or figures need them afterwards.
static atemi_job_hooks hooks_of(const job_request *request)
{
    atemi_job_hooks hooks = *progress_begin();
    hooks.folder = request->report || request->figures ? NULL : request->folder;
    return hooks;
}

static int do_it(const job_kind *kind, const job_request *request)
{
    atemi_recording      *recording;
    atemi_error           error;
    const double          begin = progress_clock();
    const atemi_job_hooks hooks = hooks_of(request);
    const atemi_status    status = kind->run(request->scenario, &hooks, &recording, &error);
    const double          wall_time = progress_clock() - begin;
    progress_end();
    if (status) {
        return refuse_scenario(kind, request->scenario, &error);
    }
    job_request written = *request;
    const int   code = write_results(&written, recording);
    const int   shown = show(kind, &written, recording, wall_time);
    atemi_recording_destroy(recording);
    return code ? code : shown;
}

int job_run(const job_kind *kind, const job_request *request)
{
    const int code = check_request(kind, request);
    if (code) {
        return code;
    }
    return request->explain ? explain(kind, request) : do_it(kind, request);
}

// ---- Arguments

static int add_options(const argument *from, argument *options, int count)
{
    for (; from && from->name; ++from) {
        options[count++] = *from;
    }
    return count;
}

// As the system names it: jobs open their scenario by a path.
static void name_standard_input(job_request *request)
{
    if (request->scenario && strcmp(request->scenario, "-") == 0) {
        request->scenario = "/dev/stdin";
    }
}

int job_read(const job_kind *kind, int argc, char **argv, job_request *request)
{
    char help[HELP_SIZE];
    snprintf(help, sizeof help, "%s;\n- for standard input", kind->scenario);
    const argument positionals[] = {
        {.name = "SCENARIO.yaml", .help = help, .text = &request->scenario, .optional = true}, {0}};
    const argument common[] = {
        {.name = "out",
         .letter = 'o',
         .value = "DIR",
         .help = "keep the recording in this folder: recording.csv,\n"
                 "summary.json, robot.urdf, scenario.yaml",
         .text = &request->folder},
        {.name = "report",
         .value = "FILE.html",
         .help = "write a page that opens in any browser",
         .text = &request->report},
        {.name = "figures",
         .value = "FOLDER",
         .help = "write pictures (SVG) into this folder",
         .text = &request->figures},
        {.name = "json", .help = "print one JSON object", .flag = &request->json},
        {.name = "explain",
         .help = "do nothing; print every key with its value,\n"
                 "default, unit, range and help",
         .flag = &request->explain},
        {0}};
    argument            options[MOST_OPTIONS] = {{0}};
    const int           own = add_options(kind->options, options, 0);
    const command_usage usage = {.command = kind->name,
                                 .purpose = kind->purpose,
                                 .positionals = positionals,
                                 .options = options,
                                 .notes = kind->notes};
    (void)add_options(common, options, own);
    const int code = arguments_read(&usage, argc, argv);
    name_standard_input(request);
    return code;
}

int job_command(const job_kind *kind, int argc, char **argv)
{
    job_request request = {0};
    const int   code = job_read(kind, argc, argv, &request);
    return code == ARGUMENTS_READY ? job_run(kind, &request) : code;
}
