// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/quantity.h"

#include "io/bytes/number.h"
#include "io/syntax/unit.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NUMBER = 400 };

#define PI 3.14159265358979323846

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *skip_space(const char *at)
{
    while (is_space(*at)) {
        ++at;
    }
    return at;
}

// Whether a word stands here, and not only the beginning of a longer one.
static bool has_word(const char *at, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_letter(at[length]) && !is_digit(at[length]);
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at)) {
        ++at;
    }
    return at;
}

// The end of the decimal number without sign that begins here. An "e" without digits behind it is
// the beginning of something else.
static const char *decimal_end(const char *at)
{
    at = skip_digits(at);
    if (*at == '.') {
        at = skip_digits(at + 1);
    }
    if (*at == 'e' || *at == 'E') {
        const char *digits = at + 1 + (at[1] == '-' || at[1] == '+');
        at = is_digit(*digits) ? skip_digits(digits) : at;
    }
    return at;
}

static atemi_quantity_fault scan_decimal(const char **at, double *value)
{
    char         number[LONGEST_NUMBER + 1];
    const char  *end = decimal_end(*at);
    const size_t length = (size_t)(end - *at);
    if (length == 0 || length > LONGEST_NUMBER) {
        return ATEMI_QUANTITY_MALFORMED;
    }
    // The number's parser wants nothing behind its word.
    memcpy(number, *at, length);
    number[length] = '\0';
    const atemi_word word = {number, (int)length};
    switch (atemi_number_parse(word, value)) {
    case ATEMI_NUMBER_FINE:
        *at = end;
        return ATEMI_QUANTITY_FINE;
    case ATEMI_NUMBER_TOO_LARGE:
        return ATEMI_QUANTITY_TOO_LARGE;
    default:
        return ATEMI_QUANTITY_MALFORMED;
    }
}

static atemi_quantity_fault scan_factor(const char **at, bool *infinite, double *value)
{
    static const struct {
        const char *word;
        double      value;
    } constants[] = {{"pi", PI},        {"inf", INFINITY},  {".inf", INFINITY},
                     {"Inf", INFINITY}, {".Inf", INFINITY}, {".INF", INFINITY},
                     {"nan", NAN},      {".nan", NAN},      {"NaN", NAN},
                     {".NaN", NAN},     {".NAN", NAN},      {"infinity", INFINITY}};
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; ++i) {
        if (has_word(*at, constants[i].word)) {
            *at += strlen(constants[i].word);
            *value = constants[i].value;
            *infinite = *infinite || isinf(*value);
            return isnan(*value) ? ATEMI_QUANTITY_NAN : ATEMI_QUANTITY_FINE;
        }
    }
    return scan_decimal(at, value);
}

// Reads up to the unit.
static atemi_quantity_fault scan_expression(const char **text, bool *infinite, double *value)
{
    const char *at = skip_space(*text);
    const bool  negative = *at == '-';
    at = skip_space(at + (*at == '-' || *at == '+'));
    atemi_quantity_fault fault = scan_factor(&at, infinite, value);
    *value = negative ? -*value : *value;

    const char *operation = skip_space(at);
    while (!fault && (*operation == '*' || *operation == '/')) {
        double factor = 0.0;
        at = skip_space(operation + 1);
        fault = scan_factor(&at, infinite, &factor);
        *value = *operation == '*' ? *value * factor : *value / factor;
        operation = skip_space(at);
    }
    *text = operation;
    return fault;
}

static atemi_quantity_fault convert(const char *own, const char *wanted, double *value)
{
    atemi_unit from, to;
    size_t     length = strlen(own);
    while (length > 0 && is_space(own[length - 1])) {
        --length;
    }
    if (length == 0) {
        return ATEMI_QUANTITY_FINE;
    }
    if (length > LONGEST_NUMBER || !atemi_unit_parse(own, (int)length, &from)) {
        return ATEMI_QUANTITY_UNKNOWN_UNIT;
    }
    if (!atemi_unit_parse(wanted, (int)strlen(wanted), &to) || !atemi_unit_agrees(&from, &to)) {
        return ATEMI_QUANTITY_OTHER_UNIT;
    }
    *value = atemi_unit_convert(*value, &from, &to);
    return ATEMI_QUANTITY_FINE;
}

atemi_quantity_fault atemi_quantity_parse(const char *text, const char *unit, double *value)
{
    bool                 infinite = false;
    double               result = 0.0;
    atemi_quantity_fault fault = scan_expression(&text, &infinite, &result);
    fault = fault ? fault : convert(text, unit ? unit : "", &result);
    if (fault) {
        return fault;
    }
    if (isnan(result)) {
        return ATEMI_QUANTITY_NAN;
    }
    if (isinf(result) && !infinite) {
        return ATEMI_QUANTITY_TOO_LARGE; // or a division by zero
    }
    *value = result;
    return ATEMI_QUANTITY_FINE;
}
