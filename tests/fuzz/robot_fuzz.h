// SPDX-License-Identifier: Apache-2.0

/// @file
/// How fuzzers read robots.

#pragma once

#include "atemi/base.h"
#include "atemi/robots.h"
#include "require.h"

#include <string.h>

enum { MAX_BYTES = 1 << 16 };

/// A log hook that reads each message to its end, and adds the lengths up in a size_t.
static inline void read_message(void *context, atemi_log_level level, const char *message)
{
    size_t *length = (size_t *)context;
    (void)level;
    *length += strlen(message);
}

/// Bases and mimic joints as the number of bytes says.
static inline atemi_urdf_options options_of(size_t size)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = size % 2 ? ATEMI_BASE_FLOATING : ATEMI_BASE_FIXED;
    options.model.mimic_as_coupled = size % 3 != 0;
    return options;
}
