// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/message.h"
#include "io/scenario/scenario_parts.h"
#include "io/syntax/suggestion.h"

// Of more keys, and of longer texts, a message names the first.
enum { MAX_KNOWN = 128, KNOWN_SIZE = 512 };

// Keys that a message names.
typedef struct key_list {
    const char *keys[MAX_KNOWN];
    int         count;
} key_list;

static const char *key_at(const void *list, int index)
{
    return ((const key_list *)list)->keys[index];
}

static void add_key(key_list *list, const char *key)
{
    if (list->count < MAX_KNOWN) {
        list->keys[list->count++] = key;
    }
}

static key_list known_keys(const atemi_scenario_reader *reader, const atemi_scenario_frame *frame)
{
    key_list list = {.count = 0};
    for (int i = frame->row + 1; i < reader->row_count; ++i) {
        if (reader->rows[i].depth == frame->depth && reader->rows[i].key) {
            add_key(&list, reader->rows[i].key);
        }
    }
    return list;
}

static key_list unasked_keys(const atemi_scenario_reader *reader, const atemi_yaml_node *mapping)
{
    key_list list = {.count = 0};
    for (int child = mapping->first; child >= 0; child = reader->tree.nodes[child].next) {
        if (!reader->tree.nodes[child].asked) {
            add_key(&list, reader->tree.nodes[child].key);
        }
    }
    return list;
}

static bool is_known(const atemi_scenario_reader *reader, const atemi_scenario_frame *frame,
                     const char *key)
{
    for (int i = frame->row + 1; i < reader->row_count; ++i) {
        const atemi_scenario_row *row = &reader->rows[i];
        if (row->depth == frame->depth && row->key && strcmp(row->key, key) == 0) {
            return true;
        }
    }
    return false;
}

// A misspelled key is both an unknown one and a missing one, and this comes first.
static void fail_on_missing(atemi_scenario_reader *reader, const atemi_scenario_frame *frame,
                            const atemi_scenario_row *row)
{
    const atemi_yaml_node *mapping = atemi_scenario_node(reader, frame->node);
    const key_list         others = mapping ? unasked_keys(reader, mapping) : (key_list){0};
    const char            *alike =
        atemi_suggestion_find(row->key, others.count, key_at, (const void *)&others);
    if (alike) {
        const atemi_yaml_node    *node = atemi_yaml_find(&reader->tree, mapping, alike);
        const atemi_scenario_mark mark = {row->mark.path, node->key_place};
        atemi_scenario_fail(reader, mark, "is missing; did you mean the key '%s' here?", alike);
        return;
    }
    atemi_scenario_fail(reader, row->mark, "is missing; add %s: (%s%s%s)", row->key, row->type,
                        row->help ? ", " : "", row->help ? row->help : "");
}

atemi_yaml_node *atemi_scenario_find(const atemi_scenario_reader *reader, const char *key)
{
    const atemi_scenario_frame *frame = &reader->frames[reader->frame_count - 1];
    atemi_yaml_node            *node = atemi_scenario_node(reader, frame->node);
    if (!key || !node) {
        return node;
    }
    return node->kind == ATEMI_YAML_MAPPING ? atemi_yaml_find(&reader->tree, node, key) : NULL;
}

static bool can_have_keys(atemi_scenario_reader *reader, const char *key)
{
    const atemi_scenario_frame *frame = atemi_scenario_top(reader);
    const atemi_yaml_node      *node = atemi_scenario_node(reader, frame->node);
    char                        expected[ATEMI_YAML_MAX_KEY_SIZE + 64];
    if (!node || node->kind == ATEMI_YAML_MAPPING) {
        return true;
    }
    snprintf(expected, sizeof expected, "keys with values, such as {%s: ...}", key);
    atemi_scenario_fail_on_kind(reader, node, frame->mark, expected);
    return false;
}

// The item's row was made when it was reached; now it is known what the item is.
static void declare_item(atemi_scenario_reader *reader, atemi_scenario_row declaration)
{
    atemi_scenario_row *row = &reader->rows[atemi_scenario_top(reader)->row];
    declaration.depth = row->depth;
    declaration.key = row->key;
    declaration.mark = row->mark;
    declaration.given = row->given;
    *row = declaration;
    reader->last_row = atemi_scenario_top(reader)->row;
}

static void declare_key(atemi_scenario_reader *reader, const char *key, const atemi_yaml_node *node,
                        atemi_scenario_row declaration)
{
    const atemi_scenario_frame *frame = atemi_scenario_top(reader);
    declaration.depth = frame->depth;
    declaration.key = key;
    if (reader->alias_key && strcmp(reader->alias_key, key) == 0) {
        declaration.alias = reader->alias;
    }
    reader->alias_key = NULL;
    declaration.mark.path = atemi_scenario_child_path(reader, frame->mark.path, key);
    declaration.mark.place = node ? node->place : frame->mark.place;
    declaration.given = node != NULL;
    const int row = atemi_scenario_add_row(reader, &declaration);
    reader->last_row = row < 0 ? reader->last_row : row;
    if (!node && declaration.required && !reader->blank) {
        fail_on_missing(reader, frame, &declaration);
    }
}

static bool may_ask(atemi_scenario_reader *reader, const char *key)
{
    ATEMI_REQUIRE_OR(reader->frame_count > 0, false);
    const atemi_scenario_frame *frame = atemi_scenario_top(reader);
    ATEMI_REQUIRE_OR(key ? frame->kind != ATEMI_FRAME_LIST : frame->kind == ATEMI_FRAME_ITEM,
                     false);
    ATEMI_REQUIRE_OR(!key || !is_known(reader, frame, key), false);
    return true;
}

atemi_yaml_node *atemi_scenario_ask(atemi_scenario_reader *reader, const char *key,
                                    atemi_scenario_row declaration)
{
    if (reader->error.status) {
        return NULL;
    }
    if (!may_ask(reader, key)) {
        atemi_scenario_fail_on_contract(reader);
        return NULL;
    }
    if (key && !can_have_keys(reader, key)) {
        return NULL;
    }
    atemi_yaml_node *node = atemi_scenario_find(reader, key);
    if (node) {
        node->asked = true;
    }
    if (key) {
        declare_key(reader, key, node, declaration);
    } else {
        declare_item(reader, declaration);
    }
    return reader->error.status ? NULL : node;
}

atemi_scenario_mark atemi_scenario_last(const atemi_scenario_reader *reader)
{
    const atemi_scenario_mark nothing = {"", {0, 0}};
    return reader->last_row < 0 ? nothing : reader->rows[reader->last_row].mark;
}

// ---- Unknown keys

static void join(const key_list *list, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < list->count && used < size; ++i) {
        const int length =
            snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", list->keys[i]);
        used += length > 0 ? (size_t)length : 0;
    }
    if (used >= size) {
        memcpy(text + size - MESSAGE_ELLIPSIS_SIZE, "...", MESSAGE_ELLIPSIS_SIZE);
    }
}

static void fail_on_unknown(atemi_scenario_reader *reader, const atemi_scenario_frame *frame,
                            const atemi_yaml_node *node)
{
    char                      known[KNOWN_SIZE], quote[ATEMI_QUOTE_SIZE];
    const key_list            list = known_keys(reader, frame);
    const atemi_scenario_mark mark = {frame->mark.path, node->key_place};
    const char *meant = atemi_suggestion_find(node->key, list.count, key_at, (const void *)&list);
    join(&list, known, sizeof known);
    atemi_scenario_fail(reader, mark, "unknown key '%s'%s%s%s; known here: %s",
                        atemi_scenario_quote(node->key, quote), ATEMI_SUGGESTION_TEXT(meant),
                        list.count ? known : "none");
}

void atemi_scenario_check_all_asked(atemi_scenario_reader      *reader,
                                    const atemi_scenario_frame *frame)
{
    const atemi_yaml_node *mapping = atemi_scenario_node(reader, frame->node);
    if (!mapping || !can_have_keys(reader, "key")) {
        return;
    }
    for (int child = mapping->first; child >= 0; child = reader->tree.nodes[child].next) {
        if (!reader->tree.nodes[child].asked) {
            fail_on_unknown(reader, frame, &reader->tree.nodes[child]);
            return;
        }
    }
}
