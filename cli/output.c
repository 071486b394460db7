// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // isatty, fileno
#endif

#include "output.h"

#include "command.h"
#include "io/bytes/visible.h"

#include "atemi/base.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Warnings behind the first MAX_SAID may be repeated.
enum { MESSAGE_SIZE = 2048, MAX_SAID = 256 };

static bool has_colours(FILE *stream)
{
    const char *refused = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return !(refused && refused[0]) && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(fileno(stream));
}

static void print_clean(FILE *stream, const char *text)
{
    char visible[ATEMI_VISIBLE_GROWTH * MESSAGE_SIZE];
    atemi_visible_text(text, visible, sizeof visible);
    fputs(visible, stream);
}

static void print_message(const char *kind, const char *colour, const char *text)
{
    const bool coloured = has_colours(stderr);
    fprintf(stderr, "%s%s:%s ", coloured ? colour : "", kind, coloured ? "\033[0m" : "");
    print_clean(stderr, text);
    putc('\n', stderr);
}

static void print_warning(const char *text)
{
    print_message("warning", "\033[1;33m", text);
}

static void print_error(const char *text)
{
    print_message("error", "\033[1;31m", text);
}

// FNV-1a
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text; ++text) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    }
    return hash;
}

// A job may load a robot twice: what is odd about it is said once.
static bool was_said(const char *warning)
{
    static uint64_t said[MAX_SAID];
    static int      count;
    const uint64_t  hash = hash_of(warning);
    for (int i = 0; i < count; ++i) {
        if (said[i] == hash) {
            return true;
        }
    }
    if (count < MAX_SAID) {
        said[count++] = hash;
    }
    return false;
}

static void on_log(void *context, atemi_log_level level, const char *message)
{
    (void)context;
    if (level == ATEMI_LOG_ERROR) {
        print_error(message);
    } else if (level == ATEMI_LOG_WARNING && !was_said(message)) {
        print_warning(message);
    }
}

void output_begin(void)
{
    signal(SIGPIPE, SIG_IGN); // NOLINT(bugprone-signal-handler)
    signal(SIGXFSZ, SIG_IGN); // NOLINT(bugprone-signal-handler)
    output_set_quiet(false);
}

void output_set_quiet(bool quiet)
{
    atemi_set_log_hook(quiet ? NULL : on_log, NULL);
}

int output_end(int code)
{
    errno = 0;
    const bool failed = ferror(stdout) != 0;
    const bool flushed = fflush(stdout) == 0;
    const int  reason = errno;
    if ((flushed && !failed) || reason == EPIPE) {
        return code;
    }
    char text[MESSAGE_SIZE];
    snprintf(text, sizeof text, "cannot write the output: %s",
             reason ? strerror(reason) : "a part of it was lost; is the disk full?");
    return output_fail(text);
}

void output_warn(const char *format, ...)
{
    char    text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_warning(text);
}

int output_refuse(const char *format, ...)
{
    char    text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error(text);
    return EXIT_BAD_INPUT;
}

int output_fail(const char *message)
{
    print_error(message);
    return EXIT_JOB_FAILED;
}

static int code_of(atemi_status status)
{
    switch (status) {
    case ATEMI_OK:
        return EXIT_DONE;
    case ATEMI_ERROR_CONTRACT:
    case ATEMI_ERROR_MEMORY:
    case ATEMI_ERROR_SINGULAR:
        return EXIT_JOB_FAILED;
    case ATEMI_ERROR_FILE:
    case ATEMI_ERROR_SYNTAX:
    case ATEMI_ERROR_INPUT:
    case ATEMI_ERROR_LIMIT:
    case ATEMI_ERROR_NOT_FOUND:
        break;
    }
    return EXIT_BAD_INPUT;
}

// Jobs open standard input by its path.
int output_failure(const atemi_error *error)
{
    char        text[MESSAGE_SIZE];
    atemi_error shown = *error;
    if (strcmp(shown.file, "/dev/stdin") == 0) {
        snprintf(shown.file, sizeof shown.file, "standard input");
    }
    atemi_error_format(&shown, text, (int)sizeof text);
    return output_fail(text);
}

int output_error(const atemi_error *error)
{
    (void)output_failure(error);
    return code_of(error->status);
}

void output_heading(const char *text)
{
    const bool coloured = has_colours(stdout);
    fputs(coloured ? "\033[1m" : "", stdout);
    output_text(text);
    puts(coloured ? "\033[0m" : "");
}

void output_text(const char *text)
{
    print_clean(stdout, text);
}
