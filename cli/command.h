// SPDX-License-Identifier: Apache-2.0

/// @file
/// The subcommands of `atemi`. Every job of the registry is one. Another new one is a file with its
/// run function, declared here, and a line in the table of main.c.

#pragma once

/// What the command's exit code tells a script.
enum {
    EXIT_DONE = 0,       ///< the answer stands on stdout
    EXIT_JOB_FAILED = 1, ///< asked well, but it did not work out; the answer or the error says why
    EXIT_BAD_INPUT = 2,  ///< wrong usage, or a file that says nothing sensible
};

typedef struct command {
    const char *name;
    const char *summary; ///< one line for `atemi --help`
    /// Does the job. argv[0] is the name of the subcommand, argv[argc] is NULL.
    /// @return an exit code
    int (*run)(int argc, char **argv);
} command;

int command_robots(int argc, char **argv);
int command_info(int argc, char **argv);
int command_joint(int argc, char **argv);
int command_eval(int argc, char **argv);
int command_init(int argc, char **argv);
int command_export(int argc, char **argv);
int command_job(int argc, char **argv); ///< argv[0] is the name of a job of the registry
int command_run(int argc, char **argv);
int command_jobs(int argc, char **argv);
int command_report(int argc, char **argv);
int command_view(int argc, char **argv);
int command_reproduce(int argc, char **argv);
int command_doctor(int argc, char **argv);
