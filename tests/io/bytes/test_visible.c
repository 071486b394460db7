// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/visible.h"

#include "check.h"

#include <string.h>

static const char *shown(const char *text, size_t capacity)
{
    static char  visible[100];
    const size_t length = atemi_visible_text(text, visible, capacity);
    CHECK_EQUAL_INT(length, strlen(visible));
    return visible;
}

TEST(visible, keeps_letters_of_all_languages)
{
    CHECK_EQUAL_STRING(shown("J\xC3\xBCrgen \xE4\xBA\xBA \"x\" \\", 100),
                       "J\xC3\xBCrgen \xE4\xBA\xBA \"x\" \\");
}

// A line feed, a separator of lines, a mark of direction, a byte that is no UTF-8.
TEST(visible, escapes_what_moves_hides_or_breaks_lines)
{
    CHECK_EQUAL_STRING(shown("a\nb\x1b[31m", 100), "a\\x0ab\\x1b[31m");
    CHECK_EQUAL_STRING(shown("\xE2\x80\xA8\xE2\x80\xAE\xC2\x85", 100), "\\u2028\\u202e\\u0085");
    CHECK_EQUAL_STRING(shown("\xFF\xC3", 100), "\\xff\\xc3");
}

TEST(visible, is_cut_between_characters)
{
    CHECK_EQUAL_STRING(shown("abc", 3), "ab");
    CHECK_EQUAL_STRING(shown("a\n", 5), "a");
    CHECK_EQUAL_STRING(shown("a\n", 6), "a\\x0a");
}
