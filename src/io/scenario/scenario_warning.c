// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_warning.h"

#include "atemi/base.h"
#include "base/message.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_parts.h"

#include <string.h>

enum { MAX_WARNINGS = 100 };

static bool is_known(const atemi_scenario_reader *reader, const atemi_scenario_warning *warning)
{
    for (int i = 0; i < reader->warning_count; ++i) {
        const atemi_scenario_warning *other = &reader->warnings[i];
        if (other->line == warning->line && other->column == warning->column &&
            strcmp(other->message, warning->message) == 0) {
            return true;
        }
    }
    return false;
}

static void report(const atemi_scenario_warning *warning)
{
    char        text[ATEMI_ERROR_FILE_SIZE + ATEMI_ERROR_MESSAGE_SIZE];
    atemi_error record;
    (void)atemi_fail(&record, ATEMI_OK, "%s", warning->message);
    atemi_error_locate(&record, warning->file, warning->line, warning->column);
    atemi_error_format(&record, text, (int)sizeof text);
    atemi_log(ATEMI_LOG_WARNING, "%s", text);
}

static void add(atemi_scenario_reader *reader, atemi_scenario_warning warning)
{
    void *warnings = reader->warnings;
    if (reader->warning_count == MAX_WARNINGS || is_known(reader, &warning) ||
        !atemi_scenario_grow(reader, sizeof warning, reader->warning_count, &warnings)) {
        return;
    }
    reader->warnings = (atemi_scenario_warning *)warnings;
    reader->warnings[reader->warning_count++] = warning;
    report(&warning);
}

void atemi_scenario_warn(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                         const char *format, ...)
{
    char    text[ATEMI_ERROR_MESSAGE_SIZE];
    va_list arguments;
    if (reader->error.status || reader->blank) {
        return;
    }
    va_start(arguments, format);
    message_format(text, sizeof text, format, arguments);
    va_end(arguments);
    const atemi_scenario_warning warning = {
        .file = reader->file,
        .line = mark.place.line,
        .column = mark.place.column,
        .message = atemi_scenario_keep(reader, "%s%s%s", mark.path, mark.path[0] ? ": " : "", text),
    };
    add(reader, warning);
}

const atemi_scenario_warning *atemi_scenario_warnings(const atemi_scenario_reader *reader,
                                                      int                         *count)
{
    *count = reader->warning_count;
    return reader->warnings;
}

// ---- Keys without effect

bool atemi_scenario_is_given(const atemi_scenario_reader *reader, const char *key)
{
    return atemi_scenario_look(reader, key) != ATEMI_SCENARIO_ABSENT;
}

void atemi_scenario_warn_if_given(atemi_scenario_reader *reader, const char *key, const char *why)
{
    const atemi_yaml_node *node = reader->error.status ? NULL : atemi_scenario_find(reader, key);
    if (node) {
        const atemi_scenario_mark mark = {
            atemi_scenario_child_path(reader, atemi_scenario_top(reader)->mark.path, key),
            node->place};
        atemi_scenario_warn(reader, mark, "has no effect: %s", why);
    }
}
