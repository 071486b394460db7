// SPDX-License-Identifier: Apache-2.0

#include "simulate.h"

#include "command.h"
#include "job.h"

#include "atemi/simulate.h"

static const job_kind simulate = {
    .name = "simulate",
    .purpose = "Simulates a robot with contact: sticking, slipping, bumping, exactly.\n",
    .scenario = "robot, start, torques, surfaces, contacts, duration",
    .notes = JOB_NOTES "the motion cannot be continued: contacts jam or contradict each other.\n\n"
                       "examples:\n"
                       "  atemi simulate scenarios/fall.yaml --report fall.html\n"
                       "  atemi simulate --explain\n",
    .run = atemi_simulate_file,
    .explain = atemi_simulate_explain,
    .print = simulate_print_text,
    .extend = simulate_extend_json};

int command_simulate(int argc, char **argv)
{
    return job_command(&simulate, argc, argv);
}
