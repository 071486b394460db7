// SPDX-License-Identifier: Apache-2.0

#include "check.h"

#include "atemi/base.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MESSAGE_SIZE = 2048 };

static struct {
    uint64_t seed;
    bool     has_seed;
    bool     expects_violation;
    int      violations;
} current;

static void on_violation(void *context, const atemi_violation *violation)
{
    (void)context;
    if (current.expects_violation) {
        ++current.violations;
        return;
    }
    const check_place place = {violation->file, violation->line, "broken contract"};
    check_fail(place, "%s() requires %s", violation->function, violation->expression);
}

void check_reset(void)
{
    current.has_seed = false;
    check_contract_guard();
    atemi_set_allocator(NULL);
    atemi_set_log_hook(NULL, NULL);
}

void check_note_seed(uint64_t seed)
{
    current.seed = seed;
    current.has_seed = true;
}

void check_needs_long_double(void)
{
    const volatile long double one = 1.0L, little = LDBL_EPSILON;
    if (one + little == one || LDBL_MANT_DIG == DBL_MANT_DIG) {
        skip();
    }
}

void check_fail(check_place place, const char *format, ...)
{
    char    message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    char seed[64] = "";
    if (current.has_seed) {
        snprintf(seed, sizeof seed, "\n    with seed %llu", (unsigned long long)current.seed);
    }
    print_error("%s\n    %s%s\n", place.text, message, seed);
    _fail(place.file, place.line);
    __builtin_unreachable();
}

void check_true(check_place place, bool condition)
{
    if (!condition) {
        check_fail(place, "is false");
    }
}

void check_near(check_place place, double actual, double expected, double tolerance)
{
    const double difference = actual - expected;
    if (!(fabs(difference) <= tolerance || actual == expected)) {
        check_fail(place, "%.17g\n    %.17g was expected\n    %.3g is the difference, %.3g allowed",
                   actual, expected, difference, tolerance);
    }
}

void check_equal_int(check_place place, long long actual, long long expected)
{
    if (actual != expected) {
        check_fail(place, "%lld\n    %lld was expected", actual, expected);
    }
}

void check_equal_string(check_place place, const char *actual, const char *expected)
{
    if (!actual || !expected || strcmp(actual, expected) != 0) {
        check_fail(place, "\"%s\"\n    \"%s\" was expected", actual ? actual : "(null)",
                   expected ? expected : "(null)");
    }
}

void check_contains(check_place place, const char *text, const char *part)
{
    if (!text || !strstr(text, part)) {
        check_fail(place, "\"%s\"\n    does not contain \"%s\"", text ? text : "(null)", part);
    }
}

void check_status(check_place place, atemi_status actual, atemi_status expected)
{
    if (actual != expected) {
        check_fail(place, "%s\n    %s was expected", atemi_status_text(actual),
                   atemi_status_text(expected));
    }
}

void check_contract_begin(void)
{
    check_contract_guard();
    current.expects_violation = true;
    current.violations = 0;
}

void check_contract_end(check_place place)
{
    current.expects_violation = false;
    if (current.violations == 0) {
        check_fail(place, "breaks no contract");
    }
}

void check_contract_guard(void)
{
    current.expects_violation = false;
    atemi_set_contract_handler(on_violation, NULL);
}
