// SPDX-License-Identifier: Apache-2.0

#include "io/text_buffer.h"

#include "atemi/allocator.h"
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_ROOM = 256, NUMBER_SIZE = 40 };

static bool make_room(atemi_text_buffer *text, size_t length)
{
    if (text->failed || text->room - text->size > length) {
        return !text->failed;
    }
    const size_t room = 2 * text->room + length + FIRST_ROOM;
    char        *bytes = (char *)atemi_resize(text->bytes, room);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->room = room;
    return true;
}

// A locale may write its decimal point with any character, of more than one byte even.
static void write_point(char *number)
{
    char *to = number;
    for (const char *from = number; *from; ++from) {
        if (strchr("0123456789+-e", *from)) {
            *to++ = *from;
        } else if (to == number || to[-1] != '.') {
            *to++ = '.';
        }
    }
    *to = '\0';
}

void atemi_text_append(atemi_text_buffer *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && make_room(text, (size_t)length)) {
        vsnprintf(text->bytes + text->size, (size_t)length + 1, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void atemi_text_append_number(atemi_text_buffer *text, double number)
{
    if (!isfinite(number)) {
        atemi_text_append(text, "%s", number > 0.0 ? "inf" : number < 0.0 ? "-inf" : "nan");
        return;
    }
    char digits[NUMBER_SIZE];
    for (int precision = DBL_DIG; precision <= DBL_DECIMAL_DIG; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        write_point(digits);
        double           same = 0.0;
        const atemi_word word = {digits, (int)strlen(digits)};
        if (!atemi_number_parse(word, &same) && same == number) {
            break;
        }
    }
    atemi_text_append(text, "%s", digits);
}
