// SPDX-License-Identifier: Apache-2.0

/// @file
/// Text from files and arguments on one line, as a terminal or a comment may show it.
///
/// Names of robots, joints and files are anybody's bytes. Control characters move the cursor, set
/// titles or colours; marks for the direction of writing show a name in another order than it has;
/// characters without a width hide. All of them, and bytes that are no UTF-8, are shown as escapes:
/// \x1b, \u202e, \U000e0041. JSON has escapes of its own and does without these.

#pragma once

#include <stddef.h>

/// The most bytes that one byte of text becomes: "\x1b".
enum { ATEMI_VISIBLE_GROWTH = 4 };

/// Writes the text with its escapes, and cuts off what does not fit, between characters.
/// @param room at least 1; ATEMI_VISIBLE_GROWTH * strlen(text) + 1 is always enough
/// @return the length
size_t atemi_visible_text(const char *text, char *visible, size_t capacity);
