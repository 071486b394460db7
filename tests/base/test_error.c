// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "check.h"

#include <stddef.h>
#include <string.h>

static atemi_error located(const char *file, int line, int column)
{
    atemi_error error;
    atemi_fail(&error, ATEMI_ERROR_INPUT, "mass of %s is %d", "arm", -1);
    atemi_error_locate(&error, file, line, column);
    return error;
}

static void check_formatted(const char *file, int line, int column, const char *expected)
{
    const atemi_error error = located(file, line, column);
    char              text[64];
    const int         length = atemi_error_format(&error, text, sizeof text);
    CHECK_EQUAL_STRING(text, expected);
    CHECK_EQUAL_INT(length, strlen(expected));
}

TEST(status, of_each_kind_has_a_text_of_its_own)
{
    for (int a = ATEMI_OK; a <= ATEMI_ERROR_SINGULAR; ++a) {
        const char *text = atemi_status_text((atemi_status)a);
        CHECK(strlen(text) > 0);
        CHECK(strcmp(text, atemi_status_text((atemi_status)1000)) != 0);
        for (int b = ATEMI_OK; b < a; ++b) {
            CHECK(strcmp(text, atemi_status_text((atemi_status)b)) != 0);
        }
    }
}

TEST(status, bad_input_reads_as_the_header_says)
{
    CHECK_EQUAL_STRING(atemi_status_text(ATEMI_ERROR_INPUT), "bad input");
}

TEST(status, out_of_range_is_unknown_and_not_null)
{
    CHECK_EQUAL_STRING(atemi_status_text((atemi_status)1000), "unknown status");
}

TEST(fail, returns_its_status_and_fills_the_record)
{
    atemi_error error;
    memset(&error, 0x5A, sizeof error);
    CHECK_STATUS(atemi_fail(&error, ATEMI_ERROR_LIMIT, "%d of %s", 3, "many"), ATEMI_ERROR_LIMIT);
    CHECK_STATUS(error.status, ATEMI_ERROR_LIMIT);
    CHECK_EQUAL_STRING(error.message, "3 of many");
    CHECK_EQUAL_STRING(error.file, "");
    CHECK_EQUAL_INT(error.line, 0);
    CHECK_EQUAL_INT(error.column, 0);
}

TEST(fail, without_a_record_still_returns_its_status)
{
    CHECK_STATUS(atemi_fail(NULL, ATEMI_ERROR_FILE, "gone"), ATEMI_ERROR_FILE);
}

TEST(fail, forgets_the_place_of_an_earlier_error)
{
    atemi_error error = located("arm.urdf", 3, 5);
    atemi_fail(&error, ATEMI_ERROR_MEMORY, "none");
    CHECK_EQUAL_STRING(error.file, "");
    CHECK_EQUAL_INT(error.line, 0);
    CHECK_EQUAL_INT(error.column, 0);
}

TEST(fail, may_quote_the_message_it_replaces)
{
    atemi_error error = located("arm.urdf", 3, 5);
    atemi_fail(&error, ATEMI_ERROR_INPUT, "in %s: %s", error.file, error.message);
    CHECK_EQUAL_STRING(error.message, "in arm.urdf: mass of arm is -1");
}

TEST(fail, ends_a_long_message_in_an_ellipsis)
{
    char text[ATEMI_ERROR_MESSAGE_SIZE + 1];
    memset(text, 'a', sizeof text);
    atemi_error error;

    text[ATEMI_ERROR_MESSAGE_SIZE - 1] = '\0'; // the longest that fits
    atemi_fail(&error, ATEMI_ERROR_INPUT, "%s", text);
    CHECK_EQUAL_STRING(error.message, text);

    text[ATEMI_ERROR_MESSAGE_SIZE - 1] = 'a'; // one more
    text[ATEMI_ERROR_MESSAGE_SIZE] = '\0';
    atemi_fail(&error, ATEMI_ERROR_INPUT, "%s", text);
    CHECK_EQUAL_INT(strlen(error.message), ATEMI_ERROR_MESSAGE_SIZE - 1);
    CHECK_EQUAL_STRING(error.message + ATEMI_ERROR_MESSAGE_SIZE - 5, "a...");
}

// The three bytes of the euro sign would straddle the cut; whatever they are shifted by, only whole
// signs are left before the ellipsis.
TEST(fail, never_cuts_a_character_in_two)
{
    for (size_t shift = 0; shift < 3; ++shift) {
        char text[3 * ATEMI_ERROR_MESSAGE_SIZE + 4] = "aaa";
        for (size_t i = 0; i < ATEMI_ERROR_MESSAGE_SIZE; ++i) {
            memcpy(text + shift + 3 * i, "\xE2\x82\xAC", 4);
        }
        atemi_error error;
        atemi_fail(&error, ATEMI_ERROR_INPUT, "%s", text);

        const size_t kept = strlen(error.message) - 3;
        CHECK_EQUAL_INT((kept - shift) % 3, 0);
        CHECK(kept >= ATEMI_ERROR_MESSAGE_SIZE - 4 - 2);
        CHECK_EQUAL_STRING(error.message + kept, "...");
    }
}

TEST(fail, survives_text_that_cannot_be_formatted)
{
    const wchar_t nonsense[] = {0x7FFFFFFF, 0};
    atemi_error   error;
    CHECK_STATUS(atemi_fail(&error, ATEMI_ERROR_INPUT, "%ls", nonsense), ATEMI_ERROR_INPUT);
    CHECK_EQUAL_STRING(error.message, "...");
}

TEST(fail, without_a_format_breaks_the_contract)
{
    const char *none = NULL;
    CHECK_BREAKS_CONTRACT(atemi_fail(NULL, ATEMI_ERROR_INPUT, none, 1));
}

TEST(locate, keeps_the_message_and_adds_the_place)
{
    const atemi_error error = located("arm.urdf", 3, 5);
    CHECK_EQUAL_STRING(error.message, "mass of arm is -1");
    CHECK_STATUS(error.status, ATEMI_ERROR_INPUT);
    CHECK_EQUAL_STRING(error.file, "arm.urdf");
    CHECK_EQUAL_INT(error.line, 3);
    CHECK_EQUAL_INT(error.column, 5);
}

TEST(locate, without_a_file_keeps_the_one_that_is_there)
{
    atemi_error error = located("arm.urdf", 3, 5);
    atemi_error_locate(&error, NULL, 7, 9);
    CHECK_EQUAL_STRING(error.file, "arm.urdf");
    CHECK_EQUAL_INT(error.line, 7);
    CHECK_EQUAL_INT(error.column, 9);
}

TEST(locate, may_be_given_the_records_own_file)
{
    atemi_error error = located("arm.urdf", 3, 5);
    atemi_error_locate(&error, error.file, 1, 1);
    CHECK_EQUAL_STRING(error.file, "arm.urdf");
}

TEST(locate, without_a_record_does_nothing)
{
    atemi_error_locate(NULL, "arm.urdf", 1, 1);
}

TEST(locate, keeps_the_end_of_a_long_path)
{
    char path[2 * ATEMI_ERROR_FILE_SIZE];
    memset(path, 'd', sizeof path);
    strcpy(path + ATEMI_ERROR_FILE_SIZE - 9, "/arm.urd"); // the longest that fits
    CHECK_EQUAL_INT(strlen(path), ATEMI_ERROR_FILE_SIZE - 1);
    const atemi_error whole = located(path, 1, 1);
    CHECK_EQUAL_STRING(whole.file, path);

    strcpy(path + ATEMI_ERROR_FILE_SIZE - 9, "/arm.urdf"); // one more
    const atemi_error cut = located(path, 1, 1);
    CHECK_EQUAL_INT(strlen(cut.file), ATEMI_ERROR_FILE_SIZE - 1);
    CHECK_EQUAL_INT(strncmp(cut.file, "...d", 4), 0);
    CHECK_EQUAL_STRING(cut.file + 3, path + 4);
}

TEST(locate, never_begins_a_cut_path_inside_a_character)
{
    for (size_t shift = 0; shift < 2; ++shift) {
        char path[2 * ATEMI_ERROR_FILE_SIZE + 2] = "a";
        for (size_t i = 0; i < ATEMI_ERROR_FILE_SIZE; ++i) {
            memcpy(path + shift + 2 * i, "\xC3\xA9", 3);
        }
        strcat(path, shift ? "" : "z");
        const atemi_error error = located(path, 1, 1);
        CHECK_EQUAL_INT((unsigned char)error.file[3], 0xC3);
    }
}

TEST(error, is_shown_with_whatever_parts_of_the_place_there_are)
{
    check_formatted("arm.urdf", 3, 5, "arm.urdf:3:5: mass of arm is -1");
    check_formatted("arm.urdf", 3, 0, "arm.urdf:3: mass of arm is -1");
    check_formatted("arm.urdf", 0, 0, "arm.urdf: mass of arm is -1");
    check_formatted("arm.urdf", 0, 5, "arm.urdf: mass of arm is -1");
    check_formatted("", 3, 5, "3:5: mass of arm is -1");
    check_formatted("", 0, 0, "mass of arm is -1");
}

TEST(error, tells_the_whole_length_when_cut)
{
    const atemi_error error = located("arm.urdf", 3, 5);
    char              text[4] = "xyz";
    const int         whole = (int)strlen("arm.urdf:3:5: mass of arm is -1");
    CHECK_EQUAL_INT(atemi_error_format(&error, NULL, 0), whole);
    CHECK_EQUAL_INT(atemi_error_format(&error, text, sizeof text), whole);
    CHECK_EQUAL_STRING(text, "arm");
}

TEST(error, format_refuses_nonsense)
{
    const atemi_error error = located("arm.urdf", 3, 5);
    char              text[4];
    CHECK_BREAKS_CONTRACT(CHECK_EQUAL_INT(atemi_error_format(NULL, text, sizeof text), 0));
    CHECK_BREAKS_CONTRACT(CHECK_EQUAL_INT(atemi_error_format(&error, NULL, 4), 0));
    CHECK_BREAKS_CONTRACT(CHECK_EQUAL_INT(atemi_error_format(&error, text, -1), 0));
}
