// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "io/syntax/suggestion.h"
#include "job_of_scenario.h"
#include "output.h"

#include "atemi/contract.h"
#include "atemi/version.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const command commands[] = {
    {"robots", "list the robots that ship with atemi", command_robots},
    {"info", "show what a robot is made of, and check its dynamics", command_info},
    {"eval", "compute kinematics and dynamics in one state, as JSON", command_eval},
    {"simulate", "simulate a scenario with contact, and record it", command_simulate},
    {"impact", "estimate a blow, and check it by full dynamics", command_impact},
    {"strike", "plan the hardest blow that the robot stands, and verify it", command_strike},
    {"control", "run compliant control on a simulated robot", command_control},
    {"walk", "walk over floors of several kinds, and against pushes", command_walk},
    {"report", "make a page or figures of a recording", command_report},
    {"view", "open the report of a recording in the browser", command_view},
    {"reproduce", "compare the numbers of the papers with ours", command_reproduce},
    {"doctor", "tell what is missing on this machine", command_doctor},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const char *command_name(const void *table, int index)
{
    return ((const command *)table)[index].name;
}

static const command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static void print_help(FILE *stream)
{
    fputs("usage: atemi COMMAND [ARGUMENT]...\n\n"
          "Plans strikes, simulates contact, walks and controls: humanoid robots, and any\n"
          "other robot that URDF or MJCF describes.\n\n"
          "commands:\n",
          stream);
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        fprintf(stream, "  %-14s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("  help COMMAND   show the help of a command (same as atemi COMMAND --help)\n\n"
          "options:\n"
          "  -h, --help     show this help\n"
          "  -V, --version  show the version\n\n"
          "Scenarios to begin with are in the folder scenarios of the sources, and in\n"
          "share/atemi of what is installed.\n"
          "Exit code: 0 done, 1 the job failed, 2 bad usage or bad input, 130 Ctrl-C.\n\n"
          "examples:\n"
          "  atemi strike scenarios/strike.yaml --report strike.html\n"
          "  atemi view strike.html\n"
          "  atemi info hrp2_like\n",
          stream);
}

static int fail_unknown(const char *name)
{
    if (name[0] == '-') {
        return output_refuse("unknown option '%s'; options of a command stand after its name, see "
                             "'atemi --help'",
                             name);
    }
    const char *job = job_of_scenario(name, NULL);
    if (job) {
        return output_refuse("%s: this is a scenario and no command; run 'atemi %s %s'", name, job,
                             name);
    }
    const char *meant = atemi_suggestion_find(name, COMMAND_COUNT, command_name, commands);
    return output_refuse("unknown command '%s'%s%s%s; see 'atemi --help'", name,
                         ATEMI_SUGGESTION_TEXT(meant));
}

static int run_command(int argc, char **argv)
{
    const command *chosen = find_command(argv[0]);
    return chosen ? chosen->run(argc, argv) : fail_unknown(argv[0]);
}

// `help X` is `X --help`; `help` alone, or of itself, is `--help`.
static int run_help(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    char  option[] = "--help";
    char *arguments[] = {argv[1], option, NULL};
    return run_command(2, arguments);
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
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
                   : output_fail("a bug of atemi: a contract was broken, as told above; do not "
                                 "rely on the answer, and please report it");
}

int main(int argc, char **argv)
{
    output_begin();
    const int code = judge_contracts(run(argc - 1, argv + 1));
    return output_end(code);
}
