// SPDX-License-Identifier: Apache-2.0

#include "arguments.h"
#include "command.h"
#include "jobs/registry.h"
#include "json_output.h"
#include "table.h"

#include <stdio.h>

static void write_cell(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    (void)context;
    snprintf(text, TABLE_CELL_SIZE, "%s",
             column == 0 ? atemi_job_name(row) : atemi_job_summary(row));
}

static int print_jobs(void)
{
    static const table_column columns[] = {{"job", NULL, false}, {"does", NULL, false}};
    const text_table          table = {columns, 2, atemi_job_count(), write_cell, NULL, NULL};
    table_print(&table);
    puts("\n  'atemi JOB SCENARIO.yaml' runs one, 'atemi run SCENARIO.yaml' the one that the\n"
         "  scenario is for.");
    return EXIT_DONE;
}

static json_t *flags_json(const atemi_job *job)
{
    json_t *flags = json_array();
    for (int i = 0; i < job->flag_count && flags; ++i) {
        flags = json_with_item(flags, json_string(job->flags[i].name));
    }
    return flags;
}

static json_t *labels_json(const atemi_column *column)
{
    json_t *labels = column->label ? json_array() : json_null();
    for (int i = 0; column->label && column->label(i) && labels; ++i) {
        labels = json_with_item(labels, json_string(column->label(i)));
    }
    return labels;
}

static void add_column(void *context, const char *pattern, const atemi_column *column)
{
    json_t **columns = (json_t **)context;
    *columns = json_with_item(*columns, json_pack("{s:s, s:s?, s:s, s:o}", "name", pattern, "unit",
                                                  column->unit, "help", column->help, "labels",
                                                  labels_json(column)));
}

static json_t *columns_json(const atemi_job *job)
{
    json_t *columns = json_array();
    atemi_columns_describe(job->columns, add_column, (void *)&columns);
    return columns;
}

// The exit codes are those of every job; what 1 stands for differs.
static json_t *job_json(const atemi_job *job)
{
    return json_pack("{s:s, s:s, s:o, s:{s:s, s:s, s:s, s:s}, s:o}", "name", job->name, "summary",
                     job->summary, "flags", flags_json(job), "exit_codes", "0", "done", "1",
                     job->fails, "2", "bad usage or bad input", "130", "Ctrl-C", "columns",
                     columns_json(job));
}

static json_t *jobs_json(void)
{
    json_t *jobs = json_array();
    for (int i = 0; i < atemi_job_count() && jobs; ++i) {
        jobs = json_with_item(jobs, job_json(atemi_registry_at(i)));
    }
    return json_pack("{s:o}", "jobs", jobs);
}

int command_jobs(int argc, char **argv)
{
    bool           json = false;
    const argument none[] = {{0}};
    const argument options[] = {{.name = "json", .help = "print one JSON object", .flag = &json},
                                {0}};
    const command_usage usage = {.command = "jobs",
                                 .purpose = "Lists the jobs. A job runs a scenario and leaves a "
                                            "recording.\n",
                                 .positionals = none,
                                 .options = options,
                                 .notes = "example:\n  atemi jobs --json\n"};
    const int           code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    return json ? json_print(jobs_json(), EXIT_DONE) : print_jobs();
}
