// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

typedef struct notebook {
    int             count;
    atemi_log_level level;
    char            message[4096];
} notebook;

static void note(void *context, atemi_log_level level, const char *message)
{
    notebook *notes = context;
    ++notes->count;
    notes->level = level;
    snprintf(notes->message, sizeof notes->message, "%s", message);
}

TEST(log, is_silent_without_a_hook)
{
    atemi_log(ATEMI_LOG_ERROR, "into the void");
}

TEST(log, hands_the_formatted_message_and_its_level_to_the_hook)
{
    notebook notes = {0};
    atemi_set_log_hook(note, &notes);
    atemi_log(ATEMI_LOG_WARNING, "%s took %d ms", "plan", 42);
    CHECK_EQUAL_INT(notes.count, 1);
    CHECK_EQUAL_INT(notes.level, ATEMI_LOG_WARNING);
    CHECK_EQUAL_STRING(notes.message, "plan took 42 ms");
}

TEST(log, falls_silent_again)
{
    notebook notes = {0};
    atemi_set_log_hook(note, &notes);
    atemi_set_log_hook(NULL, NULL);
    atemi_log(ATEMI_LOG_INFO, "nobody hears this");
    CHECK_EQUAL_INT(notes.count, 0);
}

TEST(log, ends_a_long_message_in_an_ellipsis)
{
    notebook notes = {0};
    char     text[3000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    atemi_set_log_hook(note, &notes);
    atemi_log(ATEMI_LOG_INFO, "%s", text);

    const size_t length = strlen(notes.message);
    CHECK(length >= 1000 && length < sizeof text);
    CHECK_EQUAL_STRING(notes.message + length - 4, "a...");
}
