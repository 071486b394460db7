// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/base64.h"

#include "check.h"
#include "folder.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

// What a file holds after bytes were written to it. Valid until the next call.
static const char *encoded(const folder *home, const void *bytes, size_t size)
{
    const char      *path = folder_path(home->path, "file");
    atemi_whole_file file;
    CHECK_STATUS(atemi_whole_file_create(&file, path, ATEMI_LINKS_REPLACED, NULL), ATEMI_OK);
    atemi_base64_write((const unsigned char *)bytes, size, &file);
    CHECK_STATUS(atemi_whole_file_finish(&file, NULL), ATEMI_OK);
    atemi_whole_file_destroy(&file);
    return folder_get(path);
}

// RFC 4648, section 10.
TEST(base64, is_that_of_the_standard)
{
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    folder                   home = folder_create();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        CHECK_EQUAL_STRING(encoded(&home, pairs[i][0], strlen(pairs[i][0])), pairs[i][1]);
    }
    folder_remove(home.path);
}

// The six bits of a letter, by the table of the standard.
static unsigned bits_of(char letter)
{
    if (letter >= 'A' && letter <= 'Z') {
        return (unsigned)(letter - 'A');
    }
    if (letter >= 'a' && letter <= 'z') {
        return (unsigned)(letter - 'a') + 26;
    }
    if (letter >= '0' && letter <= '9') {
        return (unsigned)(letter - '0') + 52;
    }
    CHECK(letter == '+' || letter == '/');
    return letter == '+' ? 62 : 63;
}

static size_t decode(const char *text, unsigned char *bytes)
{
    size_t   count = 0;
    unsigned held = 0, bits = 0;
    for (; *text && *text != '='; ++text) {
        held = held << 6 | bits_of(*text);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[count++] = (unsigned char)(held >> bits & 255U);
        }
    }
    return count;
}

TEST(base64, gives_all_bytes_back)
{
    enum { MOST = 1000 };
    unsigned char bytes[MOST], back[MOST];
    folder        home = folder_create();
    random_stream stream = random_seeded(1);
    for (int size = 0; size < MOST; size += 37) {
        for (int i = 0; i < size; ++i) {
            bytes[i] = (unsigned char)random_index(&stream, 256);
        }
        const char *text = encoded(&home, bytes, (size_t)size);
        CHECK_EQUAL_INT(strlen(text), 4 * ((size + 2) / 3));
        CHECK_EQUAL_INT(decode(text, back), size);
        CHECK(memcmp(bytes, back, (size_t)size) == 0);
    }
    folder_remove(home.path);
}
