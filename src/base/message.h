// SPDX-License-Identifier: Apache-2.0

/// @file
/// Text for people, in buffers of fixed size.

#pragma once

#include "atemi/base.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_ELLIPSIS_SIZE = 4 }; ///< "..." and its end

/// Whether the byte goes on with a UTF-8 character that began before it.
static inline int message_byte_continues(char byte)
{
    return ((unsigned char)byte & 0xC0U) == 0x80U;
}

/// vsnprintf() into `size` >= 4 bytes; what is too long ends in "...", never inside a character.
ATEMI_PRINTF(3, 0)
static inline void message_format(char *text, size_t size, const char *format, va_list arguments)
{
    const int length = vsnprintf(text, size, format, arguments);
    if (length < 0) {
        snprintf(text, size, "...");
    } else if ((size_t)length >= size) {
        size_t end = size - MESSAGE_ELLIPSIS_SIZE;
        while (end > 0 && message_byte_continues(text[end])) {
            --end;
        }
        memcpy(text + end, "...", MESSAGE_ELLIPSIS_SIZE);
    }
}
