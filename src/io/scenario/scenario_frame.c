// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/scenario/scenario_parts.h"

static int index_of(const atemi_scenario_reader *reader, const atemi_yaml_node *node)
{
    return node ? (int)(node - reader->tree.nodes) : -1;
}

static void push(atemi_scenario_reader *reader, atemi_scenario_frame frame)
{
    const bool fits = reader->frame_count < ATEMI_SCENARIO_MAX_FRAMES;
    if (!fits) {
        atemi_scenario_fail_on_contract(reader);
    }
    ATEMI_REQUIRE(fits);
    reader->frames[reader->frame_count++] = frame;
}

// The frame of what was last asked for.
static atemi_scenario_frame frame_of_last(const atemi_scenario_reader *reader,
                                          atemi_frame_kind kind, const atemi_yaml_node *node)
{
    const atemi_scenario_row  *row = &reader->rows[reader->last_row];
    const atemi_scenario_frame frame = {.kind = kind,
                                        .node = index_of(reader, node),
                                        .row = reader->last_row,
                                        .depth = row->depth + 1,
                                        .mark = row->mark,
                                        .next = node ? node->first : -1,
                                        .count = node ? node->count : 0};
    return frame;
}

bool atemi_scenario_enter(atemi_scenario_reader *reader, const char *key, atemi_presence presence,
                          const char *help)
{
    atemi_yaml_node *node = atemi_scenario_ask(
        reader, key,
        (atemi_scenario_row){.kind = ATEMI_ROW_MAPPING,
                             .type = presence == ATEMI_OPTIONAL ? "optional mapping" : "mapping",
                             .help = help,
                             .required = presence == ATEMI_REQUIRED});
    if (reader->error.status || (!node && presence == ATEMI_OPTIONAL && !reader->blank)) {
        return false;
    }
    atemi_scenario_frame frame = frame_of_last(reader, ATEMI_FRAME_MAPPING, node);
    if (node && node->key) {
        frame.mark.place = node->key_place;
    }
    push(reader, frame);
    return true;
}

void atemi_scenario_leave(atemi_scenario_reader *reader)
{
    if (reader->error.status) {
        return;
    }
    ATEMI_REQUIRE(reader->frame_count > 1 &&
                  atemi_scenario_top(reader)->kind == ATEMI_FRAME_MAPPING);
    atemi_scenario_check_all_asked(reader, atemi_scenario_top(reader));
    --reader->frame_count;
}

static bool has_right_count(atemi_scenario_reader *reader, const atemi_yaml_node *node, int least,
                            int most, const char *items)
{
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    if (node->count < least) {
        atemi_scenario_fail(reader, mark, "has %d %s; give at least %d", node->count, items, least);
    } else if (node->count > most) {
        atemi_scenario_fail(reader, mark, "has %d %s; give at most %d", node->count, items, most);
    }
    return !reader->error.status;
}

static int enter_items(atemi_scenario_reader *reader, const char *key, int least, int most,
                       const char *help, bool named)
{
    const char            *items = named ? "names" : "items";
    const atemi_yaml_kind  kind = named ? ATEMI_YAML_MAPPING : ATEMI_YAML_LIST;
    const atemi_yaml_node *node =
        atemi_scenario_ask(reader, key,
                           (atemi_scenario_row){.kind = named ? ATEMI_ROW_MAPPING : ATEMI_ROW_LIST,
                                                .type = named ? "mapping by names" : "list",
                                                .range = atemi_scenario_keep(reader, "%d to %d %s",
                                                                             least, most, items),
                                                .help = help,
                                                .required = least > 0});
    if (node && node->kind != kind) {
        atemi_scenario_fail_on_kind(reader, node, atemi_scenario_last(reader),
                                    named ? "names with values, such as {name: ...}"
                                          : "a list, such as [...] or lines that begin with '- '");
    }
    if (reader->error.status || (node && !has_right_count(reader, node, least, most, items))) {
        return 0;
    }
    atemi_scenario_frame frame = frame_of_last(reader, ATEMI_FRAME_LIST, node);
    frame.named = named;
    frame.count = reader->blank ? 1 : frame.count;
    push(reader, frame);
    return frame.count;
}

int atemi_scenario_enter_list(atemi_scenario_reader *reader, const char *key, int least, int most,
                              const char *help)
{
    return enter_items(reader, key, least, most, help, false);
}

int atemi_scenario_enter_names(atemi_scenario_reader *reader, const char *key, int least, int most,
                               const char *help)
{
    return enter_items(reader, key, least, most, help, true);
}

static void leave_item(atemi_scenario_reader *reader)
{
    const atemi_scenario_frame *frame = atemi_scenario_top(reader);
    const atemi_yaml_node      *node = atemi_scenario_node(reader, frame->node);
    if (node && !node->asked) {
        atemi_scenario_check_all_asked(reader, frame);
    }
    --reader->frame_count;
}

static void enter_item(atemi_scenario_reader *reader, atemi_scenario_frame *list)
{
    atemi_yaml_node   *node = atemi_scenario_node(reader, list->next);
    atemi_scenario_row row = {
        .kind = ATEMI_ROW_MAPPING, .depth = list->depth, .given = node != NULL};
    row.type = list->named ? "entry" : "item";
    row.key = !list->named ? NULL : node ? node->key : "NAME";
    row.mark.place = node ? node->place : list->mark.place;
    row.mark.path = list->named
                        ? atemi_scenario_child_path(reader, list->mark.path, row.key)
                        : atemi_scenario_keep(reader, "%s[%d]", list->mark.path, list->index);
    const int index = atemi_scenario_add_row(reader, &row);
    if (index >= 0) {
        reader->last_row = index;
        list->next = node ? node->next : -1;
        ++list->index;
        push(reader, frame_of_last(reader, ATEMI_FRAME_ITEM, node));
    }
}

bool atemi_scenario_next(atemi_scenario_reader *reader)
{
    if (reader->error.status) {
        return false;
    }
    ATEMI_REQUIRE_OR(
        reader->frame_count > 1 && atemi_scenario_top(reader)->kind != ATEMI_FRAME_MAPPING, false);
    if (atemi_scenario_top(reader)->kind == ATEMI_FRAME_ITEM) {
        leave_item(reader);
    }
    atemi_scenario_frame *list = atemi_scenario_top(reader);
    if (list->index == list->count) {
        --reader->frame_count;
        return false;
    }
    enter_item(reader, list);
    return !reader->error.status;
}

const char *atemi_scenario_name(const atemi_scenario_reader *reader)
{
    const atemi_scenario_frame *frame = &reader->frames[reader->frame_count - 1];
    ATEMI_REQUIRE_OR(reader->frame_count > 0 && frame->kind == ATEMI_FRAME_ITEM, "");
    const char *name = reader->rows[frame->row].key;
    return name ? name : "";
}

const char *atemi_scenario_text(const atemi_scenario_reader *reader, const char *key)
{
    const atemi_yaml_node *node = reader->error.status ? NULL : atemi_scenario_find(reader, key);
    return node && node->kind == ATEMI_YAML_SCALAR ? node->text : NULL;
}

atemi_scenario_kind atemi_scenario_look(const atemi_scenario_reader *reader, const char *key)
{
    if (reader->error.status) {
        return ATEMI_SCENARIO_ABSENT;
    }
    ATEMI_REQUIRE_OR(reader->frame_count > 0, ATEMI_SCENARIO_ABSENT);
    const atemi_yaml_node *node = atemi_scenario_find(reader, key);
    if (!node) {
        return ATEMI_SCENARIO_ABSENT;
    }
    return node->kind == ATEMI_YAML_LIST      ? ATEMI_SCENARIO_LIST
           : node->kind == ATEMI_YAML_MAPPING ? ATEMI_SCENARIO_MAPPING
                                              : ATEMI_SCENARIO_VALUE;
}
