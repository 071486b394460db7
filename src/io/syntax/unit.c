// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FACTORS = 8, LARGEST_EXPONENT = 4 };

#define PI 3.14159265358979323846

typedef struct symbol {
    const char *text;
    atemi_unit  unit;
} symbol;

// Exponents of metre, kilogram, second, ampere, radian.
static const symbol symbols[] = {
    {"m", {1, 1, {1, 0, 0, 0, 0}}},       {"km", {1e3, 1, {1, 0, 0, 0, 0}}},
    {"cm", {1, 1e2, {1, 0, 0, 0, 0}}},    {"mm", {1, 1e3, {1, 0, 0, 0, 0}}},
    {"um", {1, 1e6, {1, 0, 0, 0, 0}}},    {"kg", {1, 1, {0, 1, 0, 0, 0}}},
    {"g", {1, 1e3, {0, 1, 0, 0, 0}}},     {"t", {1e3, 1, {0, 1, 0, 0, 0}}},
    {"s", {1, 1, {0, 0, 1, 0, 0}}},       {"ms", {1, 1e3, {0, 0, 1, 0, 0}}},
    {"us", {1, 1e6, {0, 0, 1, 0, 0}}},    {"min", {60, 1, {0, 0, 1, 0, 0}}},
    {"h", {3600, 1, {0, 0, 1, 0, 0}}},    {"Hz", {1, 1, {0, 0, -1, 0, 0}}},
    {"kHz", {1e3, 1, {0, 0, -1, 0, 0}}},  {"rad", {1, 1, {0, 0, 0, 0, 1}}},
    {"mrad", {1, 1e3, {0, 0, 0, 0, 1}}},  {"deg", {PI, 180, {0, 0, 0, 0, 1}}},
    {"rpm", {PI, 30, {0, 0, -1, 0, 1}}},  {"N", {1, 1, {1, 1, -2, 0, 0}}},
    {"mN", {1, 1e3, {1, 1, -2, 0, 0}}},   {"kN", {1e3, 1, {1, 1, -2, 0, 0}}},
    {"MN", {1e6, 1, {1, 1, -2, 0, 0}}},   {"Nm", {1, 1, {2, 1, -2, 0, 0}}},
    {"mNm", {1, 1e3, {2, 1, -2, 0, 0}}},  {"kNm", {1e3, 1, {2, 1, -2, 0, 0}}},
    {"Ns", {1, 1, {1, 1, -1, 0, 0}}},     {"Nms", {1, 1, {2, 1, -1, 0, 0}}},
    {"Pa", {1, 1, {-1, 1, -2, 0, 0}}},    {"kPa", {1e3, 1, {-1, 1, -2, 0, 0}}},
    {"MPa", {1e6, 1, {-1, 1, -2, 0, 0}}}, {"J", {1, 1, {2, 1, -2, 0, 0}}},
    {"mJ", {1, 1e3, {2, 1, -2, 0, 0}}},   {"kJ", {1e3, 1, {2, 1, -2, 0, 0}}},
    {"W", {1, 1, {2, 1, -3, 0, 0}}},      {"kW", {1e3, 1, {2, 1, -3, 0, 0}}},
    {"A", {1, 1, {0, 0, 0, 1, 0}}},       {"mA", {1, 1e3, {0, 0, 0, 1, 0}}},
    {"V", {1, 1, {2, 1, -3, -1, 0}}},     {"mV", {1, 1e3, {2, 1, -3, -1, 0}}},
    {"ohm", {1, 1, {2, 1, -3, -2, 0}}},   {"mohm", {1, 1e3, {2, 1, -3, -2, 0}}},
    {"H", {1, 1, {2, 1, -2, -2, 0}}},     {"mH", {1, 1e3, {2, 1, -2, -2, 0}}},
    {"uH", {1, 1e6, {2, 1, -2, -2, 0}}},  {"%", {1, 1e2, {0, 0, 0, 0, 0}}},
    {"1", {1, 1, {0, 0, 0, 0, 0}}},
};

static const symbol quantities[] = {
    {"a pure number", {1, 1, {0, 0, 0, 0, 0}}},
    {"a length", {1, 1, {1, 0, 0, 0, 0}}},
    {"a mass", {1, 1, {0, 1, 0, 0, 0}}},
    {"a time", {1, 1, {0, 0, 1, 0, 0}}},
    {"an angle", {1, 1, {0, 0, 0, 0, 1}}},
    {"a speed", {1, 1, {1, 0, -1, 0, 0}}},
    {"an acceleration", {1, 1, {1, 0, -2, 0, 0}}},
    {"an angular speed", {1, 1, {0, 0, -1, 0, 1}}},
    {"an angular acceleration", {1, 1, {0, 0, -2, 0, 1}}},
    {"a frequency", {1, 1, {0, 0, -1, 0, 0}}},
    {"a force", {1, 1, {1, 1, -2, 0, 0}}},
    {"a torque or an energy", {1, 1, {2, 1, -2, 0, 0}}},
    {"a power", {1, 1, {2, 1, -3, 0, 0}}},
    {"an impulse", {1, 1, {1, 1, -1, 0, 0}}},
    {"an angular momentum", {1, 1, {2, 1, -1, 0, 0}}},
    {"a moment of inertia", {1, 1, {2, 1, 0, 0, 0}}},
    {"a stiffness", {1, 1, {0, 1, -2, 0, 0}}},
    {"a damping", {1, 1, {0, 1, -1, 0, 0}}},
    {"a stiffness of a joint", {1, 1, {2, 1, -2, 0, -1}}},
    {"a damping of a joint", {1, 1, {2, 1, -1, 0, -1}}},
    {"a pressure", {1, 1, {-1, 1, -2, 0, 0}}},
    {"a current", {1, 1, {0, 0, 0, 1, 0}}},
    {"a voltage", {1, 1, {2, 1, -3, -1, 0}}},
    {"a resistance", {1, 1, {2, 1, -3, -2, 0}}},
    {"an inductance", {1, 1, {2, 1, -2, -2, 0}}},
};

enum {
    SYMBOL_COUNT = sizeof symbols / sizeof symbols[0],
    QUANTITY_COUNT = sizeof quantities / sizeof quantities[0]
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) {
        ++at;
    }
    return at;
}

static const atemi_unit *find_symbol(const char *text, size_t length)
{
    for (int i = 0; i < SYMBOL_COUNT; ++i) {
        if (strlen(symbols[i].text) == length && memcmp(symbols[i].text, text, length) == 0) {
            return &symbols[i].unit;
        }
    }
    return NULL;
}

static void divide(atemi_unit *unit, const atemi_unit *by)
{
    unit->up *= by->down;
    unit->down *= by->up;
    for (int i = 0; i < ATEMI_DIMENSION_COUNT; ++i) {
        unit->exponent[i] -= by->exponent[i];
    }
}

static void multiply(atemi_unit *unit, const atemi_unit *by)
{
    unit->up *= by->up;
    unit->down *= by->down;
    for (int i = 0; i < ATEMI_DIMENSION_COUNT; ++i) {
        unit->exponent[i] += by->exponent[i];
    }
}

// "m", "s^2", "s^-1": the symbol, and how often it counts. NULL where there is none.
static const char *scan_factor(const char *at, const char *end, const atemi_unit **base,
                               int *exponent)
{
    const char *start = at;
    while (at < end && is_letter(*at)) {
        ++at;
    }
    at += at == start && at < end && *at == '1'; // of 1/s
    *base = find_symbol(start, (size_t)(at - start));
    *exponent = 1;
    if (at < end && *at == '^') {
        const int sign = at + 1 < end && at[1] == '-' ? -1 : 1;
        at += sign < 0 ? 2 : 1;
        if (at == end || !is_digit(*at) || *at - '0' > LARGEST_EXPONENT) {
            return NULL;
        }
        *exponent = sign * (*at++ - '0');
    }
    return *base && (at == end || strchr(" \t*./", *at)) ? at : NULL;
}

// Moves over spaces and one of `*`, `.` and `/`. NULL where nothing follows such a sign.
static const char *scan_separator(const char *at, const char *end, bool *divides)
{
    at = skip_space(at, end);
    if (at == end || !strchr("*./", *at)) {
        return at;
    }
    *divides = *divides || *at == '/';
    at = skip_space(at + 1, end);
    return at < end ? at : NULL;
}

bool atemi_unit_parse(const char *text, int length, atemi_unit *unit)
{
    const char *end = text + length;
    const char *at = skip_space(text, end);
    bool        divides = false;
    *unit = (atemi_unit){.up = 1.0, .down = 1.0};
    for (int count = 0; at && at < end; ++count) {
        const atemi_unit *base;
        int               exponent;
        at = scan_factor(at, end, &base, &exponent);
        if (!at || count == MAX_FACTORS) {
            return false;
        }
        for (int i = 0; i < abs(exponent); ++i) {
            (divides == (exponent < 0) ? multiply : divide)(unit, base);
        }
        at = scan_separator(at, end, &divides);
    }
    return at != NULL;
}

bool atemi_unit_agrees(const atemi_unit *a, const atemi_unit *b)
{
    return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}

double atemi_unit_convert(double value, const atemi_unit *from, const atemi_unit *to)
{
    return value * (from->up * to->down) / (from->down * to->up);
}

const char *atemi_unit_quantity(const atemi_unit *unit)
{
    for (int i = 0; i < QUANTITY_COUNT; ++i) {
        if (atemi_unit_agrees(&quantities[i].unit, unit)) {
            return quantities[i].text;
        }
    }
    return NULL;
}
