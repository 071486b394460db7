// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_json.h"

#include <limits.h>
#include <stdio.h>

static atemi_status check(const atemi_recorded_warning *warning, atemi_error *error)
{
    const atemi_status status =
        atemi_recording_check_name(warning->message, "the text of a warning", error);
    return status ? status
                  : atemi_recording_check_text(warning->file, "the file of a warning", error);
}

atemi_status atemi_recording_add_warning(atemi_recording              *recording,
                                         const atemi_recorded_warning *warning, atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && warning, ATEMI_ERROR_CONTRACT);
    const atemi_status status = check(warning, error);
    if (status) {
        return status;
    }
    if (recording->warning_count == ATEMI_RECORDING_MAX_WARNINGS) {
        return atemi_recording_full("warnings", ATEMI_RECORDING_MAX_WARNINGS, error);
    }
    atemi_recorded_warning *warnings = (atemi_recorded_warning *)atemi_grown(
        recording->warnings, sizeof *warnings, recording->warning_count,
        &recording->warning_capacity);
    if (!warnings) {
        return atemi_recording_no_memory(error);
    }
    recording->warnings = warnings;
    bool                         failed = false;
    const atemi_recorded_warning copy = {
        .file = atemi_recording_keep(recording, warning->file, &failed),
        .line = warning->line,
        .column = warning->column,
        .message = atemi_recording_keep(recording, warning->message, &failed),
    };
    if (failed) {
        return atemi_recording_no_memory(error);
    }
    warnings[recording->warning_count++] = copy;
    return ATEMI_OK;
}

int atemi_recording_warning_count(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, 0);
    return recording->warning_count;
}

const atemi_recorded_warning *atemi_recording_warning(const atemi_recording *recording, int index)
{
    ATEMI_REQUIRE_OR(recording && index >= 0 && index < recording->warning_count, NULL);
    return &recording->warnings[index];
}

// ---- summary.json

void atemi_recording_put_warnings(const atemi_recording *recording, atemi_text *text)
{
    for (int i = 0; i < recording->warning_count; ++i) {
        const atemi_recorded_warning *warning = &recording->warnings[i];
        char                          place[64];
        atemi_text_put_string(text, i > 0 ? ",\n    {" : "\n    {");
        if (warning->file) {
            atemi_text_put_string(text, "\"file\": ");
            atemi_text_put_json_string(text, warning->file);
            atemi_text_put_string(text, ", ");
        }
        snprintf(place, sizeof place, "\"line\": %d, \"column\": %d, ", warning->line,
                 warning->column);
        atemi_text_put_string(text, place);
        atemi_text_put_string(text, "\"message\": ");
        atemi_text_put_json_string(text, warning->message);
        atemi_text_put_character(text, '}');
    }
    atemi_text_put_string(text, recording->warning_count > 0 ? "\n  " : "");
}

static atemi_status read_whole(const json_t *object, atemi_recording_place at, const char *key,
                               int *number, atemi_error *error)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > INT_MAX) {
        return atemi_recording_json_complain(at, key, "a whole number", error);
    }
    *number = (int)json_integer_value(value);
    return ATEMI_OK;
}

atemi_status atemi_recording_read_warning(const json_t *object, int index,
                                          atemi_recording *recording, atemi_error *error)
{
    atemi_recorded_warning      warning = {0};
    const atemi_recording_place at = {"warnings", index};
    atemi_status                status =
        atemi_recording_json_string(object, at, "message", true, &warning.message, error);
    if (!status) {
        status = atemi_recording_json_string(object, at, "file", false, &warning.file, error);
    }
    if (!status) {
        status = read_whole(object, at, "line", &warning.line, error);
    }
    if (!status) {
        status = read_whole(object, at, "column", &warning.column, error);
    }
    return status ? status : atemi_recording_add_warning(recording, &warning, error);
}
