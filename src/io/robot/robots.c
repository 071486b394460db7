// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"

#include "atemi/base.h"
#include "io/bytes/embedded.h"
#include "io/syntax/suggestion.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_SIZE = 512 };

static const struct atemi_embedded_file *find(const char *name)
{
    for (int i = 0; i < atemi_embedded_robots_count; ++i) {
        if (strcmp(atemi_embedded_robots[i].name, name) == 0) {
            return &atemi_embedded_robots[i];
        }
    }
    return NULL;
}

static const char *name_at(const void *collection, int index)
{
    (void)collection;
    return atemi_embedded_robots[index].name;
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
    const char *meant = atemi_suggestion_find(name, atemi_embedded_robots_count, name_at, NULL);
    list_names(names);
    return atemi_fail(error, ATEMI_ERROR_NOT_FOUND,
                      "no robot named '%.64s' is shipped%s%s%s; there are: %s", name,
                      ATEMI_SUGGESTION_TEXT(meant), names);
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
    char file_name[80]; // 64 bytes and an ending
    snprintf(file_name, sizeof file_name, "%.64s.urdf", file->name);
    return atemi_urdf_parse(file->data, file->size, file_name, options, model, error);
}
