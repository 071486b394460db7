// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the command says: results on stdout, warnings and errors on stderr.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>

/// Sends the library's messages to stderr and makes a closed pipe, and a file larger than allowed,
/// ordinary errors of writing.
void output_begin(void);

/// Writes what stdout still holds. A reader that has gone away (`| head -1`) is fine; any other
/// failure is reported.
/// @return `code`, or EXIT_JOB_FAILED
int output_end(int code);

/// Whether warnings of the library are kept back.
void output_set_quiet(bool quiet);

/// Prints "warning: ..." on stderr.
void output_warn(const char *format, ...) ATEMI_PRINTF(1, 2);

/// Prints "error: ..." on stderr.
/// @return EXIT_BAD_INPUT
int output_refuse(const char *format, ...) ATEMI_PRINTF(1, 2);

/// Prints "error: ..." on stderr.
/// @return EXIT_JOB_FAILED
int output_fail(const char *message);

/// Prints "error: file:line:column: message" on stderr.
/// @return EXIT_BAD_INPUT where the input is to blame, otherwise EXIT_JOB_FAILED
int output_error(const atemi_error *error);

/// The same where no input is to blame, whatever the error's status.
/// @return EXIT_JOB_FAILED
int output_failure(const atemi_error *error);

/// Prints a heading, bold where stdout is a terminal that wants it.
void output_heading(const char *text);

/// Prints text, as visible.h shows it: names come from files. At most some 2000 characters.
void output_text(const char *text);
