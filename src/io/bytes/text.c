// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/text.h"

#include "atemi/base.h"
#include "io/bytes/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

static bool reserve(atemi_text *text, size_t more)
{
    if (!text->failed && text->capacity - text->size <= more) {
        const size_t needed = text->size + more + 1;
        const size_t doubled = text->capacity ? 2 * text->capacity : FIRST_CAPACITY;
        const size_t capacity = needed > doubled ? needed : doubled;
        char        *bytes = (char *)atemi_resize(text->bytes, capacity);
        text->failed = !bytes;
        text->bytes = bytes ? bytes : text->bytes;
        text->capacity = bytes ? capacity : text->capacity;
    }
    return !text->failed;
}

void atemi_text_put(atemi_text *text, const char *bytes, size_t size)
{
    if (reserve(text, size)) {
        if (size > 0) {
            memcpy(text->bytes + text->size, bytes, size);
        }
        text->size += size;
        text->bytes[text->size] = '\0';
    }
}

void atemi_text_put_string(atemi_text *text, const char *string)
{
    atemi_text_put(text, string, strlen(string));
}

void atemi_text_put_character(atemi_text *text, char character)
{
    atemi_text_put(text, &character, 1);
}

void atemi_text_put_number(atemi_text *text, double value)
{
    char number[ATEMI_DECIMAL_SIZE];
    atemi_text_put(text, number, (size_t)atemi_decimal_write(value, number));
}

void atemi_text_append(atemi_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->bytes + text->size, (size_t)length + 1, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void atemi_text_append_number(atemi_text *text, double value)
{
    if (isfinite(value)) {
        atemi_text_put_number(text, value);
    } else {
        atemi_text_put_string(text, isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
    }
}

void atemi_text_put_json_string(atemi_text *text, const char *string)
{
    atemi_text_put_json_part(text, string, strlen(string));
}

void atemi_text_put_json_part(atemi_text *text, const char *string, size_t size)
{
    atemi_text_put_character(text, '"');
    for (size_t i = 0; i < size; ++i) {
        const unsigned char byte = (unsigned char)string[i];
        if (byte < ' ' || byte == 0x7F) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", byte);
            atemi_text_put_string(text, escape);
            continue;
        }
        if (byte == '"' || byte == '\\') {
            atemi_text_put_character(text, '\\');
        }
        atemi_text_put_character(text, string[i]);
    }
    atemi_text_put_character(text, '"');
}

// A whole number gets a point, so that no reader takes it for an integer of limited range.
void atemi_text_put_json_number(atemi_text *text, double value)
{
    if (!isfinite(value)) {
        atemi_text_put_string(text, "null");
        return;
    }
    char number[ATEMI_DECIMAL_SIZE];
    atemi_decimal_write(value, number);
    atemi_text_put_string(text, number);
    atemi_text_put_string(text, strpbrk(number, ".e") ? "" : ".0");
}

void atemi_text_destroy(atemi_text *text)
{
    atemi_release(text->bytes);
    *text = (atemi_text){0};
}

// The bytes that may follow a first byte: how many, and the range of the next one.
typedef struct sequence {
    unsigned first, last;
    int      more;
    unsigned least, largest;
} sequence;

static const sequence *find_sequence(unsigned byte)
{
    static const sequence sequences[] = {
        {0x01, 0x7F, 0, 0, 0},       {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
        {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF},
        {0xF0, 0xF0, 3, 0x90, 0xBF}, {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
    };
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; ++i) {
        if (byte >= sequences[i].first && byte <= sequences[i].last) {
            return &sequences[i];
        }
    }
    return NULL;
}

bool atemi_text_is_utf8(const char *string)
{
    const unsigned char *at = (const unsigned char *)string;
    while (*at) {
        const sequence *kind = find_sequence(*at++);
        if (!kind || (kind->more > 0 && (*at < kind->least || *at > kind->largest))) {
            return false;
        }
        for (int i = 0; i < kind->more; ++i, ++at) {
            if (*at < 0x80 || *at > 0xBF) {
                return false;
            }
        }
    }
    return true;
}
