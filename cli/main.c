// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // stat
#endif

#include "command.h"
#include "io/syntax/suggestion.h"
#include "output.h"

#include "atemi/base.h"
#include "atemi/job.h"
#include "atemi/version.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const command first[] = {
    {"robots", "list the robots that ship with atemi", command_robots},
    {"info", "show what a robot is made of, and check its dynamics", command_info},
    {"joint", "show margins, open loop and step of a joint under control", command_joint},
    {"eval", "compute kinematics and dynamics in one state, as JSON", command_eval},
    {"init", "write a scenario for a robot, to begin with", command_init},
    {"export", "write a robot as URDF or MJCF", command_export},
};

static const command last[] = {
    {"run", "run a scenario with the job it is for", command_run},
    {"jobs", "list the jobs that run scenarios", command_jobs},
    {"report", "make a page or figures of a recording", command_report},
    {"view", "open the report of a recording in the browser", command_view},
    {"reproduce", "compare the numbers of the papers with ours", command_reproduce},
    {"doctor", "check what is missing on this machine", command_doctor},
};

enum { FIRST_COUNT = sizeof first / sizeof first[0], LAST_COUNT = sizeof last / sizeof last[0] };

static int command_count(void)
{
    return FIRST_COUNT + atemi_job_count() + LAST_COUNT;
}

// The jobs of the registry stand between the others.
static command command_at(int index)
{
    const int job = index - FIRST_COUNT, later = job - atemi_job_count();
    if (job < 0) {
        return first[index];
    }
    return later < 0 ? (command){atemi_job_name(job), atemi_job_summary(job), command_job}
                     : last[later];
}

static const char *command_name(const void *nothing, int index)
{
    (void)nothing;
    return command_at(index).name;
}

static void print_help(FILE *stream)
{
    fputs("usage: atemi COMMAND [ARGUMENT]...\n\n"
          "Plans strikes, simulates contact, walks and controls: humanoid robots, and any\n"
          "other robot that URDF or MJCF describes.\n\n"
          "commands:\n",
          stream);
    for (int i = 0; i < command_count(); ++i) {
        fprintf(stream, "  %-14s %s\n", command_at(i).name, command_at(i).summary);
    }
    fputs("  help COMMAND   show the help of a command (same as atemi COMMAND --help)\n\n"
          "options:\n"
          "  -h, --help     show this help\n"
          "  -V, --version  show the version\n\n"
          "Example scenarios are in the folder scenarios of the sources, and in share/atemi\n"
          "of an installation; in Python, atemi.scenarios() has their files.\n"
          "Exit code: 0 done, 1 the job failed, 2 bad usage or bad input, 130 Ctrl-C.\n\n"
          "examples:\n"
          "  atemi strike scenarios/strike.yaml --report strike.html\n"
          "  atemi view strike.html\n"
          "  atemi info hrp2_like\n",
          stream);
}

// A pipe would be waited for.
static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static int fail_unknown(const char *name)
{
    if (name[0] == '-') {
        return output_refuse("unknown option '%s'; options of a command stand after its name, see "
                             "'atemi --help'",
                             name);
    }
    const char        *job;
    atemi_error        error;
    const atemi_status status =
        is_file(name) ? atemi_job_of_scenario(name, &job, &error) : ATEMI_ERROR_FILE;
    if (status == ATEMI_OK) {
        return output_refuse("%s: this is a scenario and no command; run 'atemi %s %s'", name, job,
                             name);
    }
    if (status == ATEMI_ERROR_INPUT) {
        return output_error(&error);
    }
    const char *meant = atemi_suggestion_find(name, command_count(), command_name, NULL);
    return output_refuse("unknown command '%s'%s%s%s; see 'atemi --help'", name,
                         ATEMI_SUGGESTION_TEXT(meant));
}

static int run_command(int argc, char **argv)
{
    for (int i = 0; i < command_count(); ++i) {
        const command chosen = command_at(i);
        if (strcmp(chosen.name, argv[0]) == 0) {
            return chosen.run(argc, argv);
        }
    }
    return fail_unknown(argv[0]);
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

// `help X` is `X --help`; `help`, `help help` and `help --help` are `--help`.
static int run_help(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "help") == 0 || is_one_of(argv[1], "-h", "--help")) {
        print_help(stdout);
        return EXIT_DONE;
    }
    char  option[] = "--help";
    char *arguments[] = {argv[1], option, NULL};
    return run_command(2, arguments);
}

static int run(int argc, char **argv)
{
    if (argc < 1) {
        print_help(stderr);
        return EXIT_BAD_INPUT;
    }
    if (is_one_of(argv[0], "-h", "--help")) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (is_one_of(argv[0], "-V", "--version")) {
        printf("atemi %s\n", atemi_version());
        return EXIT_DONE;
    }
    if (strcmp(argv[0], "help") == 0) {
        return run_help(argc, argv);
    }
    return run_command(argc, argv);
}

// A bug of ours never passes for success, whatever the subcommand.
static int judge_contracts(int code)
{
    const bool is_loud = code != EXIT_DONE || atemi_contracts_broken(NULL) == 0;
    return is_loud ? code
                   : output_fail("a bug of atemi: a contract was broken, see above; do not "
                                 "rely on the answer, and please report it");
}

int main(int argc, char **argv)
{
    output_begin();
    const int code = judge_contracts(run(argc - 1, argv + 1));
    return output_end(code);
}
