// SPDX-License-Identifier: Apache-2.0

#include "simulate.h"

#include "command.h"
#include "job.h"

#include "atemi/simulate.h"

static atemi_status run(const char *scenario, const void *options, const atemi_job_hooks *hooks,
                        atemi_recording **recording, atemi_error *error)
{
    (void)options;
    return atemi_simulate_file(scenario, hooks, recording, error);
}

int command_simulate(int argc, char **argv)
{
    static const job_kind simulate = {.name = "simulate",
                                      .run = run,
                                      .explain = atemi_simulate_explain,
                                      .print = simulate_print_text,
                                      .extend = simulate_extend_json};
    job_request           request = {0};
    const argument        positionals[] = {{.name = "SCENARIO.yaml",
                                            .help = "robot, start, torques, surfaces, contacts, duration",
                                            .text = &request.scenario,
                                            .optional = true},
                                           {0}};
    const argument        options[] = {JOB_OPTIONS(&request), {0}};
    const command_usage   usage = {
          .command = "simulate",
          .purpose = "Simulates a robot with contact: sticking, slipping, bumping, exactly.\n",
          .positionals = positionals,
          .options = options,
          .notes =
            "--explain without a scenario shows all keys there are. Ctrl-C ends the\n"
              "simulation and keeps what there is; the exit code is then 130. It is 1 where\n"
              "the motion cannot be continued, because contacts jam or contradict each other.\n\n"
              "example:\n  atemi simulate --explain\n"};
    const int code = arguments_read(&usage, argc, argv);
    return code == ARGUMENTS_READY ? job_run(&simulate, &request, NULL) : code;
}
