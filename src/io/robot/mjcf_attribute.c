// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/number.h"
#include "io/robot/mjcf_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 60 }; ///< bytes of a file's own text that a message repeats

static atemi_status complain_of_word(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                     const char *attribute, atemi_word word,
                                     atemi_number_fault fault)
{
    const char *cause = fault == ATEMI_NUMBER_NOT_FINITE ? "is not a finite number"
                        : fault == ATEMI_NUMBER_TOO_LARGE
                            ? "is too large for a number of double precision"
                            : "is not a number";
    return atemi_mjcf_complain(reader, part->element,
                               "%s: \"%.*s\" %s; give numbers such as 0 0.5 -1e-3", attribute,
                               word.length < SHOWN ? word.length : SHOWN, word.start, cause);
}

atemi_status atemi_mjcf_some_numbers(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                     const char *attribute, int most, double *values, int *found)
{
    const char *text = atemi_mjcf_value(part, attribute);
    const char *rest = text;
    int         count = 0;
    atemi_word  word;
    while (rest && atemi_word_next(&rest, &word)) {
        double                   value;
        const atemi_number_fault fault = atemi_number_parse(word, &value);
        if (fault) {
            return complain_of_word(reader, part, attribute, word, fault);
        }
        if (count == most) {
            return atemi_mjcf_complain(reader, part->element,
                                       "%s \"%.*s\" has more than %d numbers; remove the others",
                                       attribute, SHOWN, text, most);
        }
        values[count++] = value;
    }
    if (found) {
        *found = count;
    }
    return ATEMI_OK;
}

atemi_status atemi_mjcf_numbers(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                const char *attribute, int count, double *values)
{
    int                found = 0;
    const atemi_status status =
        atemi_mjcf_some_numbers(reader, part, attribute, count, values, &found);
    const char *text = atemi_mjcf_value(part, attribute);
    return !status && text && found != count
               ? atemi_mjcf_complain(reader, part->element, "%s \"%.*s\" has %d numbers; give %d",
                                     attribute, SHOWN, text, found, count)
               : status;
}

atemi_status atemi_mjcf_number(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               const char *attribute, double *value)
{
    return atemi_mjcf_numbers(reader, part, attribute, 1, value);
}

atemi_status atemi_mjcf_size(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             const char *attribute, double *value)
{
    const atemi_status status = atemi_mjcf_number(reader, part, attribute, value);
    return !status && *value < 0.0
               ? atemi_mjcf_complain(reader, part->element, "%s %g is negative; give 0 or more",
                                     attribute, *value)
               : status;
}

atemi_status atemi_mjcf_vector(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               const char *attribute, atemi_vec3 *value)
{
    double             x[3] = {value->x, value->y, value->z};
    const atemi_status status = atemi_mjcf_numbers(reader, part, attribute, 3, x);
    *value = (atemi_vec3){x[0], x[1], x[2]};
    return status;
}

atemi_status atemi_mjcf_choice(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               const char *attribute, const char *const *words, int *index)
{
    const char *text = atemi_mjcf_value(part, attribute);
    char        list[160] = ""; // our own words, which fit
    int         length = 0;
    for (int i = 0; text && words[i]; ++i) {
        if (strcmp(text, words[i]) == 0) {
            *index = i;
            return ATEMI_OK;
        }
        length +=
            snprintf(list + length, sizeof list - (size_t)length, "%s%s", i ? ", " : "", words[i]);
    }
    return text ? atemi_mjcf_complain(reader, part->element,
                                      "%s \"%.*s\" is unknown; give one of %s", attribute, SHOWN,
                                      text, list)
                : ATEMI_OK;
}

atemi_status atemi_mjcf_read_switch(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                    const char *attribute, bool has_auto, atemi_mjcf_switch *value)
{
    static const char *const both[] = {"false", "true", NULL};
    static const char *const three[] = {"false", "true", "auto", NULL};
    int                      index = (int)*value;
    const atemi_status       status =
        atemi_mjcf_choice(reader, part, attribute, has_auto ? three : both, &index);
    *value = (atemi_mjcf_switch)index;
    return status;
}

atemi_status atemi_mjcf_flag(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             const char *attribute, bool *value)
{
    atemi_mjcf_switch  flag = *value ? ATEMI_MJCF_TRUE : ATEMI_MJCF_FALSE;
    const atemi_status status = atemi_mjcf_read_switch(reader, part, attribute, false, &flag);
    *value = flag == ATEMI_MJCF_TRUE;
    return status;
}

atemi_status atemi_mjcf_range(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                              const char *attribute, const char *switch_attribute, bool *limited,
                              double range[2])
{
    atemi_mjcf_switch asked = ATEMI_MJCF_AUTO;
    const bool        has_range = atemi_mjcf_value(part, attribute) != NULL;
    atemi_status      status = atemi_mjcf_numbers(reader, part, attribute, 2, range);
    if (!status) {
        status = atemi_mjcf_read_switch(reader, part, switch_attribute, true, &asked);
    }
    if (!status && has_range && asked == ATEMI_MJCF_AUTO && !reader->settings.autolimits) {
        status = atemi_mjcf_complain(reader, part->element,
                                     "%s without %s, and the compiler has autolimits=\"false\"; "
                                     "write %s=\"true\" or \"false\"",
                                     attribute, switch_attribute, switch_attribute);
    }
    *limited = asked == ATEMI_MJCF_TRUE || (asked == ATEMI_MJCF_AUTO && has_range);
    if (!status && *limited && !(range[0] < range[1])) {
        status = atemi_mjcf_complain(reader, part->element,
                                     "%s %g %g is not a range; give the lower number first",
                                     attribute, range[0], range[1]);
    }
    return status;
}

atemi_status atemi_mjcf_color(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                              double color[4])
{
    const atemi_status status = atemi_mjcf_numbers(reader, part, "rgba", 4, color);
    for (int i = 0; i < 4; ++i) {
        color[i] = fmin(fmax(color[i], 0.0), 1.0);
    }
    return status;
}

// ---- Names

atemi_status atemi_mjcf_copy(const atemi_mjcf_reader *reader, const char *text, const char **copy)
{
    *copy = atemi_string_pool_copy(&reader->document->strings, text);
    return *copy ? ATEMI_OK : atemi_mjcf_no_memory(reader);
}

// Postures of a URDF list joints separated by white space, so names have none.
static atemi_status copy_name(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                              const char *own, const char **name)
{
    char         text[ATEMI_MAX_NAME + 1];
    const size_t length = strlen(own);
    atemi_status status = ATEMI_OK;
    if (length > ATEMI_MAX_NAME) {
        return atemi_mjcf_complain(reader, element,
                                   "the name is longer than %d bytes; give a shorter one",
                                   ATEMI_MAX_NAME);
    }
    memcpy(text, own, length + 1);
    for (char *at = strpbrk(text, " \t\r\n"); at && !status; at = strpbrk(at, " \t\r\n")) {
        *at = '_';
        status = atemi_mjcf_note_loss(reader, element, "white space in a name becomes '_'");
    }
    return status ? status : atemi_mjcf_copy(reader, text, name);
}

atemi_status atemi_mjcf_name(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                             const char *stem, const char **name)
{
    const char *own = atemi_mjcf_own(element, "name");
    if (own && own[0]) {
        return copy_name(reader, element, own, name);
    }
    char made[64]; // our own stems, which fit
    snprintf(made, sizeof made, "unnamed_%s_%d", stem, ++reader->unnamed_count);
    return atemi_mjcf_copy(reader, made, name);
}
