// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/visible.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// ---- UTF-8

// The bytes of the character that begins with `first`; 0 where none does.
static int length_of(unsigned char first)
{
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xC2 || first > 0xF4) {
        return 0;
    }
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

// Decodes a character.
// @return its length in bytes; 0 for what is no UTF-8: cut short, overlong, a surrogate, too large
static int decode(const char *text, uint32_t *point)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char   first = (unsigned char)text[0];
    const int             length = length_of(first);
    uint32_t              value = length == 1 ? first : first & (0xFFU >> (length + 1));
    for (int i = 1; i < length; ++i) {
        const unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80) {
            return 0;
        }
        value = value << 6 | (next & 0x3FU);
    }
    *point = value;
    const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
    return value < smallest[length] || value > 0x10FFFF || is_surrogate ? 0 : length;
}

// ---- Which characters are shown

// First and last of each range: controls (C0, DEL, C1), soft hyphen, marks of direction, characters
// without a width, separators of lines, annotations, tags, private characters that terminals use.
static const uint32_t hidden[][2] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},   {0x061C, 0x061C},    {0x180E, 0x180E},
    {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0xFEFF, 0xFEFF},    {0xFFF9, 0xFFFB},
    {0xE000, 0xF8FF}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF},
};

static bool is_hidden(uint32_t point)
{
    bool found = false;
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; ++i) {
        found = found || (point >= hidden[i][0] && point <= hidden[i][1]);
    }
    return found;
}

// ---- Escapes

// One character or odd byte at `text`, as it is shown.
// @return how many bytes of the text it takes
static int show_next(const char *text, char shown[16])
{
    uint32_t  point;
    const int length = decode(text, &point);
    if (length == 0) {
        snprintf(shown, 16, "\\x%02x", (unsigned)(unsigned char)text[0]);
    } else if (is_hidden(point)) {
        const char kind = point < 0x80 ? 'x' : point < 0x10000 ? 'u' : 'U';
        const int  digits = point < 0x80 ? 2 : point < 0x10000 ? 4 : 8;
        snprintf(shown, 16, "\\%c%0*x", kind, digits, (unsigned)point);
    } else {
        memcpy(shown, text, (size_t)length);
        shown[length] = '\0';
    }
    return length ? length : 1;
}

size_t atemi_visible_text(const char *text, char *visible, size_t capacity)
{
    size_t used = 0;
    for (const char *c = text; *c;) {
        char shown[16];
        c += show_next(c, shown);
        const size_t length = strlen(shown);
        if (used + length >= capacity) {
            break;
        }
        memcpy(visible + used, shown, length);
        used += length;
    }
    visible[used] = '\0';
    return used;
}
