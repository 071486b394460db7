// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/number.h"
#include "io/robot/urdf_reader.h"

#include <string.h>

// What stands beside links and joints: Drake's rotor inertia in a <transmission>,
//
//   armature = rotor_inertia gear_ratio^2,
//
// and our named postures.

atemi_status atemi_urdf_start_transmission(atemi_urdf_reader       *reader,
                                           const atemi_xml_element *element)
{
    reader->transmission = (atemi_urdf_transmission_reading){.rotor.place = element->place};
    return ATEMI_OK;
}

atemi_status atemi_urdf_start_transmission_joint(atemi_urdf_reader       *reader,
                                                 const atemi_xml_element *element)
{
    const bool first = !reader->transmission.rotor.joint;
    return first && atemi_xml_attribute(element, "name")
               ? atemi_urdf_read_name(reader, element, "name", &reader->transmission.rotor.joint)
               : ATEMI_OK;
}

atemi_status atemi_urdf_start_actuator(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    (void)element;
    reader->transmission.rotor_inertia = 0.0;
    reader->transmission.gear_ratio = 1.0;
    return ATEMI_OK;
}

atemi_status atemi_urdf_start_rotor_inertia(atemi_urdf_reader       *reader,
                                            const atemi_xml_element *element)
{
    const atemi_status status = atemi_urdf_require(reader, element, "value", "1e-4");
    return status ? status
                  : atemi_urdf_read_size(reader, element, "value", "0 or more, in kg m^2",
                                         &reader->transmission.rotor_inertia);
}

atemi_status atemi_urdf_start_gear_ratio(atemi_urdf_reader       *reader,
                                         const atemi_xml_element *element)
{
    const atemi_status status = atemi_urdf_require(reader, element, "value", "100");
    return status
               ? status
               : atemi_urdf_read_number(reader, element, "value", &reader->transmission.gear_ratio);
}

atemi_status atemi_urdf_end_actuator(atemi_urdf_reader *reader)
{
    atemi_urdf_transmission_reading *transmission = &reader->transmission;
    transmission->rotor.armature +=
        transmission->rotor_inertia * transmission->gear_ratio * transmission->gear_ratio;
    return ATEMI_OK;
}

atemi_status atemi_urdf_end_transmission(atemi_urdf_reader *reader)
{
    const atemi_urdf_rotor *rotor = &reader->transmission.rotor;
    if (rotor->armature == 0.0) {
        return ATEMI_OK;
    }
    if (!rotor->joint) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_ROTOR_WITHOUT_JOINT, NULL,
                                 rotor->place);
        return ATEMI_OK;
    }
    return atemi_urdf_check_added(reader, atemi_urdf_document_add_rotor(reader->document, rotor),
                                  "transmissions", rotor->place);
}

// Names may hold '=', numbers do not: the last one parts them.
static int find_equals_sign(atemi_word pair)
{
    int at = pair.length - 1;
    while (at > 0 && pair.start[at] != '=') {
        --at;
    }
    return at;
}

static atemi_status copy_joint_name(const atemi_urdf_reader *reader,
                                    const atemi_xml_element *element, atemi_word pair, int length,
                                    const char **name)
{
    char text[ATEMI_MAX_NAME + 1];
    if (length <= 0 || length > ATEMI_MAX_NAME) {
        const int shown = pair.length < 60 ? pair.length : 60;
        return atemi_urdf_complain(
            reader, element,
            "\"%.*s\" in joints is not a pair of a joint and its value; write "
            "joints=\"knee=0.5 hip=-0.2\"",
            shown, pair.start);
    }
    memcpy(text, pair.start, (size_t)length);
    text[length] = '\0';
    *name = atemi_string_pool_copy(&reader->document->strings, text);
    return *name ? ATEMI_OK
                 : atemi_fail(reader->error, ATEMI_ERROR_MEMORY, "no memory to read URDF");
}

static atemi_status read_coordinate(const atemi_urdf_reader *reader,
                                    const atemi_xml_element *element, atemi_word pair,
                                    atemi_posture_description *posture)
{
    const int    equals = find_equals_sign(pair);
    atemi_status status = copy_joint_name(reader, element, pair, equals, &posture->joint);
    if (status) {
        return status;
    }
    const atemi_word value = {pair.start + equals + 1, pair.length - equals - 1};
    if (atemi_number_parse(value, &posture->value)) {
        const int shown = value.length < 60 ? value.length : 60;
        return atemi_urdf_complain(reader, element,
                                   "value \"%.*s\" of joint '%.60s' is not a finite number; write "
                                   "joints=\"knee=0.5 hip=-0.2\"",
                                   shown, value.start, posture->joint);
    }
    return atemi_urdf_check_added(reader,
                                  atemi_urdf_document_add_posture(reader->document, posture),
                                  "values of postures", element->place);
}

atemi_status atemi_urdf_start_posture(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_posture_description posture = {.place = element->place};
    atemi_status status = atemi_urdf_read_name(reader, element, "name", &posture.posture);
    if (!status) {
        status = atemi_urdf_require(reader, element, "joints", "knee=0.5 hip=-0.2");
    }
    if (status) {
        return status;
    }
    const char *text = atemi_xml_attribute(element, "joints");
    atemi_word  pair;
    int         count = 0;
    while (!status && atemi_word_next(&text, &pair)) {
        status = read_coordinate(reader, element, pair, &posture);
        ++count;
    }
    return status || count > 0
               ? status
               : atemi_urdf_complain(reader, element,
                                     "joints is empty; name at least one joint, e.g. knee=0");
}

atemi_status atemi_urdf_start_apart(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_apart_description pair = {.place = element->place};
    atemi_status            status = atemi_urdf_read_name(reader, element, "first", &pair.first);
    if (!status) {
        status = atemi_urdf_read_name(reader, element, "second", &pair.second);
    }
    return status ? status
                  : atemi_urdf_check_added(reader,
                                           atemi_urdf_document_add_apart(reader->document, &pair),
                                           "pairs of links", element->place);
}
