// SPDX-License-Identifier: Apache-2.0

#include "atemi/allocator.h"
#include "io/robot/mjcf_reader.h"

#include <math.h>
#include <string.h>

// <equality>: two joints with q1 - ref1 = c0 + c1 (q2 - ref2) are a mimic joint,
//
//   q1 = c1 q2 + (ref1 + c0 - c1 ref2)
//
// What is not linear, welds bodies or connects them (a loop) is not part of the model.

static double ref_of(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_mjcf_part part;
    double          ref = 0.0;
    const bool      read = !atemi_mjcf_part_of(reader, element, ATEMI_MJCF_JOINT, &part) &&
                      !atemi_mjcf_number(reader, &part, "ref", &ref); // it was read once before
    const char *type = read ? atemi_mjcf_value(&part, "type") : NULL;
    return type && strcmp(type, "slide") == 0 ? ref : ref * reader->settings.angle;
}

// The joint of that name with one coordinate, or NULL.
static atemi_mjcf_element *find_joint(const atemi_mjcf_reader *reader, const atemi_name *names,
                                      const char *name)
{
    const int           index = atemi_names_find(names, reader->joint_count, name);
    atemi_mjcf_element *joint = index == ATEMI_NONE ? NULL : reader->joints[index];
    if (!joint || joint->joint == ATEMI_NONE) {
        return NULL;
    }
    const atemi_joint_description *described = &reader->document->joints[joint->joint];
    const bool                     single =
        strcmp(described->name, name) == 0 && described->type != ATEMI_JOINT_FLOATING;
    return single ? joint : NULL;
}

static atemi_status couple(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                           const atemi_name *names, const double c[5])
{
    const char         *first = atemi_mjcf_value(part, "joint1");
    const char         *second = atemi_mjcf_value(part, "joint2");
    atemi_mjcf_element *copy = first ? find_joint(reader, names, first) : NULL;
    atemi_mjcf_element *source = second ? find_joint(reader, names, second) : NULL;
    if (!copy || (second && !source)) {
        const char *missing = copy ? second : first;
        return atemi_mjcf_complain(reader, part->element,
                                   "%s%.60s%s; name two joints with one coordinate each",
                                   missing ? "'" : "joint1 is missing", missing ? missing : "",
                                   missing ? "' is no joint with one coordinate" : "");
    }
    atemi_joint_description *joint = &reader->document->joints[copy->joint];
    if (!source || c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0 || joint->mimic) {
        return atemi_mjcf_note_loss(reader, part->element,
                                    "joints that are held in place, coupled twice, or by a "
                                    "polynomial that is not linear are no mimic joints; the "
                                    "coupling is left out");
    }
    joint->mimic = reader->document->joints[source->joint].name;
    joint->mimic_multiplier = c[1];
    joint->mimic_offset = ref_of(reader, copy) + c[0] - c[1] * ref_of(reader, source);
    return ATEMI_OK;
}

static atemi_status read_equality(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  const atemi_name *names)
{
    atemi_mjcf_part part;
    double          c[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    bool            active = true;
    if (!atemi_mjcf_is_named(element, "joint")) {
        return atemi_mjcf_note_unused(reader, element, NULL);
    }
    atemi_status status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_EQUALITY, &part);
    if (!status) {
        status = atemi_mjcf_flag(reader, &part, "active", &active);
    }
    if (!status) {
        status = atemi_mjcf_some_numbers(reader, &part, "polycoef", 5, c, NULL);
    }
    if (!status && !active) {
        return atemi_mjcf_note_loss(reader, element, "an equality that is not active is left out");
    }
    return status ? status : couple(reader, &part, names, c);
}

static atemi_status read_all(atemi_mjcf_reader *reader, const atemi_name *names)
{
    const atemi_mjcf_element *root = reader->tree->root;
    atemi_status              status = ATEMI_OK;
    for (const atemi_mjcf_element *section = root->first; section; section = section->next) {
        const bool                is_equality = atemi_mjcf_is_named(section, "equality");
        const atemi_mjcf_element *at = is_equality ? section->first : NULL;
        for (; at && !status; at = at->next) {
            status = read_equality(reader, at, names);
        }
    }
    return status;
}

atemi_status atemi_mjcf_read_equalities(atemi_mjcf_reader *reader)
{
    const int   count = reader->joint_count;
    atemi_name *names = (atemi_name *)atemi_allocate(((size_t)count + 1) * sizeof *names);
    if (!names) {
        return atemi_mjcf_no_memory(reader);
    }
    for (int i = 0; i < count; ++i) {
        const char *name = atemi_mjcf_own(reader->joints[i], "name");
        names[i] = (atemi_name){name ? name : "", i};
    }
    atemi_names_sort(names, count);
    const atemi_status status = read_all(reader, names);
    atemi_release(names);
    return status;
}
