// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/recording/recording_parts.h"

#include <math.h>
#include <string.h>

atemi_status atemi_recording_no_memory(atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the recording");
}

atemi_status atemi_recording_full(const char *what, int most, atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_LIMIT, "a recording has at most %d %s", most, what);
}

void *atemi_recording_allocate(size_t count, size_t size)
{
    void *block = atemi_allocate(count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

atemi_status atemi_recording_sort_names(atemi_name *names, int count, const char *what,
                                        atemi_error *error)
{
    atemi_names_sort(names, count);
    for (int i = 1; i < count; ++i) {
        if (strcmp(names[i - 1].text, names[i].text) == 0) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "two %s have the name '%s'; names must differ", what, names[i].text);
        }
    }
    return ATEMI_OK;
}

double atemi_recording_number(double value)
{
    return isfinite(value) ? value : (double)NAN;
}

// A copy that lives as long as the recording; of NULL, NULL.
const char *atemi_recording_keep(atemi_recording *recording, const char *text, bool *failed)
{
    const char *copy = text ? atemi_string_pool_copy(&recording->strings, text) : NULL;
    *failed |= text && !copy;
    return copy;
}

atemi_status atemi_recording_check_text(const char *text, const char *what, atemi_error *error)
{
    if (text && !atemi_text_is_utf8(text)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%s is not UTF-8 text", what);
    }
    return ATEMI_OK;
}

atemi_status atemi_recording_check_name(const char *name, const char *what, atemi_error *error)
{
    if (!name || !*name) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%s is missing", what);
    }
    return atemi_recording_check_text(name, what, error);
}

// A unit stands in brackets in the header of the table.
atemi_status atemi_recording_check_unit(const char *unit, const char *of, atemi_error *error)
{
    for (const char *c = unit; c && *c; ++c) {
        if (*c == '[' || *c == ']' || (unsigned char)*c < ' ' || *c == 0x7F) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "the unit of '%s' has a bracket or a control character", of);
        }
    }
    return atemi_recording_check_text(unit, "a unit", error);
}

const char *atemi_recording_unit(const char *unit)
{
    return unit && *unit ? unit : "-";
}
