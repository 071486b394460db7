// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/scenario/scenario_parts.h"

#include <string.h>

// Rows are a tree in preorder, by their depths. They are written as block YAML, two spaces a level;
// the first line of a list's item takes the dash into its indentation.

enum { COMMENT_COLUMN = 40 };

typedef struct explanation {
    const atemi_scenario_reader *reader;
    atemi_text                   text;
    size_t                       line;   ///< where it begins
    int                          dashes; ///< of items whose first line is still to come
} explanation;

static bool is_plain(const char *scalar)
{
    static const char *const words[] = {"null", "Null", "NULL", "true", "false"};
    static const char        letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strcmp(scalar, words[i]) == 0) {
            return false;
        }
    }
    const char first = scalar[0];
    return ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_') &&
           scalar[strspn(scalar, letters)] == '\0';
}

// Characters that cannot stand for themselves inside double quotes: they end the text or the line,
// or are no text.
static const struct {
    const char *character, *escape;
} escapes[] = {{"\"", "\\\""},
               {"\\", "\\\\"},
               {"\n", "\\n"},
               {"\t", "\\t"},
               {"\xE2\x80\xA8", "\\L"},
               {"\xE2\x80\xA9", "\\P"},
               {"\xEF\xBB\xBF", "\\uFEFF"},
               {"\xEF\xBF\xBE", "\\uFFFE"},
               {"\xEF\xBF\xBF", "\\uFFFF"}};

// Appends one character, or one byte of it.
static const char *append_character(atemi_text *text, const char *at)
{
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; ++i) {
        const size_t length = strlen(escapes[i].character);
        if (strncmp(at, escapes[i].character, length) == 0) {
            atemi_text_append(text, "%s", escapes[i].escape);
            return at + length;
        }
    }
    atemi_text_append(text, "%c", *at);
    return at + 1;
}

void atemi_text_append_scalar(atemi_text *text, const char *scalar)
{
    if (is_plain(scalar)) {
        atemi_text_append(text, "%s", scalar);
        return;
    }
    atemi_text_append(text, "\"");
    while (*scalar) {
        scalar = append_character(text, scalar);
    }
    atemi_text_append(text, "\"");
}

// ---- Lines

static void begin_line(explanation *out, const atemi_scenario_row *row)
{
    out->line = out->text.size;
    atemi_text_append(&out->text, "%*s", 2 * (row->depth - out->dashes), "");
    for (; out->dashes > 0; --out->dashes) {
        atemi_text_append(&out->text, "- ");
    }
    if (row->key) {
        atemi_text_append_scalar(&out->text, row->key);
        atemi_text_append(&out->text, ":");
    } else {
        atemi_text_append(&out->text, "-");
    }
}

static void append_part(atemi_text *text, bool *first, const char *label, const char *part)
{
    if (part) {
        atemi_text_append(text, "%s%s%s", *first ? "" : "; ", label, part);
        *first = false;
    }
}

// Whether the value has its unit behind it, as single numbers have.
static bool shows_unit(const atemi_scenario_row *row)
{
    return row->kind == ATEMI_ROW_VALUE && row->value && row->value[0] != '[';
}

static void end_line(explanation *out, const atemi_scenario_row *row, const char *origin)
{
    const int width = (int)(out->text.size - out->line);
    bool      first = true;
    atemi_text_append(&out->text, "%*s# ", width < COMMENT_COLUMN - 1 ? COMMENT_COLUMN - width : 2,
                      "");
    append_part(&out->text, &first, "", origin);
    append_part(&out->text, &first, "", row->required ? "required" : NULL);
    append_part(&out->text, &first, "default ", row->given ? row->fallback : NULL);
    append_part(&out->text, &first, "", row->type);
    append_part(&out->text, &first, "in ", shows_unit(row) ? NULL : row->unit);
    append_part(&out->text, &first, "", row->range);
    append_part(&out->text, &first, "", row->help);
    atemi_text_append(&out->text, "\n");
}

// ---- Rows

// An optional mapping that the file does not have, and a value without one.
static bool is_absent(const explanation *out, int index)
{
    int                       count;
    const atemi_scenario_row *rows = atemi_scenario_rows(out->reader, &count);
    if (rows[index].kind == ATEMI_ROW_VALUE) {
        return !rows[index].value;
    }
    const bool has_rows = index + 1 < count && rows[index + 1].depth > rows[index].depth;
    return !rows[index].given && !has_rows;
}

// Whether there will be a line below it that is no comment.
static bool has_content(const explanation *out, int index)
{
    int                       count;
    const atemi_scenario_row *rows = atemi_scenario_rows(out->reader, &count);
    const int                 depth = rows[index].depth;
    for (int i = index + 1; i < count && rows[i].depth > depth; ++i) {
        if (rows[i].depth == depth + 1 && !is_absent(out, i)) {
            return true;
        }
    }
    return false;
}

static void write_comment(explanation *out, const atemi_scenario_row *row)
{
    out->line = out->text.size;
    atemi_text_append(&out->text, "%*s# %s:", 2 * row->depth, "", row->key ? row->key : "-");
    end_line(out, row, "not given");
}

static void write_value(explanation *out, const atemi_scenario_row *row, const char *value)
{
    begin_line(out, row);
    atemi_text_append(&out->text, " %s", value);
    end_line(out, row, row->given ? "given" : "default");
}

static void write_row(explanation *out, int index)
{
    int                       count;
    const atemi_scenario_row *row = atemi_scenario_rows(out->reader, &count) + index;
    if (is_absent(out, index)) {
        write_comment(out, row);
    } else if (row->kind == ATEMI_ROW_VALUE) {
        write_value(out, row, row->value);
    } else if (!has_content(out, index)) {
        write_value(out, row, row->kind == ATEMI_ROW_LIST ? "[]" : "{}");
    } else if (!row->key) {
        ++out->dashes;
    } else {
        begin_line(out, row);
        end_line(out, row, row->given ? "given" : "default");
    }
}

char *atemi_scenario_explain(const atemi_scenario_reader *reader)
{
    explanation out = {.reader = reader};
    int         count;
    atemi_scenario_rows(reader, &count);
    atemi_text_append(&out.text, "%s", "");
    for (int i = 0; i < count; ++i) {
        write_row(&out, i);
    }
    if (out.text.failed) {
        atemi_release(out.text.bytes);
        return NULL;
    }
    return out.text.bytes;
}
