// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "job.h"
#include "progress.h"

#include "atemi/strike.h"

#include <math.h>
#include <stdio.h>

static void print_search(const atemi_recording *recording, double wall_time)
{
    printf("  time      %.3g s for everything\n", wall_time);
    printf("  search    %.0f of %.0f searches feasible, %.0f evaluations\n",
           atemi_recording_result_value(recording, "feasible_tries"),
           atemi_recording_result_value(recording, "tries"),
           atemi_recording_result_value(recording, "evaluations"));
    printf("  planning  %s\n", progress_told());
    printf("  motion    uses %.0f %% of the torques and %.0f %% of the speeds at most; ZMP %.0f mm "
           "inside\n",
           100.0 * atemi_recording_result_value(recording, "largest_torque_part"),
           100.0 * atemi_recording_result_value(recording, "largest_speed_part"),
           1e3 * atemi_recording_result_value(recording, "least_motion_margin"));
}

static void print_feet(const atemi_recording *recording)
{
    const double lift_offs = atemi_recording_result_value(recording, "verified_lift_offs");
    const double slips = atemi_recording_result_value(recording, "verified_slips");
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
           atemi_recording_result_value(recording, "stands") == 1.0 ? "stands" : "FALLS",
           atemi_recording_result_value(recording, "verified_peak_force"),
           100.0 * atemi_recording_result_value(recording, "peak_force_error"),
           atemi_recording_result_value(recording, "verified_impulse"),
           100.0 * atemi_recording_result_value(recording, "impulse_error"));
    printf("  ZMP       %.0f mm inside before the blow, %.0f mm in it, %.0f mm after it\n",
           1e3 * atemi_recording_result_value(recording, "verified_margin_before"),
           1e3 * atemi_recording_result_value(recording, "verified_margin_in_the_blow"),
           1e3 * atemi_recording_result_value(recording, "verified_margin_after"));
    print_feet(recording);
}

static void print(const atemi_recording *recording, double wall_time)
{
    print_search(recording, wall_time);
    if (isfinite(atemi_recording_result_value(recording, "verified_impulse"))) {
        print_verification(recording);
    }
}

static const char *const tables[] = {"decided", "limits", "conflicts", NULL};

static const job_kind strike = {
    .name = "strike",
    .purpose = "Plans the hardest blow that does not throw the robot over, and verifies it.\n",
    .scenario = "robot, feet, hand, target, what is decided",
    .notes =
        JOB_NOTES "no strike meets all constraints, or the robot falls in the verification.\n\n"
                  "examples:\n"
                  "  atemi strike scenarios/strike.yaml --report strike.html\n"
                  "  atemi strike --explain\n",
    .run = atemi_strike_file,
    .explain = atemi_strike_explain,
    .print = print,
    .tables = tables};

int command_strike(int argc, char **argv)
{
    return job_command(&strike, argc, argv);
}
