// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "job.h"
#include "output.h"
#include "progress.h"
#include "recorded_table.h"

#include "atemi/strike.h"

#include <math.h>
#include <stdio.h>

static atemi_status run(const char *scenario, const void *options, const atemi_job_hooks *hooks,
                        atemi_recording **recording, atemi_error *error)
{
    (void)options;
    return atemi_strike_file(scenario, hooks, recording, error);
}

static void print_search(const atemi_recording *recording, double wall_time)
{
    printf("  search    %.0f of %.0f tries feasible, %.0f evaluations; %.3g s for everything\n",
           job_result(recording, "feasible_tries"), job_result(recording, "tries"),
           job_result(recording, "evaluations"), wall_time);
    printf("  planning  %s\n", progress_told());
    printf("  motion    uses %.0f %% of the torques and %.0f %% of the speeds at most; ZMP %.3g m "
           "inside\n",
           100.0 * job_result(recording, "largest_torque_part"),
           100.0 * job_result(recording, "largest_speed_part"),
           job_result(recording, "least_motion_margin"));
}

static void print_feet(const atemi_recording *recording)
{
    const double lift_offs = job_result(recording, "verified_lift_offs");
    const double slips = job_result(recording, "verified_slips");
    if (lift_offs + slips > 0.0) {
        printf("  feet      corners lift off %.0f times, feet begin to slip %.0f times\n",
               lift_offs, slips);
    } else {
        puts("  feet      neither lift off nor slip");
    }
}

static void print_verification(const atemi_recording *recording)
{
    printf("  verified  %s: %.4g N (%+.2f %%) and %.4g N s (%+.2f %%)\n",
           job_result(recording, "stands") == 1.0 ? "stands" : "FALLS",
           job_result(recording, "verified_peak_force"),
           100.0 * job_result(recording, "peak_force_error"),
           job_result(recording, "verified_impulse"),
           100.0 * job_result(recording, "impulse_error"));
    printf("  ZMP       %.0f mm inside before the blow, %.0f mm in it, %.0f mm after it\n",
           1e3 * job_result(recording, "verified_margin_before"),
           1e3 * job_result(recording, "verified_margin_in_the_blow"),
           1e3 * job_result(recording, "verified_margin_after"));
    print_feet(recording);
}

static void print(const atemi_recording *recording, double wall_time)
{
    const atemi_recorded_table *conflicts = recorded_table_find(recording, "conflicts");
    char                        heading[1024];
    snprintf(heading, sizeof heading, "%.200s: %.800s", atemi_recording_robot(recording)->name,
             atemi_recording_outcome(recording));
    output_heading(heading);
    print_search(recording, wall_time);
    if (isfinite(job_result(recording, "verified_impulse"))) {
        print_verification(recording);
    }
    recorded_table_print(recorded_table_find(recording, "decided"));
    recorded_table_print(recorded_table_find(recording, "limits"));
    if (conflicts) {
        recorded_table_print(conflicts);
    }
}

int command_strike(int argc, char **argv)
{
    static const job_kind strike = {.name = "strike",
                                    .run = run,
                                    .explain = atemi_strike_explain,
                                    .print = print,
                                    .extend = recorded_tables_extend_json};
    job_request           request = {0};
    const argument        positionals[] = {{.name = "SCENARIO.yaml",
                                            .help = "robot, feet, hand, target, what is decided",
                                            .text = &request.scenario,
                                            .optional = true},
                                           {0}};
    const argument        options[] = {JOB_OPTIONS(&request), {0}};
    const command_usage   usage = {
          .command = "strike",
          .purpose = "Plans the hardest blow that does not throw the robot over, and verifies it.\n",
          .positionals = positionals,
          .options = options,
          .notes = "--explain without a scenario shows all keys there are. Ctrl-C ends the search\n"
                   "and keeps the best so far; the exit code is then 130. It is 1 where no strike\n"
                   "meets all constraints, or the robot falls in the verification.\n\n"
                   "example:\n  atemi strike --explain\n"};
    const int code = arguments_read(&usage, argc, argv);
    return code == ARGUMENTS_READY ? job_run(&strike, &request, NULL) : code;
}
