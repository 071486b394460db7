// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"

#include "atemi/contract.h"
#include "io/embedded.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_GUESS = 64, LARGEST_SLIP = 2, NAMES_SIZE = 512 };

static const struct atemi_embedded_file *find(const char *name)
{
    for (int i = 0; i < atemi_embedded_robots_count; ++i) {
        if (strcmp(atemi_embedded_robots[i].name, name) == 0) {
            return &atemi_embedded_robots[i];
        }
    }
    return NULL;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// How many letters must be added, dropped or changed to make `a` into `b` [Levenshtein66].
static int edit_distance(const char *a, const char *b)
{
    const int length = (int)strlen(b);
    int       distance[LONGEST_GUESS + 1];
    for (int j = 0; j <= length; ++j) {
        distance[j] = j;
    }
    for (int i = 0; a[i]; ++i) {
        int diagonal = distance[0];
        distance[0] = i + 1;
        for (int j = 0; j < length; ++j) {
            const int above = distance[j + 1];
            distance[j + 1] = least(least(above, distance[j]) + 1, diagonal + (a[i] != b[j]));
            diagonal = above;
        }
    }
    return distance[length];
}

// The name that was probably meant, or NULL.
static const char *guess(const char *name)
{
    const char *closest = NULL;
    int         distance = LARGEST_SLIP + 1;
    for (int i = 0; i < atemi_embedded_robots_count && strlen(name) <= LONGEST_GUESS; ++i) {
        const char *candidate = atemi_embedded_robots[i].name;
        const int   apart =
            strlen(candidate) <= LONGEST_GUESS ? edit_distance(name, candidate) : LARGEST_SLIP + 1;
        if (apart < distance) {
            distance = apart;
            closest = candidate;
        }
    }
    return closest;
}

static void list_names(char names[NAMES_SIZE])
{
    int length = 0;
    names[0] = '\0';
    for (int i = 0; i < atemi_embedded_robots_count && length < NAMES_SIZE; ++i) {
        length += snprintf(names + length, (size_t)(NAMES_SIZE - length), "%s%s", i ? ", " : "",
                           atemi_embedded_robots[i].name);
    }
}

static atemi_status fail_unknown(const char *name, atemi_error *error)
{
    char        names[NAMES_SIZE];
    const char *meant = guess(name);
    list_names(names);
    return atemi_fail(
        error, ATEMI_ERROR_NOT_FOUND, "no robot named '%.64s' is shipped%s%s%s; there are: %s",
        name, meant ? " (did you mean '" : "", meant ? meant : "", meant ? "'?)" : "", names);
}

int atemi_robots_count(void)
{
    return atemi_embedded_robots_count;
}

const char *atemi_robots_name(int index)
{
    ATEMI_REQUIRE_OR(index >= 0 && index < atemi_embedded_robots_count, NULL);
    return atemi_embedded_robots[index].name;
}

const char *atemi_robots_urdf(const char *name, size_t *size)
{
    ATEMI_REQUIRE_OR(name && size, NULL);
    const struct atemi_embedded_file *file = find(name);
    *size = file ? file->size : 0;
    return file ? file->data : NULL;
}

atemi_status atemi_robots_load(const char *name, const atemi_urdf_options *options,
                               atemi_model **model, atemi_error *error)
{
    ATEMI_REQUIRE_OR(name && model, ATEMI_ERROR_CONTRACT);
    *model = NULL;
    const struct atemi_embedded_file *file = find(name);
    if (!file) {
        return fail_unknown(name, error);
    }
    char file_name[LONGEST_GUESS + 8];
    snprintf(file_name, sizeof file_name, "%.64s.urdf", file->name);
    return atemi_urdf_parse(file->data, file->size, file_name, options, model, error);
}
