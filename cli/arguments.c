// SPDX-License-Identifier: Apache-2.0

#include "arguments.h"

#include "command.h"
#include "io/syntax/suggestion.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 26 };

// Where reading stands.
typedef struct argument_reader {
    const command_usage *usage;
    char               **argv;
    int                  argc;
    int                  next;             ///< index of the next argument
    int                  positional_count; ///< read so far
} argument_reader;

static int count_of(const argument *arguments)
{
    int count = 0;
    while (arguments[count].name) {
        ++count;
    }
    return count;
}

static const char *argument_name(const void *arguments, int index)
{
    return ((const argument *)arguments)[index].name;
}

// ---- Help

static void print_help_lines(const char *help)
{
    for (const char *c = help; *c; ++c) {
        putchar(*c);
        if (*c == '\n') {
            printf("%*s", HELP_COLUMN, "");
        }
    }
    putchar('\n');
}

static void print_option(const char *text, const char *help)
{
    printf("  %-*s", HELP_COLUMN - 2, text);
    if (strlen(text) > HELP_COLUMN - 4) {
        printf("\n%*s", HELP_COLUMN, "");
    }
    print_help_lines(help);
}

static void print_options(const argument *options)
{
    char text[80];
    puts("\noptions:");
    for (const argument *option = options; option->name; ++option) {
        const char letter[] = {'-', option->letter, ',', ' ', '\0'};
        snprintf(text, sizeof text, "%s--%s%s%s", option->letter ? letter : "", option->name,
                 option->value ? " " : "", option->value ? option->value : "");
        print_option(text, option->help);
    }
    print_option("-h, --help", "show this help");
}

static void print_help(const command_usage *usage)
{
    printf("usage: atemi %s", usage->command);
    for (const argument *positional = usage->positionals; positional->name; ++positional) {
        printf(positional->optional ? " [%s]" : " %s", positional->name);
    }
    printf(" [OPTION]...\n\n%s", usage->purpose);
    if (usage->positionals->name) {
        puts("\narguments:");
    }
    for (const argument *positional = usage->positionals; positional->name; ++positional) {
        print_option(positional->name, positional->help);
    }
    print_options(usage->options);
    printf("\n%s", usage->notes);
}

// ---- Reading

static int add_to_list(text_list *list, const char *value)
{
    const size_t size = (size_t)(list->count + 1) * sizeof *list->items;
    const char **items = (const char **)realloc((void *)list->items, size);
    if (!items) {
        return output_fail("no memory for the arguments");
    }
    items[list->count] = value;
    list->items = items;
    list->count += 1;
    return ARGUMENTS_READY;
}

// Whether the first `length` characters of a text name an option, by its name or by its letter.
static bool is_named(const argument *option, const char *text, size_t length)
{
    if (length == 2 && text[0] == '-') {
        return option->letter && text[1] == option->letter;
    }
    return strncmp(text, "--", 2) == 0 && strlen(option->name) == length - 2 &&
           strncmp(option->name, text + 2, length - 2) == 0;
}

static const argument *find_option(const argument *options, const char *text, size_t length)
{
    for (const argument *option = options; option->name; ++option) {
        if (is_named(option, text, length)) {
            return option;
        }
    }
    return NULL;
}

static int refuse_option(const command_usage *usage, const char *text, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), text);
    const char *bare = name + strspn(name, "-");
    const char *meant =
        atemi_suggestion_find(bare, count_of(usage->options), argument_name, usage->options);
    return output_refuse("'atemi %s' has no option '%s'%s%s%s; see 'atemi %s --help'",
                         usage->command, name, meant ? " (did you mean '--" : "",
                         meant ? meant : "", meant ? "'?)" : "", usage->command);
}

static int store_value(const argument *option, const char *value)
{
    if (option->list) {
        return add_to_list(option->list, value);
    }
    *option->text = value;
    return ARGUMENTS_READY;
}

// What follows an option that is no option itself; NULL where there is none.
static const char *take_next(argument_reader *reader)
{
    const char *next = reader->next < reader->argc ? reader->argv[reader->next] : "--";
    const bool  is_value = strncmp(next, "--", 2) != 0;
    reader->next += is_value;
    return is_value ? next : NULL;
}

static int read_value(argument_reader *reader, const argument *option, const char *attached)
{
    const char *value = attached ? attached : take_next(reader);
    if (!value || !value[0]) {
        return output_refuse("option '--%s' needs a value: --%s %s", option->name, option->name,
                             option->value);
    }
    if (option->second) {
        *option->second = strchr(value, ',') ? NULL : take_next(reader);
    }
    return store_value(option, value);
}

static int read_flag(const argument *option, const char *attached)
{
    if (attached) {
        return output_refuse("option '--%s' takes no value; leave '=%.60s' out", option->name,
                             attached);
    }
    *option->flag = true;
    return ARGUMENTS_READY;
}

static int read_option(argument_reader *reader, const char *text)
{
    const size_t    length = strcspn(text, "=");
    const char     *attached = text[length] ? text + length + 1 : NULL;
    const argument *option = find_option(reader->usage->options, text, length);
    if (!option) {
        return refuse_option(reader->usage, text, length);
    }
    return option->flag ? read_flag(option, attached) : read_value(reader, option, attached);
}

static int read_positional(argument_reader *reader, const char *text)
{
    const argument *positional = &reader->usage->positionals[reader->positional_count];
    if (!positional->name) {
        return output_refuse("unexpected argument '%s'; see 'atemi %s --help'", text,
                             reader->usage->command);
    }
    *positional->text = text;
    reader->positional_count += 1;
    return ARGUMENTS_READY;
}

// A lone "-" is standard input, no option.
static bool is_option(const char *text)
{
    return text[0] == '-' && text[1] != '\0';
}

static bool asks_for_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0;
}

static int read_all(argument_reader *reader)
{
    int  code = ARGUMENTS_READY;
    bool options_end = false;
    while (reader->next < reader->argc && code == ARGUMENTS_READY) {
        const char *text = reader->argv[reader->next++];
        if (options_end || !is_option(text)) {
            code = read_positional(reader, text);
        } else if (strcmp(text, "--") == 0) {
            options_end = true;
        } else if (asks_for_help(text)) {
            print_help(reader->usage);
            code = EXIT_DONE;
        } else {
            code = read_option(reader, text);
        }
    }
    return code;
}

int arguments_read(const command_usage *usage, int argc, char **argv)
{
    argument_reader reader = {.usage = usage, .argv = argv, .argc = argc, .next = 1};
    const int       code = read_all(&reader);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    const argument *next = &usage->positionals[reader.positional_count];
    if (next->name && !next->optional) {
        return output_refuse("%s is missing; see 'atemi %s --help'", next->name, usage->command);
    }
    return ARGUMENTS_READY;
}

void text_list_destroy(text_list *list)
{
    free((void *)list->items);
    *list = (text_list){0};
}
