// SPDX-License-Identifier: Apache-2.0

#include "io/recording/recording_json.h"

#include <math.h>
#include <stdio.h>

atemi_status atemi_recording_json_complain(atemi_recording_place at, const char *key,
                                           const char *wanted, atemi_error *error)
{
    if (at.index == ATEMI_NONE) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "\"%s\" in \"%s\" is not %s", key, at.part,
                          wanted);
    }
    return atemi_fail(error, ATEMI_ERROR_INPUT, "\"%s\" of entry %d of \"%s\" is not %s", key,
                      at.index + 1, at.part, wanted);
}

atemi_status atemi_recording_json_string(const json_t *object, atemi_recording_place at,
                                         const char *key, bool needed, const char **string,
                                         atemi_error *error)
{
    const json_t *value = json_object_get(object, key);
    *string = NULL;
    if (!value && !needed) {
        return ATEMI_OK;
    }
    if (!json_is_string(value)) {
        return atemi_recording_json_complain(at, key, "a string", error);
    }
    *string = json_string_value(value);
    return ATEMI_OK;
}

atemi_status atemi_recording_json_number(const json_t *object, atemi_recording_place at,
                                         const char *key, bool needed, double *number,
                                         atemi_error *error)
{
    const json_t *value = json_object_get(object, key);
    *number = (double)NAN;
    if (json_is_null(value) || (!value && !needed)) {
        return ATEMI_OK;
    }
    if (!json_is_number(value)) {
        return atemi_recording_json_complain(at, key, "a number", error);
    }
    *number = json_number_value(value);
    return ATEMI_OK;
}

static atemi_status complain_of_numbers(atemi_recording_place at, const char *key, int count,
                                        atemi_error *error)
{
    char wanted[64]; // with an int
    snprintf(wanted, sizeof wanted, "an array of %d numbers", count);
    return atemi_recording_json_complain(at, key, wanted, error);
}

atemi_status atemi_recording_json_numbers(const json_t *object, atemi_recording_place at,
                                          const char *key, int count, double *numbers,
                                          atemi_error *error)
{
    const json_t *array = json_object_get(object, key);
    if (!json_is_array(array) || json_array_size(array) != (size_t)count) {
        return complain_of_numbers(at, key, count, error);
    }
    for (int i = 0; i < count; ++i) {
        const json_t *entry = json_array_get(array, (size_t)i);
        if (!json_is_number(entry)) {
            return complain_of_numbers(at, key, count, error);
        }
        numbers[i] = json_number_value(entry);
    }
    return ATEMI_OK;
}
