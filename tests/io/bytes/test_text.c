// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/text.h"

#include "allocations.h"
#include "check.h"

#include <math.h>
#include <string.h>

TEST(text, grows_by_bytes_strings_characters_and_formats)
{
    atemi_text text = {0};
    atemi_text_put(&text, "abXX", 2);
    atemi_text_put_string(&text, "cd");
    atemi_text_put_character(&text, 'e');
    atemi_text_append(&text, "%d-%s", 12, "f");
    CHECK_EQUAL_STRING(text.bytes, "abcde12-f");
    CHECK_EQUAL_INT((int)text.size, 9);
    for (int i = 0; i < 10000; ++i) {
        atemi_text_append(&text, "%04d", i);
    }
    CHECK_EQUAL_INT((int)text.size, 40009);
    CHECK(memcmp(text.bytes + 40005, "9999", 5) == 0);
    atemi_text_destroy(&text);
    CHECK(!text.bytes && text.size == 0);
}

TEST(text, writes_numbers_that_read_back_and_infinity_by_name)
{
    atemi_text text = {0};
    atemi_text_put_number(&text, 0.1);
    atemi_text_put_character(&text, ' ');
    atemi_text_append_number(&text, (double)INFINITY);
    atemi_text_put_character(&text, ' ');
    atemi_text_append_number(&text, (double)-INFINITY);
    CHECK_EQUAL_STRING(text.bytes, "0.1 inf -inf");
    atemi_text_destroy(&text);
}

// RFC 8259: quotes, backslashes and characters below U+0020 are escaped; there is no NaN.
TEST(text, writes_json)
{
    atemi_text text = {0};
    atemi_text_put_json_string(&text, "a\"b\\c\n\x01\xc3\xa9");
    CHECK_EQUAL_STRING(text.bytes, "\"a\\\"b\\\\c\\u000a\\u0001\xc3\xa9\"");
    atemi_text_destroy(&text);
    atemi_text_put_json_part(&text, "abcdef", 3);
    atemi_text_put_json_number(&text, (double)NAN);
    atemi_text_put_json_number(&text, (double)INFINITY);
    CHECK_EQUAL_STRING(text.bytes, "\"abc\"nullnull");
    atemi_text_destroy(&text);
}

// The Unicode standard, table 3-7: no overlong forms, no surrogates, nothing beyond U+10FFFF.
TEST(text, knows_utf8)
{
    const char *const good[] = {
        "", "abc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"};
    const char *const bad[] = {"\x80",         "\xc3",         "\xc0\xaf",         "\xe0\x80\xaf",
                               "\xed\xa0\x80", "\xe2\x82\x28", "\xf4\x90\x80\x80", "\xff"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        CHECK(atemi_text_is_utf8(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        CHECK(!atemi_text_is_utf8(bad[i]));
    }
}

TEST(text, that_ran_out_of_memory_says_so_and_takes_nothing_more)
{
    atemi_text text = {0};
    failing_allocator_install(1);
    atemi_text_put_string(&text, "abc");
    atemi_text_put_string(&text, "def");
    CHECK(text.failed);
    CHECK_EQUAL_INT((int)text.size, 0);
    atemi_text_destroy(&text);
    failing_allocator_remove();
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
}
