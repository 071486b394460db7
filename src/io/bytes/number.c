// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // strtod_l
#endif

#include "io/bytes/number.h"

#include "io/bytes/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
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
    const atemi_decimal_kind kind = atemi_decimal_read(word.start, word.length, value);
    if (kind == ATEMI_DECIMAL_NONE) {
        return names_no_finite_number(word) ? ATEMI_NUMBER_NOT_FINITE : ATEMI_NUMBER_MALFORMED;
    }
    if (kind == ATEMI_DECIMAL_HARD) {
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
