// SPDX-License-Identifier: Apache-2.0

/// @file
/// The folders that hold the packages of package:// names, for whatever robot a command reads.

#pragma once

#include "arguments.h"

/// The entry of a subcommand's table of options.
#define PACKAGES_OPTION(path)                                                                      \
    {.name = "package-path",                                                                       \
     .value = "PATH",                                                                              \
     .help = "folders separated by ':' that hold the packages of\n"                                \
             "package:// names, before ROS_PACKAGE_PATH",                                          \
     .text = (path)}

/// Puts these folders before those of ROS_PACKAGE_PATH, for this process; NULL changes nothing.
/// @return ARGUMENTS_READY, or an exit code without memory
int packages_use(const char *path);
