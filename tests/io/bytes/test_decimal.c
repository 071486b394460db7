// SPDX-License-Identifier: Apache-2.0

#include "bits.h"
#include "check.h"
#include "io/bytes/decimal.h"
#include "io/bytes/number.h"
#include "random.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int significant_digits(const char *text)
{
    int count = 0, zeros = 0;
    for (const char *c = text; *c && *c != 'e'; ++c) {
        if (*c == '0') {
            zeros += count > 0;
        } else if (*c >= '1' && *c <= '9') {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

// The oracle is the C library: the least precision with which printf and strtod come back.
static int least_digits(double value)
{
    char text[64];
    for (int count = 1; count < 17; ++count) {
        snprintf(text, sizeof text, "%.*e", count - 1, value);
        if (strtod(text, NULL) == value) {
            return significant_digits(text);
        }
    }
    return 17;
}

static void check_round_trip(double value)
{
    char      text[ATEMI_DECIMAL_SIZE + 1];
    const int length = atemi_decimal_write(value, text);
    CHECK(length > 0 && length < ATEMI_DECIMAL_SIZE && text[length] == '\0');
    CHECK(bits_of(strtod(text, NULL)) == bits_of(value));
    double           back = 1.0;
    const atemi_word word = {text, length};
    CHECK_EQUAL_INT(atemi_number_parse(word, &back), ATEMI_NUMBER_FINE);
    CHECK(bits_of(back) == bits_of(value));
    CHECK(value == 0.0 || significant_digits(text) <= least_digits(value));
}

static void check_text(double value, const char *expected)
{
    char text[ATEMI_DECIMAL_SIZE];
    atemi_decimal_write(value, text);
    CHECK_EQUAL_STRING(text, expected);
}

TEST(decimal, is_written_as_people_write)
{
    check_text(0.0, "0");
    check_text(-0.0, "-0");
    check_text(1.0, "1");
    check_text(-1500.0, "-1500");
    check_text(0.1, "0.1");
    check_text(0.001, "0.001");
    check_text(-9.81, "-9.81");
    check_text(1e-5, "0.00001");
    check_text(1.25e-6, "1.25e-6");
    check_text(1e16, "10000000000000000");
    check_text(1e17, "1e17");
    check_text(9007199254740993.0, "9007199254740992");
    check_text(1.0 / 3.0, "0.3333333333333333");
    check_text(5e-324, "5e-324");
    check_text(DBL_MAX, "1.7976931348623157e308");
    check_text(-DBL_MIN, "-2.2250738585072014e-308");
    check_text(0x1p-44, "5.684341886080802e-14");
}

TEST(decimal, of_every_power_of_two_and_its_neighbours_comes_back)
{
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        const double power = ldexp(1.0, exponent);
        check_round_trip(power);
        check_round_trip(nextafter(power, 0.0));
        check_round_trip(-nextafter(power, 0.0));
        check_round_trip(nextafter(power, DBL_MAX));
    }
}

TEST(decimal, of_every_power_of_ten_and_its_neighbours_comes_back)
{
    for (int exponent = -323; exponent <= 308; ++exponent) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", exponent);
        const double power = strtod(text, NULL);
        check_round_trip(power);
        check_round_trip(nextafter(power, 0.0));
        check_round_trip(nextafter(power, DBL_MAX));
    }
}

TEST(decimal, of_any_double_comes_back_in_as_few_digits_as_possible)
{
    random_stream random = random_seeded(1);
    for (int i = 0; i < 100000; ++i) {
        const double any = double_of(random_bits(&random));
        if (isfinite(any)) {
            check_round_trip(any);
        }
    }
    for (int i = 0; i < 300000; ++i) {
        check_round_trip(random_uniform(&random, -10.0, 10.0) *
                         pow(10.0, random_index(&random, 100) - 50));
    }
}

TEST(decimal, of_few_digits_is_written_with_those)
{
    random_stream random = random_seeded(2);
    for (int i = 0; i < 100000; ++i) {
        const uint64_t digits = random_bits(&random) % 1000000;
        char           expected[64];
        snprintf(expected, sizeof expected, "%llu.%06u5", (unsigned long long)digits,
                 (unsigned)(random_bits(&random) % 1000000));
        check_text(strtod(expected, NULL), expected);
    }
}

// Texts of up to 25 digits, among them the middles between two doubles, which are hardest to round.
TEST(decimal, is_read_as_the_c_library_reads_it)
{
    random_stream random = random_seeded(3);
    for (int i = 0; i < 300000; ++i) {
        char         text[128];
        const double any =
            random_uniform(&random, 0.5, 2.0) * pow(10.0, random_index(&random, 140) - 70);
        if (i % 3 == 0) {
            snprintf(text, sizeof text, "%.*e", random_index(&random, 25), any);
        } else if (i % 3 == 1) {
            // (x + next)/2 for integers beyond 2^53 is a whole number of 17 digits or so.
            const uint64_t whole = ((uint64_t)1 << 53) + random_bits(&random) % ((uint64_t)1 << 56);
            snprintf(text, sizeof text, "%llu", (unsigned long long)whole);
        } else {
            snprintf(text, sizeof text, "%.18e", any);
        }
        double           value = 0.0;
        const atemi_word word = {text, (int)strlen(text)};
        CHECK_EQUAL_INT(atemi_number_parse(word, &value), ATEMI_NUMBER_FINE);
        CHECK(bits_of(value) == bits_of(strtod(text, NULL)));
    }
}

TEST(decimal, that_is_none_is_refused_as_numbers_are)
{
    const char *const junk[] = {"",     "-",     ".",   "e5",  "1e",  "1e+", "1x",  "0x1",  "1,5",
                                "1.2.", "1e5.5", "--1", "1 2", "one", "nan", "inf", "1e999"};
    for (size_t i = 0; i < sizeof junk / sizeof junk[0]; ++i) {
        double           value = 0.0;
        const atemi_word word = {junk[i], (int)strlen(junk[i])};
        CHECK(atemi_number_parse(word, &value) != ATEMI_NUMBER_FINE);
    }
}

TEST(decimal, ends_where_the_word_ends)
{
    double           value = 0.0;
    const atemi_word word = {"12345678901234567890.5,7", 22};
    CHECK_EQUAL_INT(atemi_number_parse(word, &value), ATEMI_NUMBER_FINE);
    CHECK(value == 12345678901234567890.5);
}

TEST(decimal, does_not_care_about_the_locale)
{
    const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; ++i) {
        if (setlocale(LC_ALL, locales[i])) {
            check_text(1.5, "1.5");
            check_text(1.5e-300, "1.5e-300");
        }
    }
    setlocale(LC_ALL, "C");
}
