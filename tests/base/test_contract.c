// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // fork, waitpid
#endif

#include "atemi/base.h"
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(contract, when_broken_is_counted_whatever_the_handler_does)
{
    notebook        notes = {0};
    atemi_violation last = {0};
    int             stored = 7;
    const long      before = atemi_contracts_broken(NULL);
    atemi_set_contract_handler(note_violation, &notes);
    store_if_positive(3, &stored);
    CHECK_EQUAL_INT(atemi_contracts_broken(NULL), before);
    store_if_positive(-3, &stored);
    CHECK_EQUAL_INT(half_of_even(5), -1);
    CHECK_EQUAL_INT(atemi_contracts_broken(&last), before + 2);
    CHECK_EQUAL_STRING(last.function, "half_of_even");
    CHECK_EQUAL_STRING(last.expression, "value % 2 == 0");
}

static void *break_one(void *count)
{
    half_of_even(5);
    *(long *)count = atemi_contracts_broken(NULL);
    return NULL;
}

TEST(contract, is_counted_for_each_thread_apart)
{
    pthread_t  thread;
    notebook   notes = {0};
    long       elsewhere = 0;
    const long before = atemi_contracts_broken(NULL);
    atemi_set_contract_handler(note_violation, &notes);
    CHECK_EQUAL_INT(pthread_create(&thread, NULL, break_one, &elsewhere), 0);
    pthread_join(thread, NULL);
    CHECK_EQUAL_INT(elsewhere, 1);
    CHECK_EQUAL_INT(atemi_contracts_broken(NULL), before);
}

// ---- Without a handler. A debug build aborts: that is for a child to do.

static int status_of_child(void (*deed)(void))
{
    int         status = 0;
    const pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        deed();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

static void break_by_default(void)
{
    int stored = 7;
    atemi_set_contract_handler(NULL, NULL);
    store_if_positive(-3, &stored);
    _exit(stored);
}

static void log_by_default(void)
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

TEST(contract, without_handler_aborts_a_debug_build_and_is_survived_and_logged_elsewhere)
{
    const int status = status_of_child(break_by_default);
#ifdef ATEMI_ABORTS
    (void)log_by_default;
    CHECK(WIFSIGNALED(status));
    CHECK_EQUAL_INT(WTERMSIG(status), SIGABRT);
#else
    CHECK(WIFEXITED(status));
    CHECK_EQUAL_INT(WEXITSTATUS(status), 7);
    log_by_default();
#endif
}
