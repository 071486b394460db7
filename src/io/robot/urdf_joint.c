// SPDX-License-Identifier: Apache-2.0

#include "io/robot/urdf_reader.h"

#include <math.h>
#include <string.h>

// <joint> and its children.

static bool has_axis(atemi_joint_type type)
{
    return type != ATEMI_JOINT_FIXED && type != ATEMI_JOINT_FLOATING;
}

static bool has_one_coordinate(atemi_joint_type type)
{
    return type == ATEMI_JOINT_REVOLUTE || type == ATEMI_JOINT_CONTINUOUS ||
           type == ATEMI_JOINT_PRISMATIC;
}

static bool has_range(atemi_joint_type type)
{
    return type == ATEMI_JOINT_REVOLUTE || type == ATEMI_JOINT_PRISMATIC;
}

static atemi_status read_type(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                              atemi_joint_type *type)
{
    const char *text = atemi_xml_attribute(element, "type");
    for (int i = ATEMI_JOINT_FIXED; text && i <= ATEMI_JOINT_FLOATING; ++i) {
        if (strcmp(text, atemi_joint_type_text((atemi_joint_type)i)) == 0) {
            *type = (atemi_joint_type)i;
            return ATEMI_OK;
        }
    }
    return atemi_urdf_complain(reader, element,
                               "%s%.40s%s; give revolute, continuous, prismatic, fixed, floating "
                               "or planar",
                               text ? "type \"" : "attribute type is missing", text ? text : "",
                               text ? "\" is unknown" : "");
}

atemi_status atemi_urdf_start_joint(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_joint_description *joint = &reader->joint.description;
    reader->joint = (atemi_urdf_joint_reading){.description = atemi_joint_description_default()};
    joint->place = element->place;
    const atemi_status status = atemi_urdf_read_name(reader, element, "name", &joint->name);
    if (status) {
        return status;
    }
    reader->owner_kind = "joint";
    reader->owner_name = joint->name;
    return read_type(reader, element, &joint->type);
}

atemi_status atemi_urdf_start_parent(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    return atemi_urdf_read_name(reader, element, "link", &reader->joint.description.parent);
}

atemi_status atemi_urdf_start_child(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    return atemi_urdf_read_name(reader, element, "link", &reader->joint.description.child);
}

atemi_status atemi_urdf_start_joint_origin(atemi_urdf_reader       *reader,
                                           const atemi_xml_element *element)
{
    return atemi_urdf_read_pose(reader, element, &reader->joint.description.origin);
}

// Fixed joints often carry an axis of zeros, which is not used.
atemi_status atemi_urdf_start_axis(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_joint_description *joint = &reader->joint.description;
    if (!has_axis(joint->type)) {
        return ATEMI_OK;
    }
    const atemi_status status = atemi_urdf_read_vector(reader, element, "xyz", &joint->axis);
    const bool         zero = joint->axis.x == 0.0 && joint->axis.y == 0.0 && joint->axis.z == 0.0;
    return !status && zero
               ? atemi_urdf_complain(reader, element,
                                     "xyz \"%.40s\" has no direction; give one such as 0 0 1",
                                     atemi_xml_attribute(element, "xyz"))
               : status;
}

static atemi_status read_range(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                               atemi_limits *limits)
{
    if (!atemi_xml_attribute(element, "lower") && !atemi_xml_attribute(element, "upper")) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_LIMIT_WITHOUT_RANGE,
                                 reader->owner_name, element->place);
        return ATEMI_OK;
    }
    limits->lower = limits->upper = 0.0; // the standard's default for the one that is absent
    atemi_status status = atemi_urdf_read_number(reader, element, "lower", &limits->lower);
    if (!status) {
        status = atemi_urdf_read_number(reader, element, "upper", &limits->upper);
    }
    if (!status && limits->lower > limits->upper) {
        status = atemi_urdf_complain(reader, element,
                                     "lower %g is above upper %g; swap them, or correct the sign "
                                     "of one",
                                     limits->lower, limits->upper);
    }
    return status;
}

// Zero stands for "not known" in too many files to mean a joint that cannot move.
static atemi_status read_bound(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                               const char *attribute, double *bound)
{
    double             value = 0.0;
    const atemi_status status = atemi_urdf_read_number(reader, element, attribute, &value);
    if (value < 0.0) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_NEGATIVE_LIMIT, reader->owner_name,
                                 element->place);
    }
    *bound = value > 0.0 ? value : (double)INFINITY;
    return status;
}

atemi_status atemi_urdf_start_limit(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_joint_description *joint = &reader->joint.description;
    atemi_status             status = ATEMI_OK;
    reader->joint.has_limit = true;
    if (has_range(joint->type)) {
        status = read_range(reader, element, &joint->limits);
    }
    if (!status && has_one_coordinate(joint->type)) {
        status = read_bound(reader, element, "velocity", &joint->limits.velocity);
    }
    if (!status && has_one_coordinate(joint->type)) {
        status = read_bound(reader, element, "effort", &joint->limits.effort);
    }
    return status;
}

atemi_status atemi_urdf_start_dynamics(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_joint_description *joint = &reader->joint.description;
    atemi_status             status = atemi_urdf_read_size(reader, element, "damping",
                                                           "0 or more, in N m s/rad or N s/m", &joint->damping);
    if (!status) {
        status = atemi_urdf_read_size(reader, element, "friction", "0 or more, in N m or N",
                                      &joint->friction);
    }
    if (!status) {
        status = atemi_urdf_read_size(reader, element, "armature", "0 or more, in kg m^2 or kg",
                                      &joint->armature);
    }
    if (!status) {
        status = atemi_urdf_read_size(reader, element, "servo_stiffness",
                                      "0 or more, in N m/rad or N/m", &joint->servo_stiffness);
    }
    if (!status) {
        status = atemi_urdf_read_size(reader, element, "servo_damping",
                                      "0 or more, in N m s/rad or N s/m", &joint->servo_damping);
    }
    return status;
}

// Talos' fixed finger joints mimic; a joint that does not move has nothing to copy.
atemi_status atemi_urdf_start_mimic(atemi_urdf_reader *reader, const atemi_xml_element *element)
{
    atemi_joint_description *joint = &reader->joint.description;
    if (!has_one_coordinate(joint->type)) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_USELESS_MIMIC, joint->name,
                                 element->place);
        return ATEMI_OK;
    }
    atemi_status status = atemi_urdf_read_name(reader, element, "joint", &joint->mimic);
    if (!status) {
        status = atemi_urdf_read_number(reader, element, "multiplier", &joint->mimic_multiplier);
    }
    if (!status) {
        status = atemi_urdf_read_number(reader, element, "offset", &joint->mimic_offset);
    }
    return status;
}

atemi_status atemi_urdf_end_joint(atemi_urdf_reader *reader)
{
    const atemi_joint_description *joint = &reader->joint.description;
    reader->owner_name = NULL;
    if (!joint->parent || !joint->child) {
        const char *missing = joint->parent ? "child" : "parent";
        return atemi_urdf_complain_at(reader, "joint", joint->place,
                                      "joint '%.60s' has no <%s>; add <%s link=\"...\"/>",
                                      joint->name, missing, missing);
    }
    if (has_range(joint->type) && !reader->joint.has_limit) {
        atemi_urdf_document_note(reader->document, ATEMI_URDF_JOINT_WITHOUT_LIMIT, joint->name,
                                 joint->place);
    }
    return atemi_urdf_check_added(reader, atemi_urdf_document_add_joint(reader->document, joint),
                                  "joints", joint->place);
}
