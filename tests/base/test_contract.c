// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"
#include "atemi/log.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

typedef struct notebook {
    int             count;
    atemi_violation last;
    char            logged[256];
    atemi_log_level level;
} notebook;

static void note_violation(void *context, const atemi_violation *violation)
{
    notebook *notes = context;
    ++notes->count;
    notes->last = *violation;
}

static void note_message(void *context, atemi_log_level level, const char *message)
{
    notebook *notes = context;
    ++notes->count;
    notes->level = level;
    snprintf(notes->logged, sizeof notes->logged, "%s", message);
}

static void store_if_positive(int value, int *stored)
{
    ATEMI_REQUIRE(value > 0);
    *stored = value;
}

static int half_of_even(int value)
{
    ATEMI_REQUIRE_OR(value % 2 == 0, -1);
    return value / 2;
}

TEST(contract, when_kept_is_not_noticed)
{
    notebook notes = {0};
    int      stored = 0;
    atemi_set_contract_handler(note_violation, &notes);
    store_if_positive(3, &stored);
    CHECK_EQUAL_INT(stored, 3);
    CHECK_EQUAL_INT(half_of_even(8), 4);
    CHECK_EQUAL_INT(notes.count, 0);
}

TEST(contract, when_broken_is_reported_and_the_function_returns_at_once)
{
    notebook notes = {0};
    int      stored = 7;
    atemi_set_contract_handler(note_violation, &notes);
    store_if_positive(-3, &stored);
    CHECK_EQUAL_INT(stored, 7);
    CHECK_EQUAL_INT(notes.count, 1);
    CHECK_EQUAL_STRING(notes.last.expression, "value > 0");
    CHECK_EQUAL_STRING(notes.last.function, "store_if_positive");
    CHECK_CONTAINS(notes.last.file, "test_contract.c");
    CHECK(notes.last.line > 0 && notes.last.line < __LINE__);
}

TEST(contract, when_broken_yields_the_stated_result)
{
    notebook notes = {0};
    atemi_set_contract_handler(note_violation, &notes);
    CHECK_EQUAL_INT(half_of_even(5), -1);
    CHECK_EQUAL_INT(notes.count, 1);
}

TEST(contract, is_reported_to_the_log_by_default)
{
    notebook notes = {0};
    int      stored = 0;
    atemi_set_log_hook(note_message, &notes);
    atemi_set_contract_handler(NULL, NULL);
    store_if_positive(-3, &stored);
    CHECK_EQUAL_INT(notes.count, 1);
    CHECK_EQUAL_INT(notes.level, ATEMI_LOG_ERROR);
    CHECK_CONTAINS(notes.logged, "value > 0");
    CHECK_CONTAINS(notes.logged, "store_if_positive");
    CHECK_CONTAINS(notes.logged, "test_contract.c:");
}

TEST(contract, without_handler_and_log_is_still_survived)
{
    int stored = 7;
    atemi_set_contract_handler(NULL, NULL);
    store_if_positive(-3, &stored);
    CHECK_EQUAL_INT(stored, 7);
}
