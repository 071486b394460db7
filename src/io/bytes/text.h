// SPDX-License-Identifier: Apache-2.0

/// @file
/// Text that grows.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>
#include <stddef.h>

/// All zero is an empty one. Once the memory is not enough, nothing more is added.
typedef struct atemi_text {
    char  *bytes; ///< `size` of them and a zero, or NULL
    size_t size, capacity;
    bool   failed; ///< the memory was not enough
} atemi_text;

void atemi_text_put(atemi_text *text, const char *bytes, size_t size);
void atemi_text_put_string(atemi_text *text, const char *string);
void atemi_text_put_character(atemi_text *text, char character);

/// As printf() would write it.
void atemi_text_append(atemi_text *text, const char *format, ...) ATEMI_PRINTF(2, 3);

/// A number as io/decimal.h writes it; the second knows `inf` and `-inf`.
void atemi_text_put_number(atemi_text *text, double value);
void atemi_text_append_number(atemi_text *text, double value);

/// JSON: a string in quotes, from UTF-8, or its first `size` bytes; a real number, or null for what
/// is not finite.
void atemi_text_put_json_string(atemi_text *text, const char *string);
void atemi_text_put_json_part(atemi_text *text, const char *string, size_t size);
void atemi_text_put_json_number(atemi_text *text, double value);

/// Releases the text and makes it empty.
void atemi_text_destroy(atemi_text *text);

/// Whether a string is UTF-8 as the Unicode standard defines it (its table 3-7).
bool atemi_text_is_utf8(const char *string);
