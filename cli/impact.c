// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "job.h"
#include "output.h"
#include "recorded_table.h"

#include "atemi/impact.h"

#include <math.h>
#include <stdio.h>

static atemi_status run(const char *scenario, const void *options, const atemi_job_hooks *hooks,
                        atemi_recording **recording, atemi_error *error)
{
    return atemi_impact_file(scenario, (const atemi_impact_options *)options, hooks, recording,
                             error);
}

static void print_figures(const atemi_recording *recording)
{
    const double margin = job_result(recording, "least_zmp_margin");
    const double difference = job_result(recording, "zmp_difference");
    printf("  hand      %.4g kg of virtual mass at %.4g m/s; %.4g m/s afterwards\n",
           job_result(recording, "virtual_mass"), job_result(recording, "hand_speed_before"),
           job_result(recording, "hand_speed_after"));
    printf("  target    %.4g m/s and %.3g mm further\n",
           job_result(recording, "target_speed_after"),
           1e3 * job_result(recording, "target_travel"));
    if (isfinite(margin)) {
        printf("  ZMP       %.4g m %s the edge of the support polygon at the least\n", fabs(margin),
               margin >= 0.0 ? "inside" : "OUTSIDE");
    }
    if (isfinite(difference)) {
        printf("            at most %.3g mm from that of full dynamics\n", 1e3 * difference);
    }
}

static void print(const atemi_recording *recording, double wall_time)
{
    const atemi_recorded_table *sweep = recorded_table_find(recording, "sweep");
    char                        heading[1024];
    (void)wall_time;
    snprintf(heading, sizeof heading, "%.200s: %.600s", atemi_recording_robot(recording)->name,
             atemi_recording_outcome(recording));
    output_heading(heading);
    print_figures(recording);
    recorded_table_print(recorded_table_find(recording, "ways"));
    if (sweep) {
        recorded_table_print(sweep);
    }
}

int command_impact(int argc, char **argv)
{
    static const job_kind impact = {.name = "impact",
                                    .run = run,
                                    .explain = atemi_impact_explain,
                                    .print = print,
                                    .extend = recorded_tables_extend_json};
    job_request           request = {0};
    atemi_impact_options  asked = {0};
    const argument        positionals[] = {{.name = "SCENARIO.yaml",
                                            .help = "robot, posture, hand, servo, target",
                                            .text = &request.scenario,
                                            .optional = true},
                                           {0}};
    const argument        options[] = {
        {.name = "full", .help = "simulate the blow by full dynamics as well", .flag = &asked.full},
        {.name = "sweep",
                .help = "vary what the scenario's key sweep says: speeds,\n"
                               "target masses, stiffnesses, postures",
                .flag = &asked.sweep},
        JOB_OPTIONS(&request),
        {0}};
    const command_usage usage = {
        .command = "impact",
        .purpose = "Estimates a blow: peak force, impulse, torques and ZMP, in microseconds.\n",
        .positionals = positionals,
        .options = options,
        .notes = "Three estimates stand beside each other: with the servo's stiffness, exactly;\n"
                 "as [SDC] publishes it; and as two point masses. --full adds the truth, and how\n"
                 "far the others are off it. --explain without a scenario shows all keys there\n"
                 "are. Ctrl-C ends a sweep and keeps what there is; the exit code is then 130.\n"
                 "It is 1 where the hand moves away from its target.\n\n"
                 "example:\n  atemi impact --explain\n"};
    const int code = arguments_read(&usage, argc, argv);
    return code == ARGUMENTS_READY ? job_run(&impact, &request, &asked) : code;
}
