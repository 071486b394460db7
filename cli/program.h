// SPDX-License-Identifier: Apache-2.0

/// @file
/// Other programs that the command asks for something. What they print is not shown.

#pragma once

#include <stdbool.h>

/// Whether a program of that name is on PATH.
bool program_exists(const char *name);

/// Starts a program and lets it run. `arguments` begin with its name and end with NULL.
bool program_start(char *const arguments[]);

/// Runs a program to its end.
/// @return whether its exit code is 0
bool program_succeeds(char *const arguments[]);
