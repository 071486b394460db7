// SPDX-License-Identifier: Apache-2.0

/// @file
/// Text that grows.

#pragma once

#include "atemi/api.h"

#include <stdbool.h>
#include <stddef.h>

/// Begins as all zeros. `bytes` end in a zero from the first append on. Release them with
/// atemi_release().
typedef struct atemi_text_buffer {
    char  *bytes;
    size_t size, room;
    bool   failed; ///< there was no memory; what is appended from then on is lost
} atemi_text_buffer;

void atemi_text_append(atemi_text_buffer *text, const char *format, ...) ATEMI_PRINTF(2, 3);

/// Appends the shortest digits that are read back as the same number, in every locale the same.
/// Infinities are `inf` and `-inf`.
void atemi_text_append_number(atemi_text_buffer *text, double number);
