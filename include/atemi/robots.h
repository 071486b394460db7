// SPDX-License-Identifier: Apache-2.0

/// @file
/// The robots that ship inside the library.

#pragma once

#include "atemi/urdf.h"

ATEMI_BEGIN

/// The number of shipped robots and their names in alphabetical order.
ATEMI_API int         atemi_robots_count(void);
ATEMI_API const char *atemi_robots_name(int index);

/// The URDF text of a shipped robot and its length in bytes; NULL if there is none of that name.
ATEMI_API const char *atemi_robots_urdf(const char *name, size_t *size);

/// Loads a shipped robot.
/// @param options NULL for the defaults
ATEMI_API atemi_status atemi_robots_load(const char *name, const atemi_urdf_options *options,
                                         atemi_model **model, atemi_error *error);

ATEMI_END
