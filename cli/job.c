// SPDX-License-Identifier: Apache-2.0

#include "job.h"

#include "command.h"
#include "final_state.h"
#include "io/bytes/visible.h"
#include "jobs/registry.h"
#include "json_output.h"
#include "output.h"
#include "packages.h"
#include "progress.h"
#include "recorded_table.h"
#include "report.h"

#include "atemi/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A job's flags are the bits of an unsigned; with those of one extra and those of all jobs its
// options are fewer than twice as many. Help is cut to fit.
enum {
    MAX_FLAGS = 32,
    MAX_OPTIONS = 2 * MAX_FLAGS,
    HEADING_SIZE = 1280,
    HELP_SIZE = 256,
    NOTES_SIZE = 2048
};

// What subcommands have beside their job.
static const job_extra *const extras[] = {&walk_extra, &strike_extra, &impact_extra};

// ---- The answer for people

static void print_heading(const atemi_recording *recording)
{
    char heading[HEADING_SIZE];
    snprintf(heading, sizeof heading, "%.200s: %.1000s", atemi_recording_robot(recording)->name,
             atemi_recording_outcome(recording));
    output_heading(heading);
}

// The answer in one sentence, as the page begins with it.
static void print_verdict(const atemi_recording *recording)
{
    const char *verdict = atemi_recording_verdict(recording);
    if (verdict) {
        output_text(verdict);
        putchar('\n');
    }
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

static int print_summary(const atemi_job *job, const atemi_recording *recording, double wall_time)
{
    atemi_text             text = {0};
    const atemi_job_effort effort = {.wall_time = wall_time, .message = progress_message()};
    job->summarize(&text, recording, &effort);
    const bool failed = text.failed;
    if (!failed && text.bytes) {
        fputs(text.bytes, stdout);
    }
    atemi_text_destroy(&text);
    return failed ? output_fail("no memory for the answer") : EXIT_DONE;
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
    return json_pack("{s:o, s:o, s:s, s:o, s:o, s:b, s:o, s:i, s:o, s:o, s:o, s:o}", "scenario",
                     json_from_text(request->scenario), "robot", json_from_text(robot->name),
                     "base", atemi_base_text(robot->base), "outcome",
                     json_from_text(atemi_recording_outcome(recording)), "verdict",
                     json_from_text(atemi_recording_verdict(recording)), "completed",
                     atemi_recording_result_value(recording, "completed") == 1.0, "warnings",
                     warnings_json(recording), "rows", atemi_recording_row_count(recording),
                     "results", results_json(recording), "recording", path_json(request->folder),
                     "report", path_json(request->report), "figures", path_json(request->figures));
}

static json_t *whole_json(const atemi_job *job, const job_request *request,
                          const atemi_recording *recording)
{
    json_t *answer = recorded_tables_extend_json(answer_json(request, recording), recording);
    return job->final ? final_state_extend_json(answer, recording) : answer;
}

// ---- Showing it

static int code_of(const atemi_recording *recording)
{
    if (progress_was_interrupted()) {
        return progress_interrupted_code();
    }
    return atemi_recording_result_value(recording, "completed") == 1.0 ? EXIT_DONE
                                                                       : EXIT_JOB_FAILED;
}

static int print_answer(const atemi_job *job, const job_request *request,
                        const atemi_recording *recording, double wall_time)
{
    print_heading(recording);
    print_verdict(recording);
    const int code = print_summary(job, recording, wall_time);
    if (job->final && atemi_recording_row_count(recording) > 0) {
        final_state_print(recording);
    }
    print_tables(job->tables, recording);
    print_places(request);
    return code;
}

static int show(const job_request *request, const atemi_recording *recording, double wall_time)
{
    const int        code = code_of(recording);
    const atemi_job *job = atemi_registry_at(atemi_registry_index(atemi_recording_job(recording)));
    if (request->json) {
        return json_print(whole_json(job, request, recording), code);
    }
    const int printed = print_answer(job, request, recording, wall_time);
    return printed ? printed : code;
}

// ---- What is wrong

static int check_places(const job_request *request)
{
    atemi_error error;
    if (request->folder && atemi_recording_check_folder(request->folder, &error)) {
        return output_error(&error);
    }
    return report_check(request->report, request->figures);
}

static int check_request(const char *name, const job_request *request)
{
    const bool keeps = request->folder || request->report || request->figures;
    if (request->explain && (keeps || request->json)) {
        return output_refuse("--explain runs nothing and prints a scenario; leave --out, --report, "
                             "--figures and --json out");
    }
    if (!request->explain && !request->scenario) {
        return output_refuse("SCENARIO.yaml is missing; see 'atemi %s --help'", name);
    }
    const int code = check_places(request);
    return code ? code : packages_use(request->packages);
}

// ---- The way there

// Lines, each with its end, as visible.h shows them: texts with odd characters stand in double
// quotes, in which YAML knows the same escapes.
static int print_scenario(char *text)
{
    char *visible = (char *)atemi_allocate(ATEMI_VISIBLE_GROWTH * strlen(text) + 1);
    if (!visible) {
        return output_fail("no memory to print the scenario");
    }
    for (char *line = text, *end = strchr(text, '\n'); end; end = strchr(line, '\n')) {
        *end = '\0';
        atemi_visible_text(line, visible, ATEMI_VISIBLE_GROWTH * strlen(line) + 1);
        puts(visible);
        line = end + 1;
    }
    atemi_release(visible);
    return EXIT_DONE;
}

static int explain(const char *job, const job_request *request)
{
    char       *text;
    atemi_error error;
    if (atemi_job_explain(job, request->scenario, &text, &error)) {
        return output_error(&error);
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
    hooks.threads = request->threads;
    return hooks;
}

static int do_it(const char *job, const job_request *request)
{
    atemi_recording        *recording;
    atemi_error             error;
    const double            begin = progress_clock();
    const atemi_job_options options = {.flags = request->flags, .hooks = hooks_of(request)};
    const atemi_status status = atemi_job_run(job, request->scenario, &options, &recording, &error);
    const double       wall_time = progress_clock() - begin;
    progress_end();
    if (status) {
        return output_error(&error);
    }
    job_request written = *request;
    const int   code = write_results(&written, recording);
    const int   shown = show(&written, recording, wall_time);
    atemi_recording_destroy(recording);
    return code ? code : shown;
}

// `job` is NULL for the one that the scenario is for.
static int run(const char *job, const job_request *request)
{
    return request->explain ? explain(job, request) : do_it(job, request);
}

// ---- Arguments

static int add_options(const argument *from, argument *options, int count)
{
    for (; from && from->name; ++from) {
        options[count++] = *from;
    }
    return count;
}

static int add_flags(const atemi_job *job, bool given[MAX_FLAGS], argument *options)
{
    for (int i = 0; i < job->flag_count; ++i) {
        options[i] = (argument){.name = job->flags[i].name, .help = job->flags[i].help};
        options[i].flag = &given[i];
    }
    return job->flag_count;
}

static unsigned mask_of(const bool *given)
{
    unsigned mask = 0;
    for (int i = 0; i < MAX_FLAGS; ++i) {
        mask |= given[i] ? 1U << i : 0U;
    }
    return mask;
}

static const job_extra *find_extra(const char *job)
{
    for (size_t i = 0; i < sizeof extras / sizeof *extras; ++i) {
        if (strcmp(extras[i]->job, job) == 0) {
            return extras[i];
        }
    }
    return NULL;
}

// As the system names it: jobs open their scenario by a path.
static void name_standard_input(job_request *request)
{
    if (request->scenario && strcmp(request->scenario, "-") == 0) {
        request->scenario = "/dev/stdin";
    }
}

static void write_notes(const atemi_job *job, char notes[NOTES_SIZE])
{
    snprintf(notes, NOTES_SIZE,
             "%s%s--explain without a scenario shows all keys. Ctrl-C ends the job, keeps the\n"
             "results so far and makes the exit code 130. The exit code is 1 if\n"
             "%s\n\nexamples:\n%s",
             job->notes ? job->notes : "", job->notes ? "\n" : "", job->fails, job->examples);
}

// Reads the arguments of a subcommand: `own` ones, and those that all have.
static int read_arguments(command_usage *usage, const char *keys, argument *options, int own,
                          int argc, char **argv, job_request *request)
{
    char help[HELP_SIZE];
    snprintf(help, sizeof help, "%s;\n- for standard input", keys);
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
        PACKAGES_OPTION(&request->packages),
        {.name = "json", .help = "print one JSON object", .flag = &request->json},
        {.name = "explain",
         .help = "do nothing; print every key with its value,\n"
                 "default, unit, range and help",
         .flag = &request->explain},
        {0}};
    (void)add_options(common, options, own);
    usage->positionals = positionals;
    usage->options = options;
    const int code = arguments_read(usage, argc, argv);
    usage->positionals = NULL;
    usage->options = NULL;
    name_standard_input(request);
    return code;
}

int command_job(int argc, char **argv)
{
    const atemi_job *job = atemi_registry_at(atemi_registry_index(argv[0]));
    const job_extra *extra = find_extra(job->name);
    bool             flags[MAX_FLAGS] = {false};
    char             notes[NOTES_SIZE];
    argument         options[MAX_OPTIONS] = {{0}};
    job_request      request = {0};
    command_usage    usage = {.command = job->name, .purpose = job->purpose, .notes = notes};
    write_notes(job, notes);
    const int own =
        add_options(extra ? extra->options : NULL, options, add_flags(job, flags, options));
    int code = read_arguments(&usage, job->keys, options, own, argc, argv, &request);
    request.flags = mask_of(flags);
    if (code == ARGUMENTS_READY && extra) {
        code = extra->answer(&request);
    }
    if (code == ARGUMENTS_READY) {
        code = check_request(job->name, &request);
    }
    return code == ARGUMENTS_READY ? run(job->name, &request) : code;
}

int command_run(int argc, char **argv)
{
    argument      options[MAX_OPTIONS] = {{0}};
    job_request   request = {0};
    command_usage usage = {
        .command = "run",
        .purpose = "Runs a scenario with the job it is for: the one that its key 'job' names, or\n"
                   "else the only job that accepts all its keys.\n",
        .notes =
            "Options of one job only belong to 'atemi JOB'. The exit code is that of the job.\n\n"
            "examples:\n"
            "  atemi run scenarios/ice.yaml --report ice.html\n"
            "  atemi run scenarios/ice.yaml --explain\n"};
    int code = read_arguments(&usage, "of any job", options, 0, argc, argv, &request);
    if (code == ARGUMENTS_READY && !request.scenario) {
        code = output_refuse("SCENARIO.yaml is missing; see 'atemi run --help'");
    }
    if (code == ARGUMENTS_READY) {
        code = check_request("run", &request);
    }
    return code == ARGUMENTS_READY ? run(NULL, &request) : code;
}
