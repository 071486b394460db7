// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "io/gait_graph.h"
#include "job.h"
#include "output.h"
#include "recorded_table.h"

#include "atemi/walk_job.h"

#include <stdio.h>

static atemi_status run(const char *scenario, const void *options, const atemi_job_hooks *hooks,
                        atemi_recording **recording, atemi_error *error)
{
    (void)options;
    return atemi_walk_file(scenario, hooks, recording, error);
}

static double result(const atemi_recording *recording, const char *name)
{
    return job_result(recording, name);
}

static void print_figures(const atemi_recording *r, double wall_time)
{
    printf("  time      %.5g s simulated in %.3g s\n", result(r, "duration"), wall_time);
    printf("  way       %.0f steps, %.5g m; %.3g m and %.3g s a step, %.3g km/h\n",
           result(r, "steps"), result(r, "distance"), result(r, "step_length"),
           result(r, "step_period"), 3.6 * result(r, "speed"));
    printf("  floor     %.0f slips by %.3g m in all, friction used up to %.2g; %.0f bumps up to "
           "%.3g N s\n",
           result(r, "slips"), result(r, "slip_distance"), result(r, "largest_friction_used"),
           result(r, "bumps"), result(r, "hardest_bump"));
    printf("  energy    %.4g J/m, cost of transport %.3g, torques up to %.0f %% of the limits\n",
           result(r, "energy_per_metre"), result(r, "cost_of_transport"),
           100.0 * result(r, "largest_torque_part"));
}

static void print(const atemi_recording *recording, double wall_time)
{
    static const char *const tables[] = {"slips", "bumps", "gait"};
    char                     heading[1024];
    snprintf(heading, sizeof heading, "%.200s: %.800s", atemi_recording_robot(recording)->name,
             atemi_recording_outcome(recording));
    output_heading(heading);
    print_figures(recording, wall_time);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
        const atemi_recorded_table *table = recorded_table_find(recording, tables[i]);
        if (table->row_count > 0) {
            recorded_table_print(table);
        }
    }
}

static int print_states(bool as_picture)
{
    atemi_figure figure = {0};
    if (as_picture) {
        atemi_gait_graph_draw(&figure);
    } else {
        atemi_gait_graph_print(&figure.text);
    }
    const bool failed = figure.text.failed;
    if (!failed) {
        fputs(figure.text.bytes, stdout);
    }
    atemi_text_destroy(&figure.text);
    return failed ? EXIT_JOB_FAILED : EXIT_DONE;
}

int command_walk(int argc, char **argv)
{
    static const job_kind walk = {.name = "walk",
                                  .run = run,
                                  .explain = atemi_walk_explain,
                                  .print = print,
                                  .extend = recorded_tables_extend_json};
    job_request           request = {0};
    bool                  states = false, svg = false;
    const argument        positionals[] = {{.name = "SCENARIO.yaml",
                                            .help = "robot, floor, slope, steps, pushes, gains",
                                            .text = &request.scenario,
                                            .optional = true},
                                           {0}};
    const argument        options[] = {
        JOB_OPTIONS(&request),
        {.name = "states", .help = "do nothing; print the states of a gait", .flag = &states},
        {.name = "svg", .help = "with --states: print them as a picture", .flag = &svg},
        {0}};
    const command_usage usage = {
        .command = "walk",
        .purpose =
            "Walks in the sagittal plane, over dry, wet and icy floors and against pushes.\n",
        .positionals = positionals,
        .options = options,
        .notes = "--explain without a scenario shows all keys there are. Ctrl-C ends the walk and\n"
                 "keeps what there is by then; the exit code is then 130. It is 1 where the\n"
                 "robot falls, or gets stuck.\n\n"
                 "examples:\n  atemi walk --explain\n  atemi walk --states --svg >states.svg\n"};
    const int code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    if (svg && !states) {
        return output_refuse("--svg is for --states; see 'atemi walk --help'");
    }
    return states ? print_states(svg) : job_run(&walk, &request, NULL);
}
