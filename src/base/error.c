// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"

#include "base/message.h"

// The end of a path is what tells files apart, so a long one loses its beginning.
static void copy_path(char *text, const char *path)
{
    const size_t length = strlen(path);
    if (length < ATEMI_ERROR_FILE_SIZE) {
        memmove(text, path, length + 1);
        return;
    }
    const char *tail = path + length + MESSAGE_ELLIPSIS_SIZE - ATEMI_ERROR_FILE_SIZE;
    while (message_byte_continues(*tail)) {
        ++tail;
    }
    snprintf(text, ATEMI_ERROR_FILE_SIZE, "...%s", tail);
}

// "line:column: ", "line: " or nothing.
static void format_position(const atemi_error *error, char *text, size_t size)
{
    text[0] = '\0';
    if (error->line > 0 && error->column > 0) {
        snprintf(text, size, "%d:%d: ", error->line, error->column);
    } else if (error->line > 0) {
        snprintf(text, size, "%d: ", error->line);
    }
}

const char *atemi_status_text(atemi_status status)
{
    switch (status) {
    case ATEMI_OK:
        return "ok";
    case ATEMI_ERROR_CONTRACT:
        return "broken contract";
    case ATEMI_ERROR_MEMORY:
        return "out of memory";
    case ATEMI_ERROR_FILE:
        return "file error";
    case ATEMI_ERROR_SYNTAX:
        return "bad syntax";
    case ATEMI_ERROR_INPUT:
        return "bad input";
    case ATEMI_ERROR_LIMIT:
        return "limit exceeded";
    case ATEMI_ERROR_NOT_FOUND:
        return "not found";
    case ATEMI_ERROR_SINGULAR:
        return "singular system";
    }
    return "unknown status";
}

atemi_status atemi_fail_list(atemi_error *error, atemi_status status, const char *format,
                             va_list arguments)
{
    ATEMI_REQUIRE_OR(format, status);
    if (error) {
        // Not straight into the record: the arguments may quote the message it holds.
        char message[ATEMI_ERROR_MESSAGE_SIZE];
        message_format(message, sizeof message, format, arguments);

        error->status = status;
        atemi_error_locate(error, "", 0, 0);
        memcpy(error->message, message, strlen(message) + 1);
    }
    return status;
}

atemi_status atemi_fail(atemi_error *error, atemi_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    atemi_fail_list(error, status, format, arguments);
    va_end(arguments);
    return status;
}

void atemi_error_locate(atemi_error *error, const char *file, int line, int column)
{
    if (!error) {
        return;
    }
    error->line = line;
    error->column = column;
    if (file) {
        copy_path(error->file, file);
    }
}

int atemi_error_format(const atemi_error *error, char *text, int size)
{
    ATEMI_REQUIRE_OR(error && size >= 0 && (text || size == 0), 0);

    char position[32];
    format_position(error, position, sizeof position);
    const char *colon = !error->file[0] ? "" : position[0] ? ":" : ": ";
    return snprintf(text, (size_t)size, "%s%s%s%s", error->file, colon, position, error->message);
}
