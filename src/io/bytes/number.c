// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // strtod_l
#endif

#include "io/bytes/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

// A number is scanned into digits * 10^exponent. While the digits stay below 2^53 and |exponent|
// within 22, both are doubles without error, so one multiplication or division rounds correctly
// [Clinger90]. The C library does the rest, in the "C" locale.

enum { LARGEST_EXACT_POWER = 22, LARGEST_EXPONENT = 100000 };

static const uint64_t largest_exact_digits = (uint64_t)1 << 53;

typedef struct decimal {
    bool     negative;
    bool     exact; ///< `digits` holds all the digits
    uint64_t digits;
    int      exponent;
    int      count; ///< digits scanned
} decimal;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void append_digit(decimal *number, char digit)
{
    ++number->count;
    if (number->digits > (UINT64_MAX - 9) / 10) {
        number->exact = false;
        return;
    }
    number->digits = 10 * number->digits + (uint64_t)(digit - '0');
}

static const char *scan_sign(const char *at, const char *end, bool *negative)
{
    *negative = at < end && *at == '-';
    return at < end && (*at == '-' || *at == '+') ? at + 1 : at;
}

static const char *scan_digits(const char *at, const char *end, decimal *number)
{
    while (at < end && is_digit(*at)) {
        append_digit(number, *at++);
    }
    return at;
}

static const char *scan_fraction(const char *at, const char *end, decimal *number)
{
    if (at == end || *at != '.') {
        return at;
    }
    const int whole = number->count;
    at = scan_digits(at + 1, end, number);
    number->exponent = whole - number->count;
    return at;
}

// Without digits after the "e" it returns the "e", which the caller takes for junk.
static const char *scan_exponent(const char *at, const char *end, decimal *number)
{
    if (at == end || (*at != 'e' && *at != 'E')) {
        return at;
    }
    bool        negative;
    const char *first = scan_sign(at + 1, end, &negative);
    const char *next = first;
    int         exponent = 0;
    for (; next < end && is_digit(*next); ++next) {
        exponent = exponent < LARGEST_EXPONENT ? 10 * exponent + (*next - '0') : exponent;
    }
    number->exponent += negative ? -exponent : exponent;
    return next == first ? at : next;
}

static bool scan_decimal(atemi_word word, decimal *number)
{
    const char *end = word.start + word.length;
    *number = (decimal){.exact = true};
    const char *at = scan_sign(word.start, end, &number->negative);
    at = scan_digits(at, end, number);
    at = scan_fraction(at, end, number);
    return number->count > 0 && scan_exponent(at, end, number) == end;
}

static double power_of_ten(int exponent)
{
    static const double powers[LARGEST_EXACT_POWER + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return powers[exponent];
}

static bool convert_exactly(const decimal *number, double *value)
{
    if (!number->exact || number->digits > largest_exact_digits ||
        abs(number->exponent) > LARGEST_EXACT_POWER) {
        return false;
    }
    const double digits = (double)number->digits;
    const double size = number->exponent < 0 ? digits / power_of_ten(-number->exponent)
                                             : digits * power_of_ten(number->exponent);
    *value = number->negative ? -size : size;
    return true;
}

static double convert_in_c_locale(const char *text)
{
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale) {
        return strtod(text, NULL);
    }
    const double value = strtod_l(text, NULL, locale);
    freelocale(locale);
    return value;
}

// printf's spellings of what is not finite, with or without sign.
static bool names_no_finite_number(atemi_word word)
{
    const int skip = word.length > 0 && (*word.start == '-' || *word.start == '+');
    return word.length - skip >= 3 && (strncasecmp(word.start + skip, "nan", 3) == 0 ||
                                       strncasecmp(word.start + skip, "inf", 3) == 0);
}

bool atemi_word_next(const char **text, atemi_word *word)
{
    const char *start = *text;
    while (is_space(*start)) {
        ++start;
    }
    const char *end = start;
    while (*end && !is_space(*end)) {
        ++end;
    }
    *text = end;
    *word = (atemi_word){start, (int)(end - start)};
    return end > start;
}

atemi_number_fault atemi_number_parse(atemi_word word, double *value)
{
    decimal number;
    if (!scan_decimal(word, &number)) {
        return names_no_finite_number(word) ? ATEMI_NUMBER_NOT_FINITE : ATEMI_NUMBER_MALFORMED;
    }
    if (!convert_exactly(&number, value)) {
        *value = convert_in_c_locale(word.start);
    }
    return isfinite(*value) ? ATEMI_NUMBER_FINE : ATEMI_NUMBER_TOO_LARGE;
}

atemi_numbers_result atemi_numbers_parse(const char *text, int count, double *values)
{
    atemi_numbers_result result = {.fault = ATEMI_NUMBER_FINE};
    atemi_word           word;
    while (atemi_word_next(&text, &word)) {
        double                   value = 0.0;
        const atemi_number_fault fault = atemi_number_parse(word, &value);
        if (fault && !result.fault) {
            result.fault = fault;
            result.word = word;
        }
        if (result.found < count) {
            values[result.found] = value;
        }
        ++result.found;
    }
    if (!result.fault && result.found != count) {
        result.fault = ATEMI_NUMBER_MISCOUNTED;
    }
    return result;
}
