// SPDX-License-Identifier: Apache-2.0

/// @file
/// Shipped robots with changes to their URDF, as another maker would have written them.

#pragma once

#include "atemi/robots.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

/// The text of a shipped robot; to be freed.
static inline char *altered_begin(const char *name)
{
    size_t      size;
    const char *text = atemi_robots_urdf(name, &size);
    char       *copy = (char *)calloc(size + 1, 1);
    CHECK(text && copy);
    memcpy(copy, text, size);
    return copy;
}

/// Blanks every element that begins with a text, up to its "/>".
static inline void altered_blank(char *text, const char *beginning)
{
    for (char *at = strstr(text, beginning); at; at = strstr(at, beginning)) {
        char *end = strstr(at, "/>") + 2;
        memset(at, ' ', (size_t)(end - at));
    }
}

/// Puts another word of the same length in the place of every one after a beginning.
static inline void altered_replace(char *text, const char *after, const char *old, const char *word)
{
    char *from = strstr(text, after);
    CHECK(from && strlen(old) == strlen(word));
    for (char *at = strstr(from, old); at; at = strstr(at, old)) {
        memcpy(at, word, strlen(word));
    }
}

/// Makes a revolute joint fixed, which no posture may name.
static inline void altered_fix(char *text, const char *joint)
{
    altered_blank(text, "<atemi:posture");
    char *name = strstr(text, joint);
    char *type = name ? strstr(name, "type=\"revolute\"") : NULL;
    CHECK(type != NULL);
    if (type) {
        memcpy(type, "type=\"fixed\"   ", strlen("type=\"revolute\""));
    }
}

/// The robot; the text is freed.
static inline atemi_model *altered_load(char *text)
{
    atemi_model       *model = NULL;
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_error        error;
    options.model.base = ATEMI_BASE_FLOATING;
    const atemi_status status =
        atemi_urdf_parse(text, strlen(text), NULL, &options, &model, &error);
    CHECK_STATUS(status, ATEMI_OK);
    free(text);
    return model;
}
