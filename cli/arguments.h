// SPDX-License-Identifier: Apache-2.0

/// @file
/// The arguments of a subcommand: what it takes, its help, and reading them.
///
/// Options stand before or after the other arguments, as `--name value` or `--name=value`, a few
/// also as `-n value`; what comes after `--` is no option. `--help` and `-h` are understood by
/// every subcommand.

#pragma once

#include <stdbool.h>

/// The values of an option that may be repeated. Zero-initialized it is empty.
typedef struct text_list {
    const char **items;
    int          count;
} text_list;

/// Releases the items.
void text_list_destroy(text_list *list);

/// One thing that a subcommand takes. Exactly one of the targets is set.
typedef struct argument {
    const char  *name;  ///< of an option without its dashes; of a positional as help shows it
    const char  *value; ///< what help calls the option's value; NULL for a flag or a positional
    const char  *help;  ///< may have several lines
    bool        *flag;
    const char **text;   ///< stays as it is unless given; the last one counts
    const char **second; ///< of an option of two values, "--name A B"; NULL if it was "--name A,B"
    text_list   *list;
    bool         optional; ///< a positional that may be left out, with all after it
    char         letter;   ///< of an option that is also a letter after one dash; 0 for none
} argument;

/// All that a subcommand takes.
typedef struct command_usage {
    const char     *command;     ///< its name
    const char     *purpose;     ///< what it does
    const argument *positionals; ///< ends with a NULL name
    const argument *options;     ///< ends with a NULL name
    const char     *notes;       ///< what else is to know, and an example
} command_usage;

enum { ARGUMENTS_READY = -1 };

/// Reads the arguments into their targets, or shows the help, or says what is wrong.
/// @return ARGUMENTS_READY to go on, otherwise an exit code
int arguments_read(const command_usage *usage, int argc, char **argv);
