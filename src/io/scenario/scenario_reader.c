// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_parts.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "base/message.h"
#include "io/bytes/file.h"

enum { KEPT_SIZE = 1024 };

// ---- Errors

static void fail_list(atemi_scenario_reader *reader, atemi_status status, atemi_scenario_mark mark,
                      const char *format, va_list arguments)
{
    char text[ATEMI_ERROR_MESSAGE_SIZE];
    if (reader->error.status) {
        return;
    }
    message_format(text, sizeof text, format, arguments);
    atemi_fail(&reader->error, status, "%s%s%s", mark.path, mark.path[0] ? ": " : "", text);
    atemi_error_locate(&reader->error, reader->file, mark.place.line, mark.place.column);
}

static void fail_on_memory(atemi_scenario_reader *reader)
{
    if (!reader->error.status) {
        atemi_fail(&reader->error, ATEMI_ERROR_MEMORY, "no memory to read a scenario");
    }
}

void atemi_scenario_fail_on_contract(atemi_scenario_reader *reader)
{
    atemi_fail(&reader->error, ATEMI_ERROR_CONTRACT, "a scenario was read in an impossible order");
}

atemi_status atemi_scenario_fail(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_list(reader, ATEMI_ERROR_INPUT, mark, format, arguments);
    va_end(arguments);
    return reader->error.status;
}

bool atemi_scenario_failed(const atemi_scenario_reader *reader)
{
    return reader->error.status != ATEMI_OK;
}

const char *atemi_scenario_quote(const char *text, char quote[ATEMI_QUOTE_SIZE])
{
    size_t length = strlen(text);
    bool   cut = false;
    if (length >= ATEMI_QUOTE_SIZE) {
        cut = true;
        length = ATEMI_QUOTE_SIZE - MESSAGE_ELLIPSIS_SIZE;
        while (length > 0 && message_byte_continues(text[length])) {
            --length;
        }
    }
    for (size_t i = 0; i < length; ++i) {
        quote[i] = text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
    }
    memcpy(quote + length, cut ? "..." : "", cut ? MESSAGE_ELLIPSIS_SIZE : 1);
    return quote;
}

void atemi_scenario_fail_on_kind(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                                 atemi_scenario_mark mark, const char *expected)
{
    char quote[ATEMI_QUOTE_SIZE];
    switch (node->kind) {
    case ATEMI_YAML_NOTHING:
        atemi_scenario_fail(reader, mark, "the value is missing; give %s", expected);
        break;
    case ATEMI_YAML_SCALAR:
        atemi_scenario_fail(reader, mark, "expected %s, got '%s'", expected,
                            atemi_scenario_quote(node->text, quote));
        break;
    case ATEMI_YAML_LIST:
        atemi_scenario_fail(reader, mark, "expected %s, got a list", expected);
        break;
    case ATEMI_YAML_MAPPING:
        atemi_scenario_fail(reader, mark, "expected %s, got a mapping", expected);
        break;
    }
}

// ---- Memory

const char *atemi_scenario_keep(atemi_scenario_reader *reader, const char *format, ...)
{
    char    text[KEPT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    message_format(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *copy = atemi_string_pool_copy(&reader->strings, text);
    if (!copy) {
        fail_on_memory(reader);
    }
    return copy ? copy : "";
}

const char *atemi_scenario_keep_buffer(atemi_scenario_reader *reader, atemi_text *text)
{
    const char *copy =
        text->failed ? NULL
                     : atemi_string_pool_copy(&reader->strings, text->bytes ? text->bytes : "");
    atemi_release(text->bytes);
    *text = (atemi_text){0};
    if (!copy) {
        fail_on_memory(reader);
    }
    return copy ? copy : "";
}

int atemi_scenario_add_row(atemi_scenario_reader *reader, const atemi_scenario_row *row)
{
    atemi_scenario_row *rows = (atemi_scenario_row *)atemi_grown(
        reader->rows, sizeof *rows, reader->row_count, &reader->row_capacity);
    if (!rows) {
        fail_on_memory(reader);
        return -1;
    }
    reader->rows = rows;
    rows[reader->row_count] = *row;
    return reader->row_count++;
}

const char *atemi_scenario_child_path(atemi_scenario_reader *reader, const char *path,
                                      const char *key)
{
    return path[0] ? atemi_scenario_keep(reader, "%s.%s", path, key)
                   : atemi_scenario_keep(reader, "%s", key);
}

atemi_scenario_row *atemi_scenario_last_row(atemi_scenario_reader *reader)
{
    return reader->error.status || reader->last_row < 0 ? NULL : &reader->rows[reader->last_row];
}

// ---- Opening and closing

static void begin(atemi_scenario_reader *reader)
{
    reader->last_row = -1;
    reader->frames[0] = (atemi_scenario_frame){.kind = ATEMI_FRAME_MAPPING,
                                               .node = reader->blank ? -1 : 0,
                                               .row = -1,
                                               .mark = {"", {0, 0}}};
    if (reader->tree.nodes) {
        reader->frames[0].mark.place = reader->tree.nodes[0].place;
    }
    reader->frame_count = 1;
}

static char *copy_bytes(const char *bytes, size_t size)
{
    char *copy = (char *)atemi_allocate(size + 1);
    if (copy) {
        memcpy(copy, bytes, size);
        copy[size] = '\0';
    }
    return copy;
}

static atemi_status fill(atemi_scenario_reader *reader, const char *file, atemi_error *error)
{
    reader->file = file ? copy_bytes(file, strlen(file)) : NULL;
    if (file && !reader->file) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to read a scenario");
    }
    return atemi_yaml_read(reader->source, reader->size, file, &reader->tree, error);
}

// Takes `source` over, whatever the result.
static atemi_status open_source(char *source, size_t size, const char *file,
                                atemi_scenario_reader **reader, atemi_error *error)
{
    atemi_scenario_reader *made = (atemi_scenario_reader *)atemi_allocate(sizeof *made);
    if (!made) {
        atemi_release(source);
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to read a scenario");
    }
    *made = (atemi_scenario_reader){.source = source, .size = size};
    const atemi_status status = fill(made, file, error);
    if (status) {
        atemi_scenario_close(made);
        return status;
    }
    begin(made);
    *reader = made;
    return ATEMI_OK;
}

atemi_status atemi_scenario_open(const char *path, atemi_scenario_reader **reader,
                                 atemi_error *error)
{
    char  *source;
    size_t size;
    *reader = NULL;
    const atemi_status status =
        atemi_file_read_given(path, (size_t)ATEMI_YAML_MAX_MEBIBYTES << 20, &source, &size, error);
    return status ? status : open_source(source, size, path, reader, error);
}

atemi_status atemi_scenario_open_text(const char *text, size_t size, const char *file,
                                      atemi_scenario_reader **reader, atemi_error *error)
{
    *reader = NULL;
    ATEMI_REQUIRE_OR(text || size == 0, ATEMI_ERROR_CONTRACT);
    char *source = copy_bytes(size ? text : "", size);
    if (!source) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to read a scenario");
    }
    return open_source(source, size, file, reader, error);
}

atemi_status atemi_scenario_open_blank(atemi_scenario_reader **reader, atemi_error *error)
{
    *reader = (atemi_scenario_reader *)atemi_allocate(sizeof **reader);
    if (!*reader) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to explain a scenario");
    }
    **reader = (atemi_scenario_reader){.blank = true};
    begin(*reader);
    return ATEMI_OK;
}

atemi_status atemi_scenario_finish(atemi_scenario_reader *reader, atemi_error *error)
{
    if (!reader->error.status && reader->frame_count > 0) {
        ATEMI_REQUIRE_OR(reader->frame_count == 1, ATEMI_ERROR_CONTRACT);
        atemi_scenario_check_all_asked(reader, atemi_scenario_top(reader));
        reader->frame_count = 0;
    }
    if (reader->error.status && error) {
        *error = reader->error;
    }
    return reader->error.status;
}

void atemi_scenario_close(atemi_scenario_reader *reader)
{
    if (!reader) {
        return;
    }
    atemi_yaml_tree_destroy(&reader->tree);
    atemi_string_pool_destroy(&reader->strings);
    atemi_release(reader->warnings);
    atemi_release(reader->rows);
    atemi_release(reader->file);
    atemi_release(reader->source);
    atemi_release(reader);
}

const char *atemi_scenario_source(const atemi_scenario_reader *reader, size_t *size)
{
    *size = reader->size;
    return reader->source ? reader->source : "";
}

const atemi_scenario_row *atemi_scenario_rows(const atemi_scenario_reader *reader, int *count)
{
    *count = reader->row_count;
    return reader->rows;
}
