// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/yaml_tree.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/syntax/yaml_syntax.h"

#include <stdarg.h>
#include <string.h>
#include <yaml.h>

enum { LEVEL_COUNT = ATEMI_YAML_MAX_DEPTH };

// A list or mapping that is not closed yet.
typedef struct yaml_level {
    int         node;
    int         last; ///< child, or -1
    const char *key;  ///< the one that waits for its value, or NULL
    atemi_place key_place;
} yaml_level;

typedef struct yaml_reader {
    yaml_parser_t    parser;
    atemi_yaml_tree *tree;
    const char      *text; ///< all of the file
    size_t           size;
    const char      *file;
    atemi_error     *error;
    yaml_level       levels[LEVEL_COUNT]; ///< deeper ones are refused
    int              depth;               ///< open levels
    int              documents;
} yaml_reader;

static atemi_place place_of(yaml_mark_t mark)
{
    const atemi_place place = {(int)mark.line + 1, (int)mark.column + 1};
    return place;
}

ATEMI_PRINTF(4, 5)
static atemi_status refuse(const yaml_reader *reader, atemi_status status, atemi_place place,
                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    atemi_fail_list(reader->error, status, format, arguments);
    va_end(arguments);
    atemi_error_locate(reader->error, reader->file, place.line, place.column);
    return status;
}

static atemi_status out_of_memory(const yaml_reader *reader)
{
    return atemi_fail(reader->error, ATEMI_ERROR_MEMORY, "no memory to read YAML");
}

static atemi_status refuse_syntax(const yaml_reader *reader)
{
    const atemi_status status =
        atemi_yaml_syntax_fail(&reader->parser, reader->text, reader->size, reader->error);
    if (reader->error && status == ATEMI_ERROR_SYNTAX) {
        atemi_error_locate(reader->error, reader->file, reader->error->line, reader->error->column);
    }
    return status;
}

// ---- The tree

static atemi_status add_node(yaml_reader *reader, atemi_yaml_node node)
{
    atemi_yaml_tree *tree = reader->tree;
    if (tree->count == ATEMI_YAML_MAX_NODES) {
        return refuse(reader, ATEMI_ERROR_LIMIT, node.place,
                      "more than %d values, the limit; check that it is the right file",
                      ATEMI_YAML_MAX_NODES);
    }
    atemi_yaml_node *nodes =
        (atemi_yaml_node *)atemi_grown(tree->nodes, sizeof node, tree->count, &tree->capacity);
    if (!nodes) {
        return out_of_memory(reader);
    }
    tree->nodes = nodes;
    nodes[tree->count++] = node;
    return ATEMI_OK;
}

// Makes the newest node a child of the innermost level.
static void connect(yaml_reader *reader)
{
    if (reader->depth == 0) {
        return;
    }
    yaml_level      *level = &reader->levels[reader->depth - 1];
    atemi_yaml_node *nodes = reader->tree->nodes;
    const int        child = reader->tree->count - 1;
    nodes[child].key = level->key;
    nodes[child].key_place = level->key_place;
    if (level->last < 0) {
        nodes[level->node].first = child;
    } else {
        nodes[level->last].next = child;
    }
    level->last = child;
    level->key = NULL;
    ++nodes[level->node].count;
}

static atemi_status take_value(yaml_reader *reader, atemi_yaml_kind kind, const char *text,
                               atemi_place place)
{
    const atemi_yaml_node node = {
        .kind = kind, .place = place, .text = text, .first = -1, .next = -1};
    if (reader->depth == 0 && kind != ATEMI_YAML_MAPPING) {
        return refuse(
            reader, ATEMI_ERROR_INPUT, place,
            "a scenario begins with a mapping of keys to values, such as robot: hrp2_like, or "
            "robot: FILE.urdf for a URDF");
    }
    const atemi_status status = add_node(reader, node);
    if (!status) {
        connect(reader);
    }
    return status;
}

static bool expects_key(const yaml_reader *reader)
{
    if (reader->depth == 0) {
        return false;
    }
    const yaml_level *level = &reader->levels[reader->depth - 1];
    return reader->tree->nodes[level->node].kind == ATEMI_YAML_MAPPING && !level->key;
}

static atemi_status open_level(yaml_reader *reader, atemi_yaml_kind kind, atemi_place place)
{
    if (expects_key(reader)) {
        return refuse(reader, ATEMI_ERROR_INPUT, place,
                      "a list or mapping cannot be a key; write key: value with a word as key");
    }
    if (reader->depth == ATEMI_YAML_MAX_DEPTH) {
        return refuse(reader, ATEMI_ERROR_LIMIT, place,
                      "more than %d lists and mappings inside each other; no scenario needs that",
                      ATEMI_YAML_MAX_DEPTH);
    }
    const atemi_status status = take_value(reader, kind, "", place);
    if (!status) {
        reader->levels[reader->depth++] = (yaml_level){.node = reader->tree->count - 1, .last = -1};
    }
    return status;
}

// ---- Scalars

// Control characters other than tab and line feed, which YAML can write as escapes: they could
// steer the terminal that shows a message, or end a string early.
static bool has_control_character(const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        const unsigned char c = (unsigned char)text[i];
        const unsigned char next = i + 1 < length ? (unsigned char)text[i + 1] : 0;
        if ((c < 0x20U && c != '\t' && c != '\n') || c == 0x7FU ||
            (c == 0xC2U && next >= 0x80U && next < 0xA0U)) {
            return true;
        }
    }
    return false;
}

static bool is_nothing(const char *text)
{
    return !text[0] || strcmp(text, "~") == 0 || strcmp(text, "null") == 0 ||
           strcmp(text, "Null") == 0 || strcmp(text, "NULL") == 0;
}

static atemi_status refuse_second_key(const yaml_reader *reader, const char *key, atemi_place place,
                                      int line)
{
    return refuse(reader, ATEMI_ERROR_INPUT, place,
                  "the key '%s' appears twice in this mapping, here and in line %d; remove one",
                  key, line);
}

static atemi_status check_key(const yaml_reader *reader, const char *key, bool plain,
                              atemi_place place)
{
    const atemi_yaml_tree *tree = reader->tree;
    const atemi_yaml_node *mapping = &tree->nodes[reader->levels[reader->depth - 1].node];
    if (plain && is_nothing(key)) {
        return refuse(reader, ATEMI_ERROR_INPUT, place,
                      "a value without a key; write key: value with a word as key");
    }
    if (plain && strcmp(key, "<<") == 0) {
        return refuse(
            reader, ATEMI_ERROR_INPUT, place,
            "merge keys (<<) are not supported: they hide what a mapping holds; write the "
            "keys out");
    }
    if (strlen(key) >= ATEMI_YAML_MAX_KEY_SIZE) {
        return refuse(reader, ATEMI_ERROR_LIMIT, place, "a key of more than %d bytes",
                      ATEMI_YAML_MAX_KEY_SIZE - 1);
    }
    if (mapping->count == ATEMI_YAML_MAX_KEYS) {
        return refuse(reader, ATEMI_ERROR_LIMIT, place, "a mapping of more than %d keys",
                      ATEMI_YAML_MAX_KEYS);
    }
    const atemi_yaml_node *first = atemi_yaml_find(tree, mapping, key);
    return first ? refuse_second_key(reader, key, place, first->key_place.line) : ATEMI_OK;
}

static atemi_status take_key(yaml_reader *reader, const char *key, bool plain, atemi_place place)
{
    yaml_level        *level = &reader->levels[reader->depth - 1];
    const atemi_status status = check_key(reader, key, plain, place);
    if (status) {
        return status;
    }
    level->key = atemi_string_pool_copy(&reader->tree->strings, key);
    level->key_place = place;
    return level->key ? ATEMI_OK : out_of_memory(reader);
}

static atemi_status take_scalar(yaml_reader *reader, const yaml_event_t *event)
{
    const char       *text = (const char *)event->data.scalar.value;
    const atemi_place place = place_of(event->start_mark);
    const bool        plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (has_control_character(text, event->data.scalar.length)) {
        return refuse(reader, ATEMI_ERROR_INPUT, place,
                      "a text with a control character in it; remove the escape");
    }
    if (expects_key(reader)) {
        return take_key(reader, text, plain, place);
    }
    if (plain && is_nothing(text)) {
        return take_value(reader, ATEMI_YAML_NOTHING, "", place);
    }
    const char *copy = atemi_string_pool_copy(&reader->tree->strings, text);
    return copy ? take_value(reader, ATEMI_YAML_SCALAR, copy, place) : out_of_memory(reader);
}

// ---- Events

static atemi_status refuse_anchor(const yaml_reader *reader, atemi_place place)
{
    return refuse(
        reader, ATEMI_ERROR_INPUT, place,
        "anchors (&name) and aliases (*name) are not supported: with them a small file can "
        "unfold into a huge one; write the value out, or put a text that begins with & "
        "or * into quotes");
}

static atemi_status refuse_tag(const yaml_reader *reader, atemi_place place)
{
    return refuse(reader, ATEMI_ERROR_INPUT, place,
                  "tags (!name) are not supported: the key determines what a value is; remove the "
                  "tag, or put a text that begins with ! into quotes");
}

static atemi_status check_node(const yaml_reader *reader, const yaml_event_t *event,
                               const yaml_char_t *anchor, const yaml_char_t *tag)
{
    const atemi_place place = place_of(event->start_mark);
    return anchor ? refuse_anchor(reader, place) : tag ? refuse_tag(reader, place) : ATEMI_OK;
}

static atemi_status begin_document(yaml_reader *reader, const yaml_event_t *event)
{
    const atemi_place place = place_of(event->start_mark);
    if (event->data.document_start.tag_directives.start !=
        event->data.document_start.tag_directives.end) {
        return refuse_tag(reader, place);
    }
    if (++reader->documents > 1) {
        return refuse(reader, ATEMI_ERROR_INPUT, place,
                      "a second document begins here; a file holds one, remove the '---' or the "
                      "'...'");
    }
    return ATEMI_OK;
}

static atemi_status take_event(yaml_reader *reader, const yaml_event_t *event)
{
    const atemi_place place = place_of(event->start_mark);
    atemi_status      status = ATEMI_OK;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return begin_document(reader, event);
    case YAML_ALIAS_EVENT:
        return refuse_anchor(reader, place);
    case YAML_SCALAR_EVENT:
        status = check_node(reader, event, event->data.scalar.anchor, event->data.scalar.tag);
        return status ? status : take_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
        status = check_node(reader, event, event->data.sequence_start.anchor,
                            event->data.sequence_start.tag);
        return status ? status : open_level(reader, ATEMI_YAML_LIST, place);
    case YAML_MAPPING_START_EVENT:
        status = check_node(reader, event, event->data.mapping_start.anchor,
                            event->data.mapping_start.tag);
        return status ? status : open_level(reader, ATEMI_YAML_MAPPING, place);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        --reader->depth;
        return ATEMI_OK;
    default:
        return ATEMI_OK;
    }
}

static atemi_status take_events(yaml_reader *reader)
{
    atemi_status status = ATEMI_OK;
    bool         ends = false;
    while (!status && !ends) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event)) {
            return refuse_syntax(reader);
        }
        ends = event.type == YAML_STREAM_END_EVENT;
        status = take_event(reader, &event);
        yaml_event_delete(&event);
    }
    if (!status && reader->tree->count == 0) {
        atemi_fail(reader->error, ATEMI_ERROR_SYNTAX,
                   "there is nothing in the file; a scenario has keys and values, such as robot: "
                   "hrp2_like");
        atemi_error_locate(reader->error, reader->file, 0, 0);
        return ATEMI_ERROR_SYNTAX;
    }
    return status;
}

static atemi_status check_size(const yaml_reader *reader)
{
    const atemi_place nowhere = {0, 0};
    if (reader->size > (size_t)ATEMI_YAML_MAX_MEBIBYTES << 20) {
        return refuse(reader, ATEMI_ERROR_LIMIT, nowhere,
                      "the file is larger than %d MiB, the limit; check that it is the "
                      "right one",
                      ATEMI_YAML_MAX_MEBIBYTES);
    }
    return ATEMI_OK;
}

atemi_status atemi_yaml_read(const char *text, size_t size, const char *file, atemi_yaml_tree *tree,
                             atemi_error *error)
{
    yaml_reader reader = {.tree = tree, .text = text, .size = size, .file = file, .error = error};
    *tree = (atemi_yaml_tree){0};
    const atemi_status checked = check_size(&reader);
    if (checked) {
        return checked;
    }
    if (!yaml_parser_initialize(&reader.parser)) {
        return out_of_memory(&reader);
    }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)(size ? text : ""), size);
    const atemi_status status = take_events(&reader);
    yaml_parser_delete(&reader.parser);
    return status;
}

void atemi_yaml_tree_destroy(atemi_yaml_tree *tree)
{
    atemi_release(tree->nodes);
    atemi_string_pool_destroy(&tree->strings);
    *tree = (atemi_yaml_tree){0};
}

atemi_yaml_node *atemi_yaml_find(const atemi_yaml_tree *tree, const atemi_yaml_node *mapping,
                                 const char *key)
{
    for (int child = mapping->first; child >= 0; child = tree->nodes[child].next) {
        if (strcmp(tree->nodes[child].key, key) == 0) {
            return &tree->nodes[child];
        }
    }
    return NULL;
}
