// SPDX-License-Identifier: Apache-2.0

#include "bits.h"
#include "check.h"
#include "io/bytes/number.h"
#include "random.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atemi_number_fault parse(const char *text, double *value)
{
    const atemi_word word = {text, (int)strlen(text)};
    return atemi_number_parse(word, value);
}

static void check_fault(const char *text, atemi_number_fault fault)
{
    double value = 0.0;
    CHECK_EQUAL_INT(parse(text, &value), fault);
}

static void check_value(const char *text, double expected)
{
    double value = -1.0;
    CHECK_EQUAL_INT(parse(text, &value), ATEMI_NUMBER_FINE);
    CHECK(bits_of(value) == bits_of(expected));
}

TEST(number, is_read_in_every_usual_spelling)
{
    check_value("1", 1.0);
    check_value("-1.5e-3", -1.5e-3);
    check_value(".5", 0.5);
    check_value("2.", 2.0);
    check_value("+3", 3.0);
    check_value("1E3", 1000.0);
    check_value("007", 7.0);
    check_value("-0", -0.0);
    check_value("0e999999999999", 0.0);
}

TEST(number, that_is_none_is_refused)
{
    const char *const junk[] = {"",    "-",   ".",    "e5",    "1e",   "1e+", "1x",
                                "0x1", "1,5", "1.2.", "1e5.5", "--1",  "1 2", "one",
                                "1f",  "1_0", "$",    "+-1",   "1e--", "in",  "na"};
    for (size_t i = 0; i < sizeof junk / sizeof junk[0]; ++i) {
        check_fault(junk[i], ATEMI_NUMBER_MALFORMED);
    }
}

TEST(number, that_is_not_finite_is_refused)
{
    const char *const words[] = {"nan", "NaN", "-nan", "inf", "-Inf", "+infinity", "nan(0)"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        check_fault(words[i], ATEMI_NUMBER_NOT_FINITE);
    }
    check_fault("1e309", ATEMI_NUMBER_TOO_LARGE);
    check_fault("-1e999999999", ATEMI_NUMBER_TOO_LARGE);
}

// The hardest cases known for rounding: halfway between two doubles, the least subnormal, digits
// beyond 2^64. strtod() of the "C" locale is the oracle; it is correctly rounded in glibc.
TEST(number, is_rounded_as_the_c_library_does)
{
    const char *const hard[] = {"9007199254740993",
                                "9007199254740992.9999999999999999999",
                                "2.2250738585072011e-308",
                                "2.4703282292062327208e-324",
                                "4.9406564584124654e-324",
                                "1.7976931348623157e308",
                                "123456789012345678901234567890",
                                "0.1e-22",
                                "9007199254740991e22",
                                "9007199254740991e23",
                                "1e23",
                                "0.000000000000000000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; ++i) {
        check_value(hard[i], strtod(hard[i], NULL));
    }
}

// Its point 10^4 digits to the left, and a power that more than makes up for it.
TEST(number, of_many_zeros_is_as_large_as_its_power_says)
{
    enum { ZEROS = 9998 };
    char text[ZEROS + 16] = "0.";
    memset(text + 2, '0', ZEROS);
    snprintf(text + 2 + ZEROS, 14, "1e999999");
    check_fault(text, ATEMI_NUMBER_TOO_LARGE);
    snprintf(text + 2 + ZEROS, 14, "1e%d", ZEROS + 1);
    check_value(text, 1.0);
}

TEST(number, survives_the_way_through_text)
{
    random_stream stream = random_seeded(1);
    for (int i = 0; i < 100000; ++i) {
        const uint64_t bits = random_bits(&stream) & ~(UINT64_C(1) << 62); // never infinite
        double         value;
        memcpy(&value, &bits, sizeof value);
        char text[64];
        snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.6g", value);
        check_value(text, strtod(text, NULL));
    }
}

TEST(number, does_not_depend_on_the_locale)
{
    const char *const german[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    for (int i = 0; i < 4 && !setlocale(LC_ALL, german[i]); ++i) {
    }
    check_value("1.5", 1.5);
    check_value("0.12345678901234567890123", 0.12345678901234567890123);
    check_fault("1,5", ATEMI_NUMBER_MALFORMED);
    setlocale(LC_ALL, "C");
}

TEST(number, list_takes_any_white_space)
{
    double                     v[3];
    const atemi_numbers_result result = atemi_numbers_parse(" \n1\t2\r\n 3 ", 3, v);
    CHECK_EQUAL_INT(result.fault, ATEMI_NUMBER_FINE);
    CHECK(v[0] == 1.0 && v[1] == 2.0 && v[2] == 3.0);
}

TEST(number, list_says_what_is_wrong_with_it)
{
    double v[3];
    CHECK_EQUAL_INT(atemi_numbers_parse("1 2", 3, v).fault, ATEMI_NUMBER_MISCOUNTED);
    CHECK_EQUAL_INT(atemi_numbers_parse("1 2", 3, v).found, 2);
    CHECK_EQUAL_INT(atemi_numbers_parse("1 2 3 4", 3, v).found, 4);
    CHECK_EQUAL_INT(atemi_numbers_parse("", 3, v).found, 0);

    const atemi_numbers_result result = atemi_numbers_parse("1 x2 nan", 3, v);
    CHECK_EQUAL_INT(result.fault, ATEMI_NUMBER_MALFORMED);
    CHECK_EQUAL_INT(result.word.length, 2);
    CHECK(strncmp(result.word.start, "x2", 2) == 0);
}
