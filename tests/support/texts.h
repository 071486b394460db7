// SPDX-License-Identifier: Apache-2.0

/// @file
/// Texts, and parts of them.

#pragma once

#include "check.h"

#include <string.h>

/// How often a part stands in a text.
static inline int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        ++count;
    }
    return count;
}

/// Both may be NULL.
static inline void check_same_text(const char *a, const char *b)
{
    CHECK((a == NULL) == (b == NULL));
    if (a) {
        CHECK_EQUAL_STRING(a, b);
    }
}
