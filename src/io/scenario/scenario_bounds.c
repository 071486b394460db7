// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/scenario/scenario_parts.h"

#include <math.h>
#include <string.h>

// What a quantity of a unit can be on any machine, so that no scenario asks for what cannot be
// computed with: squares and products of a few of these numbers stay far from the ends of a double,
// and sums of large and small ones keep digits. `smallest` counts for quantities that cannot be
// negative, and 0 may be allowed beside it.
typedef struct unit_bounds {
    const char *unit;
    double      smallest, largest;
    const char *reason;
} unit_bounds;

static const unit_bounds table[] = {
    {"", 1e-9, 1e9, "no factor of a robot is beyond"},
    {"m", 1e-9, 1e5, "beyond 100 km rounding nears the 1e-9 m of contacts"},
    {"rad", 1e-9, 1e4, "more than 1600 revolutions are a mistake in the unit"},
    {"m/s", 1e-9, 1e4, "no machine is faster"},
    {"rad/s", 1e-9, 1e5, "no rotor and no control loop is faster"},
    {"m/s^2", 1e-9, 1e4, "a thousand times the gravity of the Earth"},
    {"rad/s^2", 1e-9, 1e7, "no rotor gathers speed faster"},
    {"s", 1e-9, 1e6, "eleven days: then time is no longer exact to 1e-9 s"},
    {"kg", 1e-6, 1e6, "a milligram to 1000 t: beyond, ratios of masses use up the digits"},
    {"kg m^2", 1e-9, 1e6, "from the rotor of a watch to a locomotive"},
    {"N", 1e-6, 1e8, "no robot bears more"},
    {"N m", 1e-6, 1e8, "no robot bears more"},
    {"N s", 1e-6, 1e8, "no robot bears more"},
    {"N m s", 1e-6, 1e8, "no robot bears more"},
    {"N/m", 1e-3, 1e12, "no contact of solid bodies is stiffer"},
    {"N s/m", 1e-6, 1e9, "more holds anything still"},
    {"N m/rad", 1e-3, 1e12, "no shaft is stiffer"},
    {"N m s/rad", 1e-9, 1e9, "more holds any joint still"},
    {"N m/s", 1e-6, 1e9, "no drive is faster"},
    {"s/m", 1e-9, 1e6, "more loses all energy"},
    {"m/N s", 1e-12, 1e3, "more than a hand can go for a newton"},
    {"Hz", 1e-6, 1e5, "no joint swings faster"},
    {"1/s", 1e-9, 1e5, "no control loop is faster"},
    {"J", 1e-9, 1e9, "no robot holds more"},
    {"W", 1e-9, 1e9, "no drive has more"},
    {"A", 1e-6, 1e5, "no motor bears more"},
    {"V", 1e-6, 1e5, "no motor bears more"},
    {"V s/rad", 1e-9, 1e4, "no motor has more"},
    {"N m/A", 1e-9, 1e4, "no motor has more"},
    {"ohm", 1e-9, 1e6, "no winding has more"},
    {"H", 1e-9, 1e3, "no winding has more"},
};

static const unit_bounds *find(const char *unit)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        if (strcmp(table[i].unit, unit ? unit : "") == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static bool is_free(const atemi_number_key *key)
{
    return key->lower == key->upper;
}

// 0 alone is not excluded by the smallest number that counts.
static void bound_below(const unit_bounds *bounds, atemi_number_key *key)
{
    if (key->lower != 0.0) {
        key->lower = fmax(key->lower, -bounds->largest);
    } else if (key->open) {
        key->lower = bounds->smallest;
        key->open = false;
    } else {
        key->smallest = fmin(bounds->smallest, key->upper);
    }
}

atemi_number_key atemi_scenario_bound(atemi_number_key key)
{
    const unit_bounds *bounds = find(key.unit);
    ATEMI_REQUIRE_OR(bounds, key);
    if (is_free(&key)) {
        key.lower = -INFINITY;
        key.upper = INFINITY;
    }
    if (!key.reason && key.upper >= bounds->largest) {
        key.reason = bounds->reason;
    }
    key.upper = fmin(key.upper, bounds->largest);
    bound_below(bounds, &key);
    return key;
}

bool atemi_scenario_is_in_range(const atemi_number_key *key, double value)
{
    if (is_free(key)) {
        return true;
    }
    if (isinf(value)) {
        return key->infinite && (value > 0.0 || key->lower < 0.0);
    }
    if (key->open && (value == key->lower || value == key->upper)) {
        return false;
    }
    return value >= key->lower && value <= key->upper &&
           (value == 0.0 || key->smallest == 0.0 || value >= key->smallest);
}

// ---- In words

// Large powers of ten as such: 1e12.
static void append_number(atemi_text *text, double number)
{
    const double size = fabs(number), exponent = round(log10(size));
    if (size >= 1e5 && size == pow(10.0, exponent)) {
        atemi_text_append(text, "%s1e%.0f", number < 0.0 ? "-" : "", exponent);
    } else {
        atemi_text_append_number(text, number);
    }
}

static void append_span(atemi_text *text, const atemi_number_key *key)
{
    const double lower = key->smallest > 0.0 ? key->smallest : key->lower;
    atemi_text_append(text, "%s%s", key->smallest > 0.0 ? "0, or " : "",
                      key->open ? "between " : "from ");
    append_number(text, lower);
    atemi_text_append(text, "%s", key->open ? " and " : " to ");
    append_number(text, key->upper);
    atemi_text_append(text, "%s%s%s%s", key->unit ? " " : "", key->unit ? key->unit : "",
                      key->open ? ", both excluded" : "", key->infinite ? ", or inf" : "");
}

const char *atemi_scenario_range_text(atemi_scenario_reader *reader, const atemi_number_key *key)
{
    atemi_text text = {0};
    if (is_free(key)) {
        return NULL;
    }
    append_span(&text, key);
    if (key->reason) {
        atemi_text_append(&text, " (%s)", key->reason);
    }
    return atemi_scenario_keep_buffer(reader, &text);
}
