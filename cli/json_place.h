// SPDX-License-Identifier: Apache-2.0

/// @file
/// The line of a value in the text of a JSON document. jansson tells lines only of what is no JSON.

#pragma once

#include <stddef.h>

/// A value by the way to it: the entry `index` of `keys[1]` of `keys[0]` of the document. What is
/// behind a NULL or ATEMI_NONE is not part of the way.
typedef struct json_place {
    const char *keys[2];
    int         index;
} json_place;

/// The line, from 1, of the place or of the last value on the way to it that the text has. Keys
/// that are written with escapes are not found.
/// @param text valid JSON
int json_place_line(const char *text, size_t size, const json_place *place);
