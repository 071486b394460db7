// SPDX-License-Identifier: Apache-2.0

#include "json_place.h"

#include "atemi/model.h"

#include <stdbool.h>
#include <string.h>

// Where the reading stands. The text is valid JSON: what it must contain is not checked again, only
// its end.
typedef struct cursor {
    const char *at, *end;
    int         line;
} cursor;

static bool is_at(const cursor *c, const char *characters)
{
    return c->at < c->end && *c->at != '\0' && strchr(characters, *c->at) != NULL;
}

static void step(cursor *c)
{
    c->line += is_at(c, "\n");
    c->at += c->at < c->end;
}

static void skip_all_of(cursor *c, const char *characters)
{
    while (is_at(c, characters)) {
        step(c);
    }
}

static void skip_space(cursor *c)
{
    skip_all_of(c, " \t\r\n");
}

// From the quote that begins a string to behind the one that ends it.
static void skip_string(cursor *c)
{
    for (step(c); c->at < c->end && !is_at(c, "\""); step(c)) {
        if (is_at(c, "\\")) {
            step(c);
        }
    }
    step(c);
}

static void skip_token(cursor *c)
{
    if (is_at(c, "\"")) {
        skip_string(c);
    } else {
        step(c);
    }
}

static void skip_value(cursor *c)
{
    int depth = 0;
    do {
        depth += is_at(c, "[{") - is_at(c, "]}");
        skip_token(c);
    } while (c->at < c->end && (depth > 0 || !is_at(c, ",]}")));
}

// From the quote of a key to its value.
static void skip_key(cursor *c)
{
    skip_string(c);
    skip_all_of(c, " \t\r\n:");
}

static bool is_key(const cursor *c, const char *key)
{
    const size_t length = strlen(key);
    return (size_t)(c->end - c->at) > length + 1 && memcmp(c->at + 1, key, length) == 0 &&
           c->at[length + 1] == '"';
}

// From a value to the next in the same array or object; false where it is the last.
static bool go_on(cursor *c)
{
    skip_value(c);
    const bool more = is_at(c, ",");
    step(c);
    skip_space(c);
    return more;
}

// From an object to the value of one of its keys, whose line is told.
static bool enter_key(cursor *c, const char *key, int *line)
{
    bool more = is_at(c, "{");
    step(c);
    skip_space(c);
    while (more && is_at(c, "\"") && !is_key(c, key)) {
        skip_key(c);
        more = go_on(c);
    }
    if (!more || !is_at(c, "\"")) {
        return false;
    }
    *line = c->line;
    skip_key(c);
    return true;
}

// From an array to one of its entries.
static void enter_entry(cursor *c, int index, int *line)
{
    bool more = is_at(c, "[");
    step(c);
    skip_space(c);
    for (int i = 0; i < index && more; ++i) {
        more = go_on(c);
    }
    if (more) {
        *line = c->line;
    }
}

int json_place_line(const char *text, size_t size, const json_place *place)
{
    cursor c = {text, text + size, 1};
    skip_space(&c);
    int  line = c.line;
    bool found = true;
    for (int i = 0; i < 2 && found && place->keys[i]; ++i) {
        found = enter_key(&c, place->keys[i], &line);
    }
    if (found && place->index != ATEMI_NONE) {
        enter_entry(&c, place->index, &line);
    }
    return line;
}
