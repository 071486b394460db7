// SPDX-License-Identifier: Apache-2.0

/// @file
/// Tests as claims, over cmocka:
///
///     TEST(inverse_dynamics, of_a_pendulum_is_the_textbook_formula)
///     {
///         CHECK_NEAR(tau, m * l * l * a + m * g * l * sin(q), 1e-14);
///     }
///
/// A test registers itself; check_main.c runs all tests of the executable in the order of the file,
/// or those whose name contains the first argument. The first check that fails ends its test and
/// shows the seed that random.h was last given. A contract that is broken outside of
/// CHECK_BREAKS_CONTRACT fails the test as well.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct check_test check_test;

struct check_test {
    const char *name;
    const char *file;
    int         line;
    void (*run)(void **state);
    check_test *next;
};

/// The place of a check and the text of its arguments.
typedef struct check_place {
    const char *file;
    int         line;
    const char *text;
} check_place;

void check_register(check_test *test);

/// Forgets the test before and restores the hooks of the library.
void check_reset(void);

/// Remembers the seed of the case at hand, for the report of a failure.
void check_note_seed(uint64_t seed);

/// Skips the test where long double is no wider than double: on some processors, and under
/// valgrind.
void check_needs_long_double(void);

/// Ends the test as failed.
_Noreturn void check_fail(check_place place, const char *format, ...) ATEMI_PRINTF(2, 3);

void check_true(check_place place, bool condition);
void check_near(check_place place, double actual, double expected, double tolerance);
void check_equal_int(check_place place, long long actual, long long expected);
void check_equal_string(check_place place, const char *actual, const char *expected);
void check_contains(check_place place, const char *text, const char *part);
void check_status(check_place place, atemi_status actual, atemi_status expected);

/// Between these two, broken contracts are counted instead of failing the test.
void check_contract_begin(void);
void check_contract_end(check_place place);

/// Makes broken contracts fail the test, as they do when it starts. For tests that have installed
/// a handler of their own.
void check_contract_guard(void);

#define CHECK_PLACE(text) ((check_place){__FILE__, __LINE__, text})

/// Defines the test `module.claim`.
#define TEST(module, claim)                                                                        \
    static void                              module##_##claim(void **state);                       \
    __attribute__((constructor)) static void register_##module##_##claim(void)                     \
    {                                                                                              \
        static check_test test = {#module "." #claim, __FILE__, __LINE__, module##_##claim, 0};    \
        check_register(&test);                                                                     \
    }                                                                                              \
    static void module##_##claim(void **state __attribute__((unused)))

#define CHECK(condition) check_true(CHECK_PLACE("CHECK(" #condition ")"), (condition))

/// |actual - expected| <= tolerance. Fails on NaN; equal infinities are near.
#define CHECK_NEAR(actual, expected, tolerance)                                                    \
    check_near(CHECK_PLACE("CHECK_NEAR(" #actual ", " #expected ", " #tolerance ")"), (actual),    \
               (expected), (tolerance))

#define CHECK_EQUAL_INT(actual, expected)                                                          \
    check_equal_int(CHECK_PLACE("CHECK_EQUAL_INT(" #actual ", " #expected ")"),                    \
                    (long long)(actual), (long long)(expected))

#define CHECK_EQUAL_STRING(actual, expected)                                                       \
    check_equal_string(CHECK_PLACE("CHECK_EQUAL_STRING(" #actual ", " #expected ")"), (actual),    \
                       (expected))

/// `text` has `part` in it.
#define CHECK_CONTAINS(text, part)                                                                 \
    check_contains(CHECK_PLACE("CHECK_CONTAINS(" #text ", " #part ")"), (text), (part))

/// The call returns the expected atemi_status.
#define CHECK_STATUS(call, expected)                                                               \
    check_status(CHECK_PLACE("CHECK_STATUS(" #call ", " #expected ")"), (call), (expected))

/// The statement breaks a contract, at least one.
#define CHECK_BREAKS_CONTRACT(...)                                                                 \
    do {                                                                                           \
        check_contract_begin();                                                                    \
        __VA_ARGS__;                                                                               \
        check_contract_end(CHECK_PLACE("CHECK_BREAKS_CONTRACT(" #__VA_ARGS__ ")"));                \
    } while (0)
