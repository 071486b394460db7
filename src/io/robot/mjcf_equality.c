// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include <string.h>

// <equality>: two joints with q1 - ref1 = c0 + c1 (q2 - ref2) are a mimic joint,
//
//   q1 = c1 q2 + (ref1 + c0 - c1 ref2)
//
// Connected and welded bodies are closed loops (mjcf_loop.c). What is not linear is not part of the
// model.

static double ref_of(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_mjcf_part part;
    double          ref = 0.0;
    const bool      read = !atemi_mjcf_part_of(reader, element, ATEMI_MJCF_JOINT, &part) &&
                      !atemi_mjcf_number(reader, &part, "ref", &ref); // it was read once before
    const char *type = read ? atemi_mjcf_value(&part, "type") : NULL;
    return type && strcmp(type, "slide") == 0 ? ref : ref * reader->settings.angle;
}

static atemi_status couple(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                           const double c[5])
{
    const char *names[] = {atemi_mjcf_value(part, "joint1"), atemi_mjcf_value(part, "joint2")};
    const atemi_mjcf_element *elements[] = {NULL, NULL};
    int                       joints[] = {ATEMI_NONE, ATEMI_NONE};
    for (int i = 0; i < 2; ++i) {
        joints[i] = names[i] ? atemi_mjcf_find_joint(reader, names[i], &elements[i]) : ATEMI_NONE;
        if (joints[i] == ATEMI_NONE && (i == 0 || names[i])) {
            return atemi_mjcf_complain(reader, part->element,
                                       "joint%d %s%.60s%s; name a joint with one coordinate", i + 1,
                                       names[i] ? "'" : "is missing", names[i] ? names[i] : "",
                                       names[i] ? "' is no joint with one coordinate" : "");
        }
    }
    atemi_joint_description *joint = &reader->document->joints[joints[0]];
    if (!names[1] || c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0 || joint->mimic) {
        return atemi_mjcf_note_loss(reader, part->element,
                                    "joints that are held in place, coupled twice, or by a "
                                    "polynomial that is not linear are no mimic joints; the "
                                    "coupling is left out");
    }
    joint->mimic = reader->document->joints[joints[1]].name;
    joint->mimic_multiplier = c[1];
    joint->mimic_offset = ref_of(reader, elements[0]) + c[0] - c[1] * ref_of(reader, elements[1]);
    return ATEMI_OK;
}

static atemi_status read_equality(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_mjcf_part part;
    double          c[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    bool            active = true;
    const bool      loop =
        atemi_mjcf_is_named(element, "connect") || atemi_mjcf_is_named(element, "weld");
    if (!loop && !atemi_mjcf_is_named(element, "joint")) {
        return atemi_mjcf_note_unused(reader, element, NULL);
    }
    atemi_status status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_EQUALITY, &part);
    if (!status) {
        status = atemi_mjcf_flag(reader, &part, "active", &active);
    }
    if (!status && !loop) {
        status = atemi_mjcf_some_numbers(reader, &part, "polycoef", 5, c, NULL);
    }
    if (!status && !active) {
        return atemi_mjcf_note_loss(reader, element, "an equality that is not active is left out");
    }
    if (!status && loop) {
        return atemi_mjcf_read_loop(reader, &part);
    }
    return status ? status : couple(reader, &part, c);
}

atemi_status atemi_mjcf_read_equalities(atemi_mjcf_reader *reader)
{
    const atemi_mjcf_element *root = reader->tree->root;
    atemi_status              status = ATEMI_OK;
    for (const atemi_mjcf_element *section = root->first; section; section = section->next) {
        const bool                is_equality = atemi_mjcf_is_named(section, "equality");
        const atemi_mjcf_element *at = is_equality ? section->first : NULL;
        for (; at && !status; at = at->next) {
            status = read_equality(reader, at);
        }
    }
    return status;
}
