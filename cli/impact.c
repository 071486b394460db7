// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "job.h"

#include "atemi/impact.h"

#include <math.h>
#include <stdio.h>

static atemi_impact_options asked; // by --full and --sweep

static atemi_status run(const char *scenario, const atemi_job_hooks *hooks,
                        atemi_recording **recording, atemi_error *error)
{
    return atemi_impact_file(scenario, &asked, hooks, recording, error);
}

static void print(const atemi_recording *r, double wall_time)
{
    const double difference = atemi_recording_result_value(r, "zmp_difference");
    printf("  time      %.3g s for everything\n", wall_time);
    printf("  hand      %.4g kg of virtual mass at %.4g m/s; %.4g m/s afterwards\n",
           atemi_recording_result_value(r, "virtual_mass"),
           atemi_recording_result_value(r, "hand_speed_before"),
           atemi_recording_result_value(r, "hand_speed_after"));
    printf("  target    %.4g m/s and %.3g mm further\n",
           atemi_recording_result_value(r, "target_speed_after"),
           1e3 * atemi_recording_result_value(r, "target_travel"));
    job_print_least_margin(r);
    if (isfinite(difference)) {
        printf("            at most %.3g mm from that of full dynamics\n", 1e3 * difference);
    }
}

static const argument options[] = {
    {.name = "full", .help = "simulate the blow by full dynamics as well", .flag = &asked.full},
    {.name = "sweep",
     .help = "vary what the scenario's key sweep says: speeds,\n"
             "target masses, stiffnesses, postures",
     .flag = &asked.sweep},
    {0}};

static const char *const tables[] = {"ways", "sweep", NULL};

static const job_kind impact = {
    .name = "impact",
    .purpose = "Estimates a blow: peak force, impulse, torques and ZMP, in microseconds.\n",
    .scenario = "robot, posture, hand, servo, target",
    .options = options,
    .notes = "Three estimates stand beside each other: with the servo's stiffness, exactly;\n"
             "as [SDC] publishes it; and as two point masses. --full adds the truth, and how\n"
             "far the others are off it.\n\n" JOB_NOTES "the hand moves away from its target.\n\n"
             "examples:\n"
             "  atemi impact scenarios/punch.yaml --full\n"
             "  atemi impact scenarios/nail.yaml --sweep --report nail.html\n"
             "  atemi impact --explain\n",
    .run = run,
    .explain = atemi_impact_explain,
    .print = print,
    .tables = tables};

int command_impact(int argc, char **argv)
{
    return job_command(&impact, argc, argv);
}
