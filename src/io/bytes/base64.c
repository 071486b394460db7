// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Up to three bytes as four letters, of which those without bytes are '='.
static void encode(const unsigned char *bytes, size_t count, char four[4])
{
    const unsigned first = bytes[0];
    const unsigned second = count > 1 ? bytes[1] : 0;
    const unsigned third = count > 2 ? bytes[2] : 0;
    four[0] = letters[first >> 2];
    four[1] = letters[(first & 3U) << 4 | second >> 4];
    four[2] = letters[(second & 15U) << 2 | third >> 6];
    four[3] = letters[third & 63U];
    if (count < 2) {
        four[2] = '=';
    }
    if (count < 3) {
        four[3] = '=';
    }
}

void atemi_base64_write(const unsigned char *bytes, size_t size, atemi_whole_file *file)
{
    for (size_t i = 0; i < size && !file->failed; i += 3) {
        encode(bytes + i, size - i < 3 ? size - i : 3, atemi_whole_file_reserve(file, 4));
        atemi_whole_file_advance(file, 4);
    }
}
