// SPDX-License-Identifier: Apache-2.0

/// @file
/// Files that the build puts inside the library, see cmake/embed.cmake.

#pragma once

#include <stddef.h>

struct atemi_embedded_file {
    const char *name; ///< file name without folder and extension
    const char *data; ///< the bytes and, behind them, a zero
    size_t      size; ///< without that zero
};

/// The files robots/*.urdf, sorted by name (strcmp).
extern const struct atemi_embedded_file atemi_embedded_robots[];
extern const int                        atemi_embedded_robots_count;

/// The files of scenarios/ that papers are reproduced with, likewise.
extern const struct atemi_embedded_file atemi_embedded_scenarios[];
extern const int                        atemi_embedded_scenarios_count;
