// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "job.h"
#include "output.h"
#include "recorded_table.h"

#include "atemi/control.h"

#include <stdio.h>

static atemi_status run(const char *scenario, const void *options, const atemi_job_hooks *hooks,
                        atemi_recording **recording, atemi_error *error)
{
    (void)options;
    return atemi_control_file(scenario, hooks, recording, error);
}

static double result(const atemi_recording *recording, const char *name)
{
    return job_result(recording, name);
}

static void print_figures(const atemi_recording *r, double wall_time)
{
    printf("  time      %.4g s simulated in %.3g s\n", result(r, "duration"), wall_time);
    printf("  goals     %.0f of %.0f reached, %.0f obstructed\n", result(r, "goals_reached"),
           result(r, "goals"), result(r, "goals_obstructed"));
    printf("  torques   feedback %.3g N m at most, %.0f %% of the joints' limits; %.3g N m a step, "
           "fed forward %.3g\n",
           result(r, "largest_feedback"), 100.0 * result(r, "largest_torque_part"),
           result(r, "largest_torque_step"), result(r, "largest_forward_step"));
    printf("  forces    contact %.3g N, people's hands %.3g N, what holds %.3g N and %.3g N m\n",
           result(r, "largest_contact_force"), result(r, "largest_hand_force"),
           result(r, "largest_hold_force"), result(r, "largest_hold_moment"));
}

static void print(const atemi_recording *recording, double wall_time)
{
    static const char *const tables[] = {"motions", "grips", "hands", "goals"};
    char                     heading[1024];
    snprintf(heading, sizeof heading, "%.200s: %.800s", atemi_recording_robot(recording)->name,
             atemi_recording_outcome(recording));
    output_heading(heading);
    print_figures(recording, wall_time);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
        const atemi_recorded_table *table = recorded_table_find(recording, tables[i]);
        if (table) {
            recorded_table_print(table);
        }
    }
}

int command_control(int argc, char **argv)
{
    static const job_kind control = {.name = "control",
                                     .run = run,
                                     .explain = atemi_control_explain,
                                     .print = print,
                                     .extend = recorded_tables_extend_json};
    job_request           request = {0};
    const argument        positionals[] = {{.name = "SCENARIO.yaml",
                                            .help = "robot, what holds it, gains, limits, tasks",
                                            .text = &request.scenario,
                                            .optional = true},
                                           {0}};
    const argument        options[] = {JOB_OPTIONS(&request), {0}};
    const command_usage   usage = {
          .command = "control",
          .purpose = "Runs compliant control on a simulated robot with motors, gears and springs.\n",
          .positionals = positionals,
          .options = options,
          .notes = "--explain without a scenario shows all keys there are. Ctrl-C ends the run and\n"
                   "keeps what there is by then; the exit code is then 130. It is 1 where a task\n"
                   "cannot be done, a gripper does not close, or a joint stops safely.\n\n"
                   "example:\n  atemi control --explain\n"};
    const int code = arguments_read(&usage, argc, argv);
    return code == ARGUMENTS_READY ? job_run(&control, &request, NULL) : code;
}
