// SPDX-License-Identifier: Apache-2.0

#include "jobs/job.h"

#include "atemi/base.h"
#include "io/bytes/text.h"
#include "io/scenario/scenario_warning.h"
#include "jobs/job_choice.h"
#include "jobs/job_numbers.h"
#include "jobs/registry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Running

// A path that no text can hold is left out.
static atemi_status keep_warnings(const atemi_scenario_reader *reader, atemi_recording *recording,
                                  atemi_error *error)
{
    int                           count;
    const atemi_scenario_warning *warnings = atemi_scenario_warnings(reader, &count);
    atemi_status                  status = ATEMI_OK;
    for (int i = 0; i < count && !status; ++i) {
        atemi_recorded_warning warning = warnings[i];
        warning.file = warning.file && atemi_text_is_utf8(warning.file) ? warning.file : NULL;
        status = atemi_recording_add_warning(recording, &warning, error);
    }
    return status;
}

// Nothing that a job says is to be relied on after a bug.
static atemi_status fail_on_contract(atemi_error *error)
{
    atemi_violation last;
    atemi_contracts_broken(&last);
    return atemi_fail(error, ATEMI_ERROR_CONTRACT,
                      "a bug of atemi: %s:%d: broken contract of %s(): %s; please report it with "
                      "the scenario",
                      last.file, last.line, last.function, last.expression);
}

// One that was shown under way has them.
static atemi_status add_plots(const atemi_job *job, atemi_recording *recording, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    if (atemi_recording_plot_count(recording) > 0) {
        return ATEMI_OK;
    }
    for (const atemi_recorded_plot *const *plot = job->plots; plot && *plot && !status; ++plot) {
        status = atemi_recording_add_plot(recording, *plot, error);
    }
    return status;
}

atemi_status atemi_job_add_story(const atemi_job *job, atemi_recording *recording,
                                 atemi_error *error)
{
    const atemi_status status =
        job->story ? atemi_job_tell_story(job->story, recording, error) : ATEMI_OK;
    return status ? status : add_plots(job, recording, error);
}

atemi_status atemi_job_run_reader(const atemi_job *job, atemi_scenario_reader *reader,
                                  const char *file, const atemi_job_options *options,
                                  atemi_recording **recording, atemi_error *error)
{
    const long broken = atemi_contracts_broken(NULL);
    atemi_job_choice_read(reader, job->name);
    atemi_status status = job->run(reader, file, options ? options->flags : 0,
                                   options ? &options->hooks : NULL, recording, error);
    if (status) {
        atemi_job_choice_hint(reader, job, error);
    }
    if (!status) {
        status = keep_warnings(reader, *recording, error);
    }
    if (!status) {
        status = atemi_job_judge_numbers(*recording, error);
    }
    if (!status) {
        status = atemi_job_add_story(job, *recording, error);
    }
    if (atemi_contracts_broken(NULL) != broken) {
        status = fail_on_contract(error);
    }
    if (status) {
        atemi_recording_destroy(*recording);
        *recording = NULL;
    }
    return status;
}

// Without a name, the scenario says which job it is for.
static atemi_status find_job(const char *name, atemi_scenario_reader *reader, const atemi_job **job,
                             atemi_error *error)
{
    return name ? atemi_registry_find(name, job, error) : atemi_job_choice_find(reader, job, error);
}

// Closes the reader.
static atemi_status run_and_close(const char *name, atemi_scenario_reader *reader, const char *file,
                                  const atemi_job_options *options, atemi_recording **recording,
                                  atemi_error *error)
{
    const atemi_job *job;
    atemi_status     status = find_job(name, reader, &job, error);
    if (!status) {
        status = atemi_job_run_reader(job, reader, file, options, recording, error);
    }
    atemi_scenario_close(reader);
    return status;
}

atemi_status atemi_job_run(const char *job, const char *path, const atemi_job_options *options,
                           atemi_recording **recording, atemi_error *error)
{
    ATEMI_REQUIRE_OR(path && recording, ATEMI_ERROR_CONTRACT);
    atemi_scenario_reader *reader;
    atemi_error            own;
    error = error ? error : &own;
    *recording = NULL;
    const atemi_status status = atemi_scenario_open(path, &reader, error);
    return status ? status : run_and_close(job, reader, path, options, recording, error);
}

atemi_status atemi_job_run_text(const char *job, const char *text, size_t size, const char *file,
                                const atemi_job_options *options, atemi_recording **recording,
                                atemi_error *error)
{
    ATEMI_REQUIRE_OR((text || size == 0) && recording, ATEMI_ERROR_CONTRACT);
    atemi_scenario_reader *reader;
    atemi_error            own;
    error = error ? error : &own;
    *recording = NULL;
    const atemi_status status = atemi_scenario_open_text(text, size, file, &reader, error);
    return status ? status : run_and_close(job, reader, file, options, recording, error);
}

atemi_status atemi_job_of_scenario(const char *path, const char **job, atemi_error *error)
{
    ATEMI_REQUIRE_OR(path && job, ATEMI_ERROR_CONTRACT);
    atemi_scenario_reader *reader;
    const atemi_job       *found;
    *job = NULL;
    atemi_status status = atemi_scenario_open(path, &reader, error);
    if (!status) {
        status = atemi_job_choice_find(reader, &found, error);
        *job = status ? NULL : found->name;
        atemi_scenario_close(reader);
    }
    return status;
}

// ---- Explaining

// Keys are asked for once: the scenario is opened again.
static atemi_status annotate(const atemi_job *job, const atemi_scenario_reader *reader,
                             const char *file, atemi_text *text, atemi_error *error)
{
    size_t                 size;
    const char            *source = atemi_scenario_source(reader, &size);
    atemi_scenario_reader *again;
    atemi_status           status = atemi_scenario_open_text(source, size, file, &again, error);
    if (!status) {
        atemi_job_choice_read(again, job->name);
        status = job->annotate(again, file, text, error);
        atemi_scenario_close(again);
    }
    return status;
}

// @param file NULL for a blank reader, of which nothing follows
static atemi_status write_explanation(const atemi_job *job, const atemi_scenario_reader *reader,
                                      const char *file, atemi_text *text, atemi_error *error)
{
    char        *keys = atemi_scenario_explain(reader);
    atemi_status status = ATEMI_OK;
    text->failed = !keys;
    atemi_text_put_string(text, keys ? keys : "");
    atemi_release(keys);
    if (job->annotate && file && keys) {
        status = annotate(job, reader, file, text, error);
    }
    return status || !text->failed
               ? status
               : atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to explain a scenario");
}

static atemi_status explain(const atemi_job *job, atemi_scenario_reader *reader, const char *file,
                            char **text, atemi_error *error)
{
    atemi_job_choice_read(reader, job->name);
    atemi_text   written = {0};
    atemi_status status = job->read(reader, file, error);
    if (status) {
        atemi_job_choice_hint(reader, job, error);
        return status;
    }
    status = write_explanation(job, reader, file, &written, error);
    if (status) {
        atemi_text_destroy(&written);
    }
    *text = written.bytes;
    return status;
}

atemi_status atemi_job_explain(const char *job, const char *path, char **text, atemi_error *error)
{
    ATEMI_REQUIRE_OR((job || path) && text, ATEMI_ERROR_CONTRACT);
    atemi_scenario_reader *reader;
    const atemi_job       *found;
    atemi_error            own;
    error = error ? error : &own;
    *text = NULL;
    atemi_status status = path ? atemi_scenario_open(path, &reader, error)
                               : atemi_scenario_open_blank(&reader, error);
    if (status) {
        return status;
    }
    status = find_job(job, reader, &found, error);
    if (!status) {
        status = explain(found, reader, path, text, error);
    }
    atemi_scenario_close(reader);
    return status;
}

// ---- Rows

// A number takes 8 bytes in memory and, as text of up to 24 characters with a comma, about 12 on
// the disk: many are short, as 0 and 1 are.
static void announce(double rows, int columns, bool streamed)
{
    enum { SIZE = 96 };
    char         size[SIZE];
    const double numbers = rows * columns;
    if (streamed) {
        snprintf(size, SIZE, "about %.2g GB on the disk", 12e-9 * numbers);
    } else {
        snprintf(size, SIZE, "%.2g GB of memory, and about %.2g GB on the disk if it is kept",
                 8e-9 * numbers, 12e-9 * numbers);
    }
    atemi_log(ATEMI_LOG_WARNING,
              "the recording will have about %.3g rows of %d numbers: %s; a longer record.every "
              "makes it smaller",
              rows, columns, size);
}

// Whoever follows the job sees what it is about, and its plots.
static atemi_status show_begin(const atemi_job_hooks *hooks, const atemi_job_subject *subject,
                               atemi_recording *recording, atemi_error *error)
{
    const atemi_job *job;
    atemi_status     status = atemi_registry_find(subject->job, &job, error);
    if (!status) {
        status = atemi_job_describe(recording, subject->reader, subject->robot, subject->job,
                                    "under way", error);
    }
    if (!status) {
        status = add_plots(job, recording, error);
    }
    if (!status) {
        hooks->begun(hooks->context, recording);
    }
    return status;
}

atemi_status atemi_job_expect_rows(const atemi_job_hooks *hooks, const atemi_job_subject *subject,
                                   double rows, atemi_recording *recording, atemi_error *error)
{
    const char *folder = hooks ? hooks->folder : NULL;
    const int   columns = atemi_recording_channel_count(recording);
    if (8.0 * rows * columns > 200e6) {
        announce(rows, columns, folder != NULL);
    }
    const atemi_status status =
        folder ? atemi_recording_stream_to(recording, folder, error) : ATEMI_OK;
    return status || !hooks || !hooks->begun ? status
                                             : show_begin(hooks, subject, recording, error);
}

// ---- What jobs say

atemi_status atemi_job_add_results(atemi_recording *recording, const atemi_recorded_value *values,
                                   size_t count, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < count && !status; ++i) {
        const bool                  is_known = isfinite(values[i].value);
        const atemi_recorded_result result = {.name = values[i].name,
                                              .value = is_known ? values[i].value : (double)NAN,
                                              .unit = values[i].unit,
                                              .printed = NAN,
                                              .tolerance = NAN};
        status = atemi_recording_add_result(recording, &result, error);
    }
    return status;
}

static bool may_touch(const atemi_scenario_contacts *contacts, int surface)
{
    bool found = false;
    for (int i = 0; i < contacts->count && !found; ++i) {
        found = contacts->points[i].surface == surface;
    }
    return found;
}

atemi_status atemi_job_add_surfaces(atemi_recording               *recording,
                                    const atemi_scenario_surfaces *surfaces,
                                    const atemi_scenario_contacts *contacts, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < surfaces->count && !status; ++i) {
        const atemi_recorded_surface surface = {surfaces->names[i], surfaces->surfaces[i]};
        if (!contacts || may_touch(contacts, i)) {
            status = atemi_recording_add_surface(recording, &surface, error);
        }
    }
    return status;
}

atemi_status atemi_job_describe(atemi_recording *recording, const atemi_scenario_reader *reader,
                                const atemi_scenario_robot *robot, const char *name,
                                const char *outcome, atemi_error *error)
{
    atemi_recorded_job job = {.name = name,
                              .outcome = outcome,
                              .robot = robot->model,
                              .urdf = robot->urdf,
                              .urdf_size = robot->urdf_size,
                              .robot_file = robot->file};
    job.scenario = atemi_scenario_source(reader, &job.scenario_size);
    return atemi_recording_describe(recording, &job, error);
}

bool atemi_job_goes_on(const atemi_job_hooks *hooks, double done)
{
    return !hooks || !hooks->progress || hooks->progress(hooks->context, done);
}

void atemi_job_message(const atemi_job_hooks *hooks, const char *format, ...)
{
    char    text[256];
    va_list arguments;
    if (hooks && hooks->tell) {
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        hooks->tell(hooks->context, text);
    }
}

// ---- For people

void atemi_job_summarize_time(atemi_text *text, const atemi_recording *recording,
                              const atemi_job_effort *effort)
{
    const double duration = atemi_recording_result_value(recording, "duration");
    atemi_text_append(text, "  time      %.6g s simulated in %.3g s, %.3g times real time\n",
                      duration, effort->wall_time,
                      effort->wall_time > 0.0 ? duration / effort->wall_time : 0.0);
}

// In tenths of a millimetre: a ZMP on the edge is not outside by rounding.
void atemi_job_summarize_margin(atemi_text *text, const atemi_recording *recording)
{
    const double margin =
        0.1 * round(1e4 * atemi_recording_result_value(recording, "least_zmp_margin"));
    if (isfinite(margin)) {
        atemi_text_append(text,
                          "  ZMP       %.4g mm %s the edge of the support polygon at the "
                          "least\n",
                          fabs(margin), margin >= 0.0 ? "inside" : "OUTSIDE");
    }
}
