// SPDX-License-Identifier: Apache-2.0

#include "base/message.h"
#include "io/bytes/number.h"
#include "io/robot/urdf_reader.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 64 }; ///< bytes of a file's own text that a message repeats

typedef struct shown {
    char text[SHOWN];
} shown;

// Text of the file as it may stand in a message: short, on one line, cut between characters.
static shown show(const char *text, size_t length)
{
    shown  copy;
    size_t end = length < SHOWN - 4 ? length : SHOWN - 4;
    while (end > 0 && end < length && message_byte_continues(text[end])) {
        --end;
    }
    for (size_t i = 0; i < end; ++i) {
        const unsigned char byte = (unsigned char)text[i];
        copy.text[i] = byte < 0x20U || byte == 0x7FU ? ' ' : text[i];
    }
    memcpy(copy.text + end, end < length ? "..." : "", end < length ? 4 : 1);
    return copy;
}

static shown show_all(const char *text)
{
    return show(text, strlen(text));
}

ATEMI_PRINTF(5, 0)
static atemi_status complain(const atemi_urdf_reader *reader, atemi_status status,
                             const char *element, atemi_place place, const char *format,
                             va_list arguments)
{
    char message[ATEMI_ERROR_MESSAGE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    const shown name = show_all(element);
    if (reader->owner_name) {
        const shown owner = show_all(reader->owner_name);
        atemi_fail(reader->error, status, "<%s> of %s '%s': %s", name.text, reader->owner_kind,
                   owner.text, message);
    } else {
        atemi_fail(reader->error, status, "<%s>: %s", name.text, message);
    }
    atemi_error_locate(reader->error, reader->file, place.line, place.column);
    return status;
}

atemi_status atemi_urdf_complain(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const atemi_status status =
        complain(reader, ATEMI_ERROR_INPUT, element->name, element->place, format, arguments);
    va_end(arguments);
    return status;
}

atemi_status atemi_urdf_complain_at(const atemi_urdf_reader *reader, const char *element,
                                    atemi_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const atemi_status status =
        complain(reader, ATEMI_ERROR_INPUT, element, place, format, arguments);
    va_end(arguments);
    return status;
}

static atemi_status exceed(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                           const char *format, ...) ATEMI_PRINTF(3, 4);

// A complaint that something is larger than what is read.
static atemi_status exceed(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const atemi_status status =
        complain(reader, ATEMI_ERROR_LIMIT, element->name, element->place, format, arguments);
    va_end(arguments);
    return status;
}

static atemi_status out_of_memory(const atemi_urdf_reader *reader)
{
    return atemi_fail(reader->error, ATEMI_ERROR_MEMORY, "no memory to read URDF");
}

atemi_status atemi_urdf_check_added(const atemi_urdf_reader *reader, atemi_status status,
                                    const char *parts, atemi_place place)
{
    if (status == ATEMI_ERROR_MEMORY) {
        return out_of_memory(reader);
    }
    if (status) {
        atemi_fail(
            reader->error, status,
            "more %s than the limit (%d links and joints, %d of everything else); check that this "
            "is the right file",
            parts, ATEMI_MAX_LINKS, ATEMI_URDF_MAX_PARTS);
        atemi_error_locate(reader->error, reader->file, place.line, place.column);
    }
    return status;
}

atemi_status atemi_urdf_require(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                const char *attribute, const char *example)
{
    if (atemi_xml_attribute(element, attribute)) {
        return ATEMI_OK;
    }
    return atemi_urdf_complain(reader, element, "attribute %s is missing; write %s=\"%s\"",
                               attribute, attribute, example);
}

static atemi_status complain_of_length(const atemi_urdf_reader *reader,
                                       const atemi_xml_element *element, const char *attribute,
                                       const char *text)
{
    const shown begin = show_all(text);
    return exceed(reader, element, "%s \"%s\" is longer than %d bytes; give a shorter name",
                  attribute, begin.text, ATEMI_MAX_NAME);
}

atemi_status atemi_urdf_read_name(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                  const char *attribute, const char **name)
{
    const char *text = atemi_xml_attribute(element, attribute);
    if (!text || !text[0]) {
        return atemi_urdf_complain(reader, element, "attribute %s is %s; give a name", attribute,
                                   text ? "empty" : "missing");
    }
    if (strlen(text) > ATEMI_MAX_NAME) {
        return complain_of_length(reader, element, attribute, text);
    }
    *name = atemi_string_pool_copy(&reader->document->strings, text);
    return *name ? ATEMI_OK : out_of_memory(reader);
}

static const char *number_word(int count)
{
    return count == 1 ? "number" : "numbers";
}

static atemi_status complain_of_count(const atemi_urdf_reader *reader,
                                      const atemi_xml_element *element, const char *attribute,
                                      int count, int found)
{
    const shown text = show_all(atemi_xml_attribute(element, attribute));
    return atemi_urdf_complain(reader, element, "%s \"%s\" has %d %s; give %d%s", attribute,
                               text.text, found, number_word(found), count,
                               count > 1 ? ", separated by spaces" : "");
}

static atemi_status complain_of_word(const atemi_urdf_reader *reader,
                                     const atemi_xml_element *element, const char *attribute,
                                     int count, const atemi_numbers_result *result)
{
    const shown text = show_all(atemi_xml_attribute(element, attribute));
    const shown word = show(result->word.start, (size_t)result->word.length);
    if (strstr(word.text, "${")) {
        return atemi_urdf_complain(reader, element,
                                   "%s \"%s\" is a xacro expression; convert the template to URDF "
                                   "with: xacro FILE > robot.urdf",
                                   attribute, text.text);
    }
    const char *fault = result->fault == ATEMI_NUMBER_NOT_FINITE ? "is not a finite number"
                        : result->fault == ATEMI_NUMBER_TOO_LARGE
                            ? "is too large for a number of double precision"
                            : "is not a number";
    return atemi_urdf_complain(reader, element, "%s \"%s\": \"%s\" %s; give %d %s such as %s",
                               attribute, text.text, word.text, fault, count, number_word(count),
                               count == 1   ? "0.5"
                               : count == 2 ? "0.2 0.1"
                               : count == 3 ? "0 0.5 -1e-3"
                                            : "0.5 0.5 0.5 1");
}

atemi_status atemi_urdf_read_numbers(const atemi_urdf_reader *reader,
                                     const atemi_xml_element *element, const char *attribute,
                                     int count, double *values)
{
    const char *text = atemi_xml_attribute(element, attribute);
    if (!text) {
        return ATEMI_OK;
    }
    const atemi_numbers_result result = atemi_numbers_parse(text, count, values);
    if (result.fault == ATEMI_NUMBER_MISCOUNTED) {
        return complain_of_count(reader, element, attribute, count, result.found);
    }
    return result.fault ? complain_of_word(reader, element, attribute, count, &result) : ATEMI_OK;
}

atemi_status atemi_urdf_read_vector(const atemi_urdf_reader *reader,
                                    const atemi_xml_element *element, const char *attribute,
                                    atemi_vec3 *vector)
{
    double             values[3] = {vector->x, vector->y, vector->z};
    const atemi_status status = atemi_urdf_read_numbers(reader, element, attribute, 3, values);
    *vector = (atemi_vec3){values[0], values[1], values[2]};
    return status;
}

atemi_status atemi_urdf_read_number(const atemi_urdf_reader *reader,
                                    const atemi_xml_element *element, const char *attribute,
                                    double *value)
{
    return atemi_urdf_read_numbers(reader, element, attribute, 1, value);
}

atemi_status atemi_urdf_read_size(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                  const char *attribute, const char *quantity, double *value)
{
    const atemi_status status = atemi_urdf_read_number(reader, element, attribute, value);
    if (status || *value >= 0.0) {
        return status;
    }
    const shown text = show_all(atemi_xml_attribute(element, attribute));
    return atemi_urdf_complain(reader, element, "%s \"%s\" is negative; give %s", attribute,
                               text.text, quantity);
}

atemi_status atemi_urdf_read_pose(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                  atemi_transform *pose)
{
    atemi_vec3   xyz = {0.0, 0.0, 0.0}, rpy = {0.0, 0.0, 0.0};
    atemi_status status = atemi_urdf_read_vector(reader, element, "xyz", &xyz);
    if (!status) {
        status = atemi_urdf_read_vector(reader, element, "rpy", &rpy);
    }
    *pose = (atemi_transform){atemi_mat3_from_rpy(rpy.x, rpy.y, rpy.z), xyz};
    return status;
}
