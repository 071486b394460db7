// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/scenario/scenario_parts.h"
#include "io/syntax/suggestion.h"

#include <string.h>

static const char others_key[] = "others";

// ---- Lists

static const char *list_text(atemi_scenario_reader *reader, const double *values, int count)
{
    atemi_text text = {0};
    atemi_text_append(&text, "[");
    for (int i = 0; i < count; ++i) {
        atemi_text_append(&text, "%s", i > 0 ? ", " : "");
        atemi_text_append_number(&text, values[i]);
    }
    atemi_text_append(&text, "]");
    return atemi_scenario_keep_buffer(reader, &text);
}

// "a list of 3 numbers", "a list of 1 to 8 numbers", each in m
static const char *list_type(atemi_scenario_reader *reader, const atemi_numbers_key *key)
{
    return key->least == key->most
               ? atemi_scenario_keep(reader, "list of %d numbers", key->most)
               : atemi_scenario_keep(reader, "list of %d to %d numbers", key->least, key->most);
}

static bool read_list(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                      const atemi_numbers_key *key, const atemi_number_key *each, const char *type,
                      double *values)
{
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    if (node->kind != ATEMI_YAML_LIST) {
        atemi_scenario_fail_on_kind(reader, node, mark,
                                    atemi_scenario_keep(reader, "a %s, such as [0, 0, 1]", type));
        return false;
    }
    if (node->count < key->least || node->count > key->most) {
        atemi_scenario_fail(reader, mark, "has %d numbers; give a %s", node->count, type);
        return false;
    }
    int index = 0;
    for (int child = node->first; child >= 0; child = reader->tree.nodes[child].next) {
        const atemi_yaml_node    *item = &reader->tree.nodes[child];
        const atemi_scenario_mark place = {atemi_scenario_keep(reader, "%s[%d]", mark.path, index),
                                           item->place};
        if (!atemi_scenario_read_number(reader, item, place, each, &values[index++])) {
            return false;
        }
    }
    return true;
}

int atemi_scenario_numbers(atemi_scenario_reader *reader, const char *key,
                           atemi_numbers_key declaration, double *values)
{
    const atemi_number_key each = atemi_scenario_bound(declaration.each);
    const char            *type = list_type(reader, &declaration);
    int                    count = declaration.fallback_count;
    atemi_scenario_row     row = atemi_scenario_number_row(reader, &each, type);
    row.fallback = row.required ? NULL : list_text(reader, values, count);
    const atemi_yaml_node *node = atemi_scenario_ask(reader, key, row);
    if (node && read_list(reader, node, &declaration, &each, type, values)) {
        count = node->count;
    }
    atemi_scenario_set_value(reader, list_text(reader, values, count));
    return count;
}

atemi_vec3 atemi_scenario_vec3(atemi_scenario_reader *reader, const char *key,
                               atemi_vec3_key declaration)
{
    const atemi_vec3        fallback = declaration.fallback;
    double                  values[3] = {fallback.x, fallback.y, fallback.z};
    const atemi_numbers_key numbers = {.each = {.unit = declaration.unit,
                                                .required = declaration.required,
                                                .help = declaration.help},
                                       .least = 3,
                                       .most = 3,
                                       .fallback_count = 3};
    atemi_scenario_numbers(reader, key, numbers, values);
    const atemi_vec3 vector = {values[0], values[1], values[2]};
    return atemi_scenario_failed(reader) ? fallback : vector;
}

// ---- Numbers by name

static int find_name(const atemi_scenario_names *names, const char *name)
{
    for (int i = 0; i < names->count; ++i) {
        if (strcmp(names->name(names->collection, i), name) == 0) {
            return i;
        }
    }
    return -1;
}

static void fill(double *values, int count, double value)
{
    for (int i = 0; i < count; ++i) {
        values[i] = value;
    }
}

static atemi_scenario_mark mark_of_entry(atemi_scenario_reader *reader, const atemi_yaml_node *node)
{
    const atemi_scenario_mark mark = {
        atemi_scenario_keep(reader, "%s.%s", atemi_scenario_last(reader).path, node->key),
        node->place};
    return mark;
}

static void fail_on_name(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                         const atemi_scenario_names *names)
{
    char        quote[ATEMI_QUOTE_SIZE];
    const char *meant =
        atemi_suggestion_find(node->key, names->count, names->name, names->collection);
    const atemi_scenario_mark mark = {atemi_scenario_last(reader).path, node->key_place};
    atemi_scenario_fail(reader, mark,
                        "there is no %s '%s'%s%s%s; give the name of one, or 'others' for those "
                        "that are not named",
                        names->noun, atemi_scenario_quote(node->key, quote),
                        ATEMI_SUGGESTION_TEXT(meant));
}

// What is said of those that are not named; a name may be "others" too.
static const atemi_yaml_node *find_others(const atemi_scenario_reader *reader,
                                          const atemi_yaml_node       *mapping,
                                          const atemi_scenario_names  *names)
{
    return find_name(names, others_key) < 0 ? atemi_yaml_find(&reader->tree, mapping, others_key)
                                            : NULL;
}

// `others` first, wherever it stands, so that names count for more.
static void read_names(atemi_scenario_reader *reader, const atemi_yaml_node *mapping,
                       const atemi_number_key *key, const atemi_scenario_names *names,
                       double *values)
{
    const atemi_yaml_node *others = find_others(reader, mapping, names);
    double                 number = 0.0;
    if (others &&
        atemi_scenario_read_number(reader, others, mark_of_entry(reader, others), key, &number)) {
        fill(values, names->count, number);
    }
    for (int child = mapping->first; child >= 0; child = reader->tree.nodes[child].next) {
        const atemi_yaml_node *node = &reader->tree.nodes[child];
        const bool             is_others = others && node == others;
        const int              index = is_others ? -1 : find_name(names, node->key);
        if (index >= 0) {
            atemi_scenario_read_number(reader, node, mark_of_entry(reader, node), key,
                                       &values[index]);
        } else if (!is_others) {
            fail_on_name(reader, node, names);
        }
    }
}

static bool are_equal(const double *values, int count)
{
    for (int i = 1; i < count; ++i) {
        if (values[i] != values[0]) {
            return false;
        }
    }
    return true;
}

// One row where one number says it all, otherwise one for each name.
static void explain_names(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                          const atemi_number_key *key, const atemi_scenario_names *names,
                          const double *values)
{
    atemi_scenario_row *row = atemi_scenario_last_row(reader);
    const bool          single = !node || node->kind == ATEMI_YAML_SCALAR;
    if (!row || names->count == 0) {
        return;
    }
    if (single && are_equal(values, names->count)) {
        atemi_scenario_set_value(reader, atemi_scenario_quantity_text(reader, key, values[0]));
        return;
    }
    row->kind = ATEMI_ROW_MAPPING;
    const atemi_scenario_row whole = *row; // more rows may move it
    const atemi_yaml_node   *others = single ? NULL : find_others(reader, node, names);
    for (int i = 0; i < names->count && !atemi_scenario_failed(reader); ++i) {
        const char            *name = names->name(names->collection, i);
        const atemi_yaml_node *own = single ? NULL : atemi_yaml_find(&reader->tree, node, name);
        own = own ? own : others;
        const atemi_scenario_row child = {
            .depth = whole.depth + 1,
            .key = atemi_scenario_keep(reader, "%s", name),
            .mark = {atemi_scenario_child_path(reader, whole.mark.path, name),
                     own ? own->place : whole.mark.place},
            .type = "number",
            .value = atemi_scenario_quantity_text(reader, key, values[i]),
            .given = own != NULL};
        atemi_scenario_add_row(reader, &child);
    }
}

// What the file gives for a name: of its own, for others, or for all; or NULL.
static const atemi_yaml_node *find_given(const atemi_scenario_reader *reader,
                                         const atemi_yaml_node       *node,
                                         const atemi_scenario_names *names, const char *name)
{
    if (!node || node->kind != ATEMI_YAML_MAPPING) {
        return node;
    }
    const atemi_yaml_node *own = atemi_yaml_find(&reader->tree, node, name);
    return own ? own : find_others(reader, node, names);
}

static void check_names(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                        const atemi_scenario_names *names, const double *values)
{
    const atemi_scenario_mark whole = atemi_scenario_last(reader);
    for (int i = 0; names->check && i < names->count && !atemi_scenario_failed(reader); ++i) {
        const char            *name = names->name(names->collection, i);
        const atemi_yaml_node *given = find_given(reader, node, names, name);
        if (given) {
            const atemi_scenario_mark mark = given == node ? whole : mark_of_entry(reader, given);
            names->check(reader, mark, given->text, names->collection, i, values[i]);
        }
    }
}

void atemi_scenario_numbers_by_name(atemi_scenario_reader *reader, const char *key,
                                    atemi_number_key declaration, atemi_scenario_names names,
                                    double *values)
{
    ATEMI_REQUIRE(names.name && names.noun);
    declaration = atemi_scenario_bound(declaration);
    atemi_scenario_row row = atemi_scenario_number_row(
        reader, &declaration,
        atemi_scenario_keep(reader, "number, or a number for each %s", names.noun));
    if (!row.required && names.count > 0 && are_equal(values, names.count)) {
        row.fallback = atemi_scenario_quantity_text(reader, &declaration, values[0]);
    }
    const atemi_yaml_node *node = atemi_scenario_ask(reader, key, row);
    double                 number = 0.0;
    if (node && node->kind == ATEMI_YAML_MAPPING) {
        read_names(reader, node, &declaration, &names, values);
    } else if (node && atemi_scenario_read_number(reader, node, atemi_scenario_last(reader),
                                                  &declaration, &number)) {
        fill(values, names.count, number);
    }
    check_names(reader, node, &names, values);
    explain_names(reader, node, &declaration, &names, values);
}
