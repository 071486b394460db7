// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "job.h"

#include "atemi/control.h"

#include <stdio.h>

static void print(const atemi_recording *r, double wall_time)
{
    job_print_time(r, wall_time);
    printf("  goals     %.0f of %.0f reached, %.0f obstructed\n",
           atemi_recording_result_value(r, "goals_reached"),
           atemi_recording_result_value(r, "goals"),
           atemi_recording_result_value(r, "goals_obstructed"));
    printf("  torques   feedback %.3g N m at most, %.0f %% of the joints' limits; %.3g N m a step, "
           "fed forward %.3g N m\n",
           atemi_recording_result_value(r, "largest_feedback"),
           100.0 * atemi_recording_result_value(r, "largest_torque_part"),
           atemi_recording_result_value(r, "largest_torque_step"),
           atemi_recording_result_value(r, "largest_forward_step"));
    printf("  forces    contact %.3g N, people's hands %.3g N, what holds %.3g N and %.3g N m\n",
           atemi_recording_result_value(r, "largest_contact_force"),
           atemi_recording_result_value(r, "largest_hand_force"),
           atemi_recording_result_value(r, "largest_hold_force"),
           atemi_recording_result_value(r, "largest_hold_moment"));
}

static const char *const tables[] = {"motions", "grips", "hands", "goals", NULL};

static const job_kind control = {
    .name = "control",
    .purpose = "Runs compliant control on a simulated robot with motors, gears and springs.\n",
    .scenario = "robot, what holds it, gains, limits, tasks",
    .notes =
        JOB_NOTES "a task cannot be done, a gripper does not close, or a joint stops safely.\n\n"
                  "examples:\n"
                  "  atemi control scenarios/reach.yaml --report reach.html\n"
                  "  atemi control --explain\n",
    .run = atemi_control_file,
    .explain = atemi_control_explain,
    .print = print,
    .tables = tables};

int command_control(int argc, char **argv)
{
    return job_command(&control, argc, argv);
}
