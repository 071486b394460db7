// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_parts.h"
#include "io/syntax/quantity.h"
#include "io/syntax/suggestion.h"
#include "io/syntax/unit.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { LONGEST_STRING = 4095 };

void atemi_scenario_set_value(atemi_scenario_reader *reader, const char *value)
{
    atemi_scenario_row *row = atemi_scenario_last_row(reader);
    if (row) {
        row->value = row->required && !row->given ? NULL : value;
    }
}

// ---- Numbers

static const char *unit_text(const atemi_number_key *key)
{
    return key->unit ? key->unit : "";
}

static void append_quantity(atemi_text *text, const atemi_number_key *key, double number)
{
    atemi_text_append_number(text, number);
    atemi_text_append(text, "%s%s", key->unit ? " " : "", unit_text(key));
}

const char *atemi_scenario_quantity_text(atemi_scenario_reader *reader, const atemi_number_key *key,
                                         double number)
{
    atemi_text text = {0};
    append_quantity(&text, key, number);
    return atemi_scenario_keep_buffer(reader, &text);
}

// A number that the key would take.
static const char *example(atemi_scenario_reader *reader, const atemi_number_key *key)
{
    double number = key->required || !isfinite(key->fallback) ? 1.0 : key->fallback;
    if (!atemi_scenario_is_in_range(key, number)) {
        number = 0.5 * key->lower + 0.5 * key->upper;
    }
    return atemi_scenario_quantity_text(reader, key, number);
}

static void fail_on_unit(atemi_scenario_reader *reader, const char *quote, atemi_scenario_mark mark,
                         const atemi_number_key *key)
{
    atemi_unit  unit;
    const char *name = unit_text(key);
    const char *quantity =
        atemi_unit_parse(name, (int)strlen(name), &unit) ? atemi_unit_quantity(&unit) : NULL;
    if (!key->unit) {
        atemi_scenario_fail(reader, mark, "'%s' is not a pure number; give it without a unit",
                            quote);
    } else if (quantity) {
        atemi_scenario_fail(reader, mark, "'%s' is not %s; give it in %s, e.g. %s", quote, quantity,
                            name, example(reader, key));
    } else {
        atemi_scenario_fail(reader, mark, "'%s' has another unit; give it in %s, e.g. %s", quote,
                            name, example(reader, key));
    }
}

static void fail_on_quantity(atemi_scenario_reader *reader, atemi_quantity_fault fault,
                             const char *text, atemi_scenario_mark mark,
                             const atemi_number_key *key)
{
    char        quote[ATEMI_QUOTE_SIZE];
    const char *shown = atemi_scenario_quote(text, quote);
    switch (fault) {
    case ATEMI_QUANTITY_FINE:
        break;
    case ATEMI_QUANTITY_MALFORMED:
        atemi_scenario_fail(reader, mark, "'%s' is not a number; give one, e.g. %s", shown,
                            example(reader, key));
        break;
    case ATEMI_QUANTITY_NAN:
        atemi_scenario_fail(reader, mark, "'%s' has no value; give a number, e.g. %s", shown,
                            example(reader, key));
        break;
    case ATEMI_QUANTITY_TOO_LARGE:
        atemi_scenario_fail(reader, mark,
                            "'%s' is too large for a number, or divides by zero; give one, e.g. %s",
                            shown, example(reader, key));
        break;
    case ATEMI_QUANTITY_UNKNOWN_UNIT:
        atemi_scenario_fail(reader, mark, "'%s' has an unknown unit after its number; give %s",
                            shown, example(reader, key));
        break;
    case ATEMI_QUANTITY_OTHER_UNIT:
        fail_on_unit(reader, shown, mark, key);
        break;
    }
}

static void fail_on_range(atemi_scenario_reader *reader, const char *text, double value,
                          atemi_scenario_mark mark, const atemi_number_key *key)
{
    char        quote[ATEMI_QUOTE_SIZE];
    const char *range = atemi_scenario_range_text(reader, key);
    atemi_scenario_fail(reader, mark, "'%s' is %s; give %s", atemi_scenario_quote(text, quote),
                        isinf(value) && !key->infinite ? "not finite" : "out of range",
                        range ? range : "a finite number");
}

bool atemi_scenario_read_number(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                                atemi_scenario_mark mark, const atemi_number_key *key,
                                double *value)
{
    double number = 0.0;
    if (node->kind != ATEMI_YAML_SCALAR) {
        atemi_scenario_fail_on_kind(
            reader, node, mark,
            atemi_scenario_keep(reader, "a number, e.g. %s", example(reader, key)));
        return false;
    }
    const atemi_quantity_fault fault = atemi_quantity_parse(node->text, key->unit, &number);
    if (fault) {
        fail_on_quantity(reader, fault, node->text, mark, key);
        return false;
    }
    if (!atemi_scenario_is_in_range(key, number)) {
        fail_on_range(reader, node->text, number, mark, key);
        return false;
    }
    *value = number;
    return true;
}

atemi_scenario_row atemi_scenario_number_row(atemi_scenario_reader  *reader,
                                             const atemi_number_key *key, const char *type)
{
    const atemi_scenario_row row = {.type = type,
                                    .unit = key->unit,
                                    .range = atemi_scenario_range_text(reader, key),
                                    .help = key->help,
                                    .required = key->required};
    return row;
}

double atemi_scenario_number(atemi_scenario_reader *reader, const char *key,
                             atemi_number_key declaration)
{
    declaration = atemi_scenario_bound(declaration);
    double             value = declaration.fallback;
    atemi_scenario_row row = atemi_scenario_number_row(reader, &declaration, "number");
    row.fallback = declaration.required
                       ? NULL
                       : atemi_scenario_quantity_text(reader, &declaration, declaration.fallback);
    const atemi_yaml_node *node = atemi_scenario_ask(reader, key, row);
    if (node) {
        atemi_scenario_read_number(reader, node, atemi_scenario_last(reader), &declaration, &value);
    }
    atemi_scenario_set_value(reader, atemi_scenario_quantity_text(reader, &declaration, value));
    return value;
}

int atemi_scenario_integer(atemi_scenario_reader *reader, const char *key,
                           atemi_integer_key declaration)
{
    const bool         free = declaration.lower == declaration.upper;
    atemi_number_key   number = {.fallback = declaration.fallback,
                                 .lower = free ? INT_MIN : declaration.lower,
                                 .upper = free ? INT_MAX : declaration.upper,
                                 .required = declaration.required,
                                 .help = declaration.help};
    double             value = declaration.fallback;
    atemi_scenario_row row = atemi_scenario_number_row(reader, &number, "whole number");
    row.range = free ? NULL : row.range;
    row.fallback =
        declaration.required ? NULL : atemi_scenario_quantity_text(reader, &number, value);
    const atemi_yaml_node *node = atemi_scenario_ask(reader, key, row);
    if (node &&
        atemi_scenario_read_number(reader, node, atemi_scenario_last(reader), &number, &value) &&
        value != floor(value)) {
        char quote[ATEMI_QUOTE_SIZE];
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "'%s' is not a whole number; give one, e.g. %.0f",
                            atemi_scenario_quote(node->text, quote), floor(value));
        value = declaration.fallback;
    }
    atemi_scenario_set_value(reader, atemi_scenario_quantity_text(reader, &number, value));
    return (int)value;
}

// ---- Words

// The text of a scalar; NULL, with an error, for all else.
static const char *read_text(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                             const char *expected)
{
    if (node->kind != ATEMI_YAML_SCALAR || !node->text[0]) {
        const atemi_yaml_node nothing = {.kind = ATEMI_YAML_NOTHING};
        atemi_scenario_fail_on_kind(reader, node->kind == ATEMI_YAML_SCALAR ? &nothing : node,
                                    atemi_scenario_last(reader), expected);
        return NULL;
    }
    if (strlen(node->text) > LONGEST_STRING) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "is longer than %d bytes, the limit", LONGEST_STRING);
        return NULL;
    }
    return node->text;
}

bool atemi_scenario_boolean(atemi_scenario_reader *reader, const char *key,
                            atemi_boolean_key declaration)
{
    static const char *const words[] = {"true", "false", NULL};
    return atemi_scenario_choice(reader, key,
                                 (atemi_choice_key){.words = words,
                                                    .fallback = declaration.fallback ? 0 : 1,
                                                    .required = declaration.required,
                                                    .help = declaration.help}) == 0;
}

static const char *scalar_text(atemi_scenario_reader *reader, const char *string)
{
    atemi_text text = {0};
    atemi_text_append_scalar(&text, string);
    return atemi_scenario_keep_buffer(reader, &text);
}

const char *atemi_scenario_string(atemi_scenario_reader *reader, const char *key,
                                  atemi_string_key declaration)
{
    const char            *value = declaration.required ? "" : declaration.fallback;
    atemi_scenario_row     row = {.type = "text",
                                  .fallback = declaration.required || !declaration.fallback
                                                  ? NULL
                                                  : scalar_text(reader, declaration.fallback),
                                  .help = declaration.help,
                                  .required = declaration.required};
    const atemi_yaml_node *node = atemi_scenario_ask(reader, key, row);
    const char            *text = node ? read_text(reader, node, "a text") : NULL;
    value = text ? text : value;
    atemi_scenario_set_value(reader, value ? scalar_text(reader, value) : NULL);
    return value;
}

static const char *word_at(const void *words, int index)
{
    return ((const char *const *)words)[index];
}

static int word_count(const char *const *words)
{
    int count = 0;
    while (words[count]) {
        ++count;
    }
    return count;
}

// "a, b or c"
static const char *alternatives(atemi_scenario_reader *reader, const char *const *words)
{
    const int  count = word_count(words);
    atemi_text text = {0};
    for (int i = 0; i < count; ++i) {
        atemi_text_append(&text, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", words[i]);
    }
    return atemi_scenario_keep_buffer(reader, &text);
}

static int read_choice(atemi_scenario_reader *reader, const char *text, const char *const *words,
                       const char *either, int fallback)
{
    const int count = word_count(words);
    for (int i = 0; i < count; ++i) {
        if (strcmp(words[i], text) == 0) {
            return i;
        }
    }
    char        quote[ATEMI_QUOTE_SIZE];
    const char *meant = atemi_suggestion_find(text, count, word_at, (const void *)words);
    atemi_scenario_fail(reader, atemi_scenario_last(reader),
                        "'%s' is not known here%s%s%s; give %s", atemi_scenario_quote(text, quote),
                        ATEMI_SUGGESTION_TEXT(meant), either);
    return fallback;
}

int atemi_scenario_choice(atemi_scenario_reader *reader, const char *key,
                          atemi_choice_key declaration)
{
    const char *const     *words = declaration.words;
    const char            *either = alternatives(reader, words);
    atemi_scenario_row     row = {.type = atemi_scenario_keep(reader, "one of %s", either),
                                  .fallback = declaration.required ? NULL : words[declaration.fallback],
                                  .help = declaration.help,
                                  .required = declaration.required};
    const atemi_yaml_node *node = atemi_scenario_ask(reader, key, row);
    const char            *text = node ? read_text(reader, node, either) : NULL;
    const int choice = text ? read_choice(reader, text, words, either, declaration.fallback)
                            : declaration.fallback;
    atemi_scenario_set_value(reader, words[choice]);
    return choice;
}
