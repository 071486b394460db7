// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // strdup
#endif

#include "json_output.h"

#include "output.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, LEAST_DIGITS = 15, MAX_DIGITS = 17 };

// jansson itself prints either everything on one line or every number on a line of its own, and
// takes memory for it. Printing here is for reading, and cannot fail but by stdout.

static void print_value(const json_t *value, int indent);

static void print_string(const char *text)
{
    putchar('"');
    for (const char *c = text; *c; ++c) {
        if ((unsigned char)*c < ' ') {
            printf("\\u%04x", (unsigned)*c);
            continue;
        }
        if (*c == '"' || *c == '\\') {
            putchar('\\');
        }
        putchar(*c);
    }
    putchar('"');
}

// With as many digits as the number needs to be read back without loss, and always as a real one.
static void print_real(double x)
{
    char text[64];
    int  digits = LEAST_DIGITS - 1;
    do {
        ++digits;
        snprintf(text, sizeof text, "%.*g", digits, x);
    } while (digits < MAX_DIGITS && strtod(text, NULL) != x);
    fputs(text, stdout);
    fputs(strpbrk(text, ".e") ? "" : ".0", stdout);
}

static void print_scalar(const json_t *value)
{
    if (json_is_string(value)) {
        print_string(json_string_value(value));
    } else if (json_is_real(value)) {
        print_real(json_real_value(value));
    } else if (json_is_integer(value)) {
        printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "true" : "false", stdout);
    } else {
        fputs("null", stdout);
    }
}

static bool is_container(const json_t *value)
{
    return json_is_object(value) || json_is_array(value);
}

static bool has_containers(const json_t *array)
{
    size_t  index;
    json_t *item;
    json_array_foreach(array, index, item)
    {
        if (is_container(item)) {
            return true;
        }
    }
    return false;
}

// The comma after the item before, and where the next item stands.
static void begin_item(bool first, bool own_line, int indent)
{
    fputs(first ? "" : ",", stdout);
    if (own_line) {
        printf("\n%*s", indent, "");
    } else {
        fputs(first ? "" : " ", stdout);
    }
}

static void end_items(bool own_line, int indent, char bracket)
{
    if (own_line) {
        printf("\n%*s", indent, "");
    }
    putchar(bracket);
}

static void print_array(const json_t *array, int indent)
{
    const bool own_line = has_containers(array);
    size_t     index;
    json_t    *item;
    putchar('[');
    json_array_foreach(array, index, item)
    {
        begin_item(index == 0, own_line, indent + INDENT);
        print_value(item, indent + INDENT);
    }
    end_items(own_line, indent, ']');
}

static void print_object(json_t *object, int indent)
{
    const bool  own_line = json_object_size(object) > 0;
    bool        first = true;
    const char *key;
    json_t     *value;
    putchar('{');
    json_object_foreach(object, key, value)
    {
        begin_item(first, own_line, indent + INDENT);
        print_string(key);
        fputs(": ", stdout);
        print_value(value, indent + INDENT);
        first = false;
    }
    end_items(own_line, indent, '}');
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as our own formats nest
static void print_value(const json_t *value, int indent)
{
    if (json_is_object(value)) {
        print_object((json_t *)value, indent);
    } else if (json_is_array(value)) {
        print_array(value, indent);
    } else {
        print_scalar(value);
    }
}

int json_print(json_t *root, int code)
{
    if (!root) {
        return output_fail("no memory for the answer");
    }
    print_value(root, 0);
    putchar('\n');
    json_decref(root);
    return code;
}

json_t *json_with_item(json_t *array, json_t *item)
{
    if (array && json_array_append_new(array, item) == 0) {
        return array;
    }
    if (!array) {
        json_decref(item);
    }
    json_decref(array);
    return NULL;
}

json_t *json_with_key(json_t *object, const char *key, json_t *value)
{
    if (object && json_object_set_new(object, key, value) == 0) {
        return object;
    }
    if (!object) {
        json_decref(value);
    }
    json_decref(object);
    return NULL;
}

json_t *json_from_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_from_numbers(int count, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < count && array; ++i) {
        array = json_with_item(array, json_from_number(x[i]));
    }
    return array;
}

json_t *json_from_matrix(int rows, int columns, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < rows && array; ++i) {
        array = json_with_item(array, json_from_numbers(columns, x + (ptrdiff_t)i * columns));
    }
    return array;
}

json_t *json_from_text(const char *text)
{
    json_t *value = json_string(text);
    char   *copy = value ? NULL : strdup(text);
    for (char *c = copy; c && *c; ++c) {
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    }
    if (copy) {
        value = json_string(copy);
        free(copy);
    }
    return value;
}

json_t *json_from_vec3(atemi_vec3 x)
{
    const double entries[3] = {x.x, x.y, x.z};
    return json_from_numbers(3, entries);
}

json_t *json_from_motion(atemi_motion m)
{
    const double entries[6] = {m.linear.x,  m.linear.y,  m.linear.z,
                               m.angular.x, m.angular.y, m.angular.z};
    return json_from_numbers(6, entries);
}

json_t *json_from_force(atemi_force f)
{
    const atemi_motion same_shape = {f.linear, f.angular};
    return json_from_motion(same_shape);
}

json_t *json_from_rotation(const atemi_mat3 *R)
{
    const double entries[9] = {R->x.x, R->y.x, R->z.x, R->x.y, R->y.y,
                               R->z.y, R->x.z, R->y.z, R->z.z};
    return json_from_matrix(3, 3, entries);
}

json_t *json_from_symmetric3(const atemi_symmetric3 *S)
{
    const double entries[9] = {S->xx, S->xy, S->xz, S->xy, S->yy, S->yz, S->xz, S->yz, S->zz};
    return json_from_matrix(3, 3, entries);
}
