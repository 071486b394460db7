// SPDX-License-Identifier: Apache-2.0

#include "io/robot/urdf_reader.h"

#include <stdint.h>
#include <string.h>

// The grammar: which elements are read, inside which others. All else is skipped with everything
// inside it, since files in the wild carry the elements of many tools.

typedef struct rule {
    atemi_urdf_level inside;
    const char      *name;
    atemi_urdf_level opens;
    bool             once; ///< of several, the first counts
    atemi_urdf_start start;
} rule;

static atemi_status start_robot(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    const char        *name = atemi_xml_attribute(element, "name");
    const atemi_status status =
        atemi_urdf_read_vector(reader, element, "atemi:gravity", &reader->document->gravity);
    reader->document->has_gravity = atemi_xml_attribute(element, "atemi:gravity") != NULL;
    reader->document->place = element->place;
    if (status) {
        return status;
    }
    if (!name || !name[0]) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_ROBOT_WITHOUT_NAME, NULL,
                                 element->place);
        reader->document->robot = "unnamed";
        return ATEMI_OK;
    }
    return atemi_urdf_read_name(reader, element, "name", &reader->document->robot);
}

static atemi_status start_nothing(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    (void)reader;
    (void)element;
    return ATEMI_OK;
}

static const rule rules[] = {
    {ATEMI_URDF_OUTSIDE, "robot", ATEMI_URDF_IN_ROBOT, false, start_robot},

    {ATEMI_URDF_IN_ROBOT, "link", ATEMI_URDF_IN_LINK, false, atemi_urdf_start_link},
    {ATEMI_URDF_IN_ROBOT, "joint", ATEMI_URDF_IN_JOINT, false, atemi_urdf_start_joint},
    {ATEMI_URDF_IN_ROBOT, "material", ATEMI_URDF_IN_MATERIAL, false, atemi_urdf_start_material},
    {ATEMI_URDF_IN_ROBOT, "transmission", ATEMI_URDF_IN_TRANSMISSION, false,
     atemi_urdf_start_transmission},
    {ATEMI_URDF_IN_ROBOT, "atemi:posture", ATEMI_URDF_IN_LEAF, false, atemi_urdf_start_posture},
    {ATEMI_URDF_IN_ROBOT, "atemi:apart", ATEMI_URDF_IN_LEAF, false, atemi_urdf_start_apart},

    {ATEMI_URDF_IN_LINK, "inertial", ATEMI_URDF_IN_INERTIAL, true, atemi_urdf_start_inertial},
    {ATEMI_URDF_IN_LINK, "visual", ATEMI_URDF_IN_SHAPE, false, atemi_urdf_start_visual},
    {ATEMI_URDF_IN_LINK, "collision", ATEMI_URDF_IN_SHAPE, false, atemi_urdf_start_collision},
    {ATEMI_URDF_IN_LINK, "atemi:site", ATEMI_URDF_IN_LEAF, false, atemi_urdf_start_site},

    {ATEMI_URDF_IN_INERTIAL, "origin", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_inertial_origin},
    {ATEMI_URDF_IN_INERTIAL, "mass", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_mass},
    {ATEMI_URDF_IN_INERTIAL, "inertia", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_inertia},

    {ATEMI_URDF_IN_SHAPE, "origin", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_shape_origin},
    {ATEMI_URDF_IN_SHAPE, "geometry", ATEMI_URDF_IN_GEOMETRY, true, start_nothing},
    {ATEMI_URDF_IN_SHAPE, "material", ATEMI_URDF_IN_MATERIAL, true, atemi_urdf_start_material},
    {ATEMI_URDF_IN_GEOMETRY, "box", ATEMI_URDF_IN_LEAF, false, atemi_urdf_start_box},
    {ATEMI_URDF_IN_GEOMETRY, "cylinder", ATEMI_URDF_IN_LEAF, false, atemi_urdf_start_cylinder},
    {ATEMI_URDF_IN_GEOMETRY, "sphere", ATEMI_URDF_IN_LEAF, false, atemi_urdf_start_sphere},
    {ATEMI_URDF_IN_GEOMETRY, "capsule", ATEMI_URDF_IN_LEAF, false, atemi_urdf_start_capsule},
    {ATEMI_URDF_IN_GEOMETRY, "mesh", ATEMI_URDF_IN_LEAF, false, atemi_urdf_start_mesh},
    {ATEMI_URDF_IN_MATERIAL, "color", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_color},

    {ATEMI_URDF_IN_JOINT, "parent", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_parent},
    {ATEMI_URDF_IN_JOINT, "child", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_child},
    {ATEMI_URDF_IN_JOINT, "origin", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_joint_origin},
    {ATEMI_URDF_IN_JOINT, "axis", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_axis},
    {ATEMI_URDF_IN_JOINT, "limit", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_limit},
    {ATEMI_URDF_IN_JOINT, "dynamics", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_dynamics},
    {ATEMI_URDF_IN_JOINT, "mimic", ATEMI_URDF_IN_LEAF, true, atemi_urdf_start_mimic},

    {ATEMI_URDF_IN_TRANSMISSION, "joint", ATEMI_URDF_IN_LEAF, false,
     atemi_urdf_start_transmission_joint},
    {ATEMI_URDF_IN_TRANSMISSION, "actuator", ATEMI_URDF_IN_ACTUATOR, false,
     atemi_urdf_start_actuator},
    {ATEMI_URDF_IN_ACTUATOR, "drake:rotor_inertia", ATEMI_URDF_IN_LEAF, true,
     atemi_urdf_start_rotor_inertia},
    {ATEMI_URDF_IN_ACTUATOR, "drake:gear_ratio", ATEMI_URDF_IN_LEAF, true,
     atemi_urdf_start_gear_ratio},
};

enum { RULE_COUNT = sizeof rules / sizeof rules[0], MAX_UNKNOWN = 300000 };

_Static_assert(RULE_COUNT <= 8 * sizeof(uint64_t), "one bit of `seen` for every rule");

static int find_rule(atemi_urdf_level inside, const char *name)
{
    for (int i = 0; i < RULE_COUNT; ++i) {
        if (rules[i].inside == inside && strcmp(rules[i].name, name) == 0) {
            return i;
        }
    }
    return ATEMI_NONE;
}

// Every new name costs memory and time in expat, so those that URDF does not have are limited.
static bool is_known_attribute(const char *name)
{
    static const char *const known[] = {
        "name",         "type",          "link",    "joint",    "value",
        "xyz",          "rpy",           "ixx",     "ixy",      "ixz",
        "iyy",          "iyz",           "izz",     "lower",    "upper",
        "effort",       "velocity",      "damping", "size",     "radius",
        "length",       "friction",      "scale",   "filename", "multiplier",
        "offset",       "rgba",          "joints",  "armature", "rising",
        "falling",      "atemi:gravity", "first",   "second",   "servo_stiffness",
        "servo_damping"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (known[i][0] == name[0] && strcmp(known[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static atemi_status count_unknown(atemi_urdf_reader *reader, const atemi_xml_element *element,
                                  bool unknown_element)
{
    reader->unknown_count += unknown_element;
    for (const char **at = element->attributes; *at; at += 2) {
        reader->unknown_count += !is_known_attribute(at[0]);
    }
    if (reader->unknown_count <= MAX_UNKNOWN) {
        return ATEMI_OK;
    }
    atemi_fail(reader->error, ATEMI_ERROR_LIMIT,
               "more than %d elements and attributes that URDF does not have; check that this is "
               "the right file",
               MAX_UNKNOWN);
    atemi_error_locate(reader->error, reader->file, element->place.line, element->place.column);
    return ATEMI_ERROR_LIMIT;
}

static atemi_status complain_of_root(const atemi_urdf_reader *reader,
                                     const atemi_xml_element *element)
{
    const bool  sdf = strcmp(element->name, "sdf") == 0;
    const char *cure = sdf ? " (this is SDFormat); give the URDF or MJCF that it was made from, or "
                             "convert it, for example with the library sdformat_urdf of ROS 2"
                           : "; convert the file, or give another";
    return atemi_urdf_complain(reader, element,
                               "the outermost element of a URDF is <robot>, not this%s", cure);
}

static atemi_status complain_of_template(const atemi_urdf_reader *reader,
                                         const atemi_xml_element *element)
{
    return atemi_urdf_complain(reader, element,
                               "this is a template; convert it to URDF with: xacro FILE > "
                               "robot.urdf");
}

// Elements of no interest, with all that is inside them.
static atemi_status skip(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    const atemi_urdf_level level = reader->levels[reader->depth];
    if (level == ATEMI_URDF_OUTSIDE) {
        return complain_of_root(reader, element);
    }
    if (level != ATEMI_URDF_IN_LEAF && strncmp(element->name, "xacro:", 6) == 0) {
        return complain_of_template(reader, element);
    }
    ++reader->skipped;
    return count_unknown(reader, element, true);
}

static bool is_repeated(atemi_urdf_reader *reader, const atemi_xml_element *element, int index)
{
    uint64_t      *seen = &reader->seen[reader->depth];
    const uint64_t bit = (uint64_t)1 << index;
    const bool     repeated = rules[index].once && (*seen & bit);
    *seen |= bit;
    if (repeated) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_REPEATED_ELEMENT, reader->owner_name,
                                 element->place);
    }
    return repeated;
}

static atemi_status on_start(void *context, const atemi_xml_element *element)
{
    atemi_urdf_reader *reader = (atemi_urdf_reader *)context;
    if (reader->skipped) {
        ++reader->skipped;
        return count_unknown(reader, element, true);
    }
    const int index = find_rule(reader->levels[reader->depth], element->name);
    if (index == ATEMI_NONE || is_repeated(reader, element, index)) {
        return skip(reader, element);
    }
    ++reader->depth;
    reader->levels[reader->depth] = rules[index].opens;
    reader->seen[reader->depth] = 0;
    const atemi_status status = count_unknown(reader, element, false);
    return status ? status : rules[index].start(reader, element);
}

static atemi_status finish(atemi_urdf_reader *reader, atemi_urdf_level level)
{
    switch (level) {
    case ATEMI_URDF_IN_LINK:
        return atemi_urdf_end_link(reader);
    case ATEMI_URDF_IN_INERTIAL:
        return atemi_urdf_end_inertial(reader);
    case ATEMI_URDF_IN_SHAPE:
        return atemi_urdf_end_shape(reader);
    case ATEMI_URDF_IN_MATERIAL:
        return atemi_urdf_end_material(reader);
    case ATEMI_URDF_IN_JOINT:
        return atemi_urdf_end_joint(reader);
    case ATEMI_URDF_IN_ACTUATOR:
        return atemi_urdf_end_actuator(reader);
    case ATEMI_URDF_IN_TRANSMISSION:
        return atemi_urdf_end_transmission(reader);
    default:
        return ATEMI_OK;
    }
}

static atemi_status on_end(void *context)
{
    atemi_urdf_reader *reader = (atemi_urdf_reader *)context;
    if (reader->skipped) {
        --reader->skipped;
        return ATEMI_OK;
    }
    const atemi_urdf_level level = reader->levels[reader->depth];
    --reader->depth;
    return finish(reader, level);
}

atemi_status atemi_urdf_read(const char *text, size_t size, const char *file,
                             atemi_urdf_document *document, atemi_error *error)
{
    atemi_urdf_reader reader = {.file = file, .document = document, .error = error};
    *document = (atemi_urdf_document){0};
    const atemi_xml_handler handler = {.start = on_start, .end = on_end, .context = &reader};
    return atemi_xml_read(text, size, file, &handler, error);
}
