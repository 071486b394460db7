// SPDX-License-Identifier: Apache-2.0

#include "papers/r2/reproduce_r2_runs.h"

#include "atemi/job.h"
#include "io/bytes/embedded.h"

#include <math.h>
#include <string.h>

// ---- Scenarios ------------------------------------------------------------------------------

static const struct atemi_embedded_file *find_scenario(const char *name)
{
    for (int i = 0; i < atemi_embedded_scenarios_count; ++i) {
        if (strcmp(atemi_embedded_scenarios[i].name, name) == 0) {
            return &atemi_embedded_scenarios[i];
        }
    }
    return NULL;
}

// Puts a text with a change in place of it.
static bool change(const atemi_r2_change *c, atemi_text *text)
{
    const char *at = strstr(text->bytes, c->old);
    if (!at) {
        return false;
    }
    atemi_text changed = {0};
    atemi_text_put(&changed, text->bytes, (size_t)(at - text->bytes));
    atemi_text_put_string(&changed, c->now);
    atemi_text_put_string(&changed, at + strlen(c->old));
    atemi_text_destroy(text);
    *text = changed;
    return true;
}

atemi_status atemi_r2_write(const atemi_r2_scenario *scenario, atemi_text *text, atemi_error *error)
{
    const struct atemi_embedded_file *file = find_scenario(scenario->name);
    *text = (atemi_text){0};
    if (!file) {
        return atemi_fail(error, ATEMI_ERROR_NOT_FOUND, "no scenario '%s' inside the library",
                          scenario->name);
    }
    atemi_text_put(text, file->data, file->size);
    for (int i = 0; i < ATEMI_R2_CHANGES && scenario->changes[i].old && !text->failed; ++i) {
        if (!change(&scenario->changes[i], text)) {
            return atemi_fail(error, ATEMI_ERROR_NOT_FOUND, "scenario '%s' has no '%s' to change",
                              scenario->name, scenario->changes[i].old);
        }
    }
    return text->failed ? atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a scenario")
                        : ATEMI_OK;
}

// ---- Runs -----------------------------------------------------------------------------------

static bool on_progress(void *context, double done)
{
    const atemi_r2_study *study = (const atemi_r2_study *)context;
    return atemi_reproduction_goes_on(study->reproduction, study->from + study->part * done);
}

static atemi_status run_text(atemi_r2_study *study, const atemi_r2_scenario *scenario,
                             atemi_recording **recording, atemi_error *error)
{
    const atemi_job_options options = {.hooks = {.progress = on_progress, .context = study}};
    atemi_text              text;
    atemi_status            status = atemi_r2_write(scenario, &text, error);
    status = status ? status
                    : atemi_job_run_text("control", text.bytes, text.size, scenario->name, &options,
                                         recording, error);
    atemi_text_destroy(&text);
    return status;
}

atemi_status atemi_r2_run(atemi_r2_study *study, const atemi_r2_scenario *scenario, double part,
                          atemi_recording **recording, atemi_error *error)
{
    *recording = NULL;
    study->part = part;
    if (!on_progress(study, 0.0)) {
        return ATEMI_OK;
    }
    atemi_job_message(study->reproduction->hooks, "r2: %s", scenario->name);
    const atemi_status status = run_text(study, scenario, recording, error);
    study->from += part;
    if (study->reproduction->stopped) {
        atemi_recording_destroy(*recording);
        *recording = NULL;
    }
    return status;
}

// ---- Tables ---------------------------------------------------------------------------------

static const atemi_recorded_table *find_table(const atemi_recording *recording, const char *name)
{
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        const atemi_recorded_table *table = atemi_recording_table(recording, i);
        if (strcmp(table->name, name) == 0) {
            return table;
        }
    }
    return NULL;
}

double atemi_r2_largest(const atemi_recording *recording, const char *table, const char *column,
                        int first, int count)
{
    const atemi_recorded_table *t = find_table(recording, table);
    double                      largest = (double)NAN;
    for (int k = 0; t && k < t->column_count; ++k) {
        const bool is_meant = strcmp(t->columns[k].name, column) == 0;
        for (int i = first; is_meant && i < first + count && i < t->row_count; ++i) {
            largest = fmax(largest, t->values[i * t->column_count + k]);
        }
    }
    return largest;
}
