// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"
#include "io/robot/mjcf_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The joints of a body. A body has its pose B in its parent, and may have several joints, each with
// an anchor p and an axis a in the body's frame, that move it one after the other:
//
//   T = B prod_j T(p_j) J(a_j, q_j - ref_j) T(-p_j)
//
// The model has one joint between two links, and the child's frame is the joint's. So all joints
// but the last get links without mass between them, the anchors go into their origins, and a fixed
// joint leads from the last anchor back to the body's frame, where they differ. J(a, q - ref) is
// J(a, -ref) J(a, q), and the first of both goes into the origin too: coordinates are MuJoCo's.

enum { MOST_NAME = 2 * ATEMI_MAX_NAME + 8 }; ///< two names and what parts them

// A chain of joints from the parent's link to the body's.
typedef struct joint_chain {
    const char     *link;   ///< the last one so far
    const char     *body;   ///< the link at its end
    atemi_transform origin; ///< from the last link to the body's frame
} joint_chain;

// ---- Links and names

static atemi_status join_names(const atemi_mjcf_reader *reader, const char *a, const char *between,
                               const char *b, const char **joined)
{
    char text[MOST_NAME];
    snprintf(text, sizeof text, "%.*s%s%.*s", ATEMI_MAX_NAME, a, between, ATEMI_MAX_NAME, b);
    return atemi_mjcf_copy(reader, text, joined);
}

static atemi_status add_massless(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                 const char *name)
{
    const atemi_link_description link = {.name = name, .place = atemi_mjcf_place(reader, element)};
    return atemi_mjcf_check_added(reader, element,
                                  atemi_urdf_document_add_link(reader->document, &link));
}

static atemi_status add_joint(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                              const atemi_joint_description *joint)
{
    return atemi_mjcf_check_added(reader, element,
                                  atemi_urdf_document_add_joint(reader->document, joint));
}

// Adds a joint behind the chain. `back` leads from its frame to the body's.
static atemi_status extend(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                           joint_chain *chain, atemi_joint_description *joint, bool last,
                           const atemi_transform *back)
{
    atemi_status status = ATEMI_OK;
    const bool   there =
        last && back->position.x == 0.0 && back->position.y == 0.0 && back->position.z == 0.0;
    joint->parent = chain->link;
    joint->child = chain->body;
    joint->place = atemi_mjcf_place(reader, element);
    if (!there) {
        status = join_names(reader, chain->body, "/", joint->name, &joint->child);
    }
    if (!status && !there) {
        status = add_massless(reader, element, joint->child);
    }
    if (!status) {
        status = add_joint(reader, element, joint);
    }
    chain->link = joint->child;
    chain->origin = *back;
    return status;
}

// ---- What a joint says

static atemi_status read_passive(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                 atemi_joint_description *joint)
{
    double       damping[4] = {0.0}, stiffness[4] = {0.0}, springdamper[2] = {0.0, 0.0};
    atemi_status status = atemi_mjcf_some_numbers(reader, part, "damping", 4, damping, NULL);
    if (!status) {
        status = atemi_mjcf_some_numbers(reader, part, "stiffness", 4, stiffness, NULL);
    }
    if (!status) {
        status = atemi_mjcf_numbers(reader, part, "springdamper", 2, springdamper);
    }
    if (!status) {
        status = atemi_mjcf_size(reader, part, "frictionloss", &joint->friction);
    }
    if (!status) {
        status = atemi_mjcf_size(reader, part, "armature", &joint->armature);
    }
    joint->damping = damping[0];
    if (!status && damping[0] < 0.0) {
        status = atemi_mjcf_complain(reader, part->element,
                                     "damping %g is negative; give 0 or more", damping[0]);
    }
    if (!status && (stiffness[0] != 0.0 || springdamper[0] != 0.0)) {
        status = atemi_mjcf_note_loss(reader, part->element,
                                      "joints of the model have no springs; stiffness, springref "
                                      "and springdamper are left out");
    }
    if (!status && (damping[1] != 0.0 || damping[2] != 0.0 || damping[3] != 0.0)) {
        status = atemi_mjcf_note_loss(reader, part->element,
                                      "of damping with several numbers only the first, linear one "
                                      "is part of the model");
    }
    return status;
}

// The limit of all actuators of the joint together.
static atemi_status read_effort(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                atemi_joint_description *joint)
{
    double             range[2] = {0.0, 0.0};
    bool               limited = false;
    const atemi_status status =
        atemi_mjcf_range(reader, part, "actuatorfrcrange", "actuatorfrclimited", &limited, range);
    if (!status && limited) {
        joint->limits.effort = fmax(fabs(range[0]), fabs(range[1]));
    }
    return status;
}

static atemi_status read_limits(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                double unit, bool *limited, atemi_joint_description *joint)
{
    double             range[2] = {0.0, 0.0};
    const atemi_status status = atemi_mjcf_range(reader, part, "range", "limited", limited, range);
    if (!status && *limited) {
        joint->limits.lower = range[0] * unit;
        joint->limits.upper = range[1] * unit;
    }
    return status ? status : read_effort(reader, part, joint);
}

// ---- Hinges and slides

static atemi_transform shifted(atemi_vec3 by)
{
    return (atemi_transform){atemi_mat3_identity(), by};
}

// J(a, -ref)
static atemi_transform moved_back(const atemi_joint_description *joint, double ref)
{
    const double size = atemi_vec3_norm(joint->axis);
    if (joint->type == ATEMI_JOINT_PRISMATIC) {
        return shifted(atemi_vec3_scale(-ref / size, joint->axis));
    }
    return (atemi_transform){
        atemi_quaternion_matrix(atemi_quaternion_exp(atemi_vec3_scale(-ref / size, joint->axis))),
        {0.0, 0.0, 0.0}};
}

static atemi_status place_single(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                 bool slides, const atemi_transform *frame,
                                 atemi_joint_description *joint, double *ref)
{
    const double unit = slides ? 1.0 : reader->settings.angle;
    bool         limited = false;
    joint->axis = (atemi_vec3){0.0, 0.0, 1.0};
    atemi_status status = atemi_mjcf_vector(reader, part, "axis", &joint->axis);
    if (!status && !(atemi_vec3_norm(joint->axis) > 1e-14)) {
        status = atemi_mjcf_complain(reader, part->element,
                                     "axis has no direction; give one such as 0 0 1");
    }
    if (!status) {
        status = atemi_mjcf_number(reader, part, "ref", ref);
    }
    if (!status) {
        status = read_limits(reader, part, unit, &limited, joint);
    }
    *ref *= unit;
    joint->axis = atemi_mat3_apply(&frame->rotation, joint->axis);
    joint->type = slides    ? ATEMI_JOINT_PRISMATIC
                  : limited ? ATEMI_JOINT_REVOLUTE
                            : ATEMI_JOINT_CONTINUOUS;
    return status;
}

static atemi_status add_single(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               joint_chain *chain, atemi_joint_description *joint,
                               atemi_vec3 anchor, double ref, bool last)
{
    const atemi_transform there = shifted(anchor), back = shifted(atemi_vec3_scale(-1.0, anchor));
    const atemi_transform turn = moved_back(joint, ref);
    joint->origin = atemi_transform_compose(&chain->origin, &there);
    joint->origin = atemi_transform_compose(&joint->origin, &turn);
    return extend(reader, part->element, chain, joint, last, &back);
}

// ---- Balls

// The model has no ball joint: three hinges about z, y, x with one anchor move the same way, and
// are singular where the second is at a right angle.
static atemi_status add_ball(atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             joint_chain *chain, const atemi_joint_description *joint,
                             atemi_vec3 anchor, bool last)
{
    static const struct {
        const char *name;
        atemi_vec3  axis;
    } hinges[] = {{"z", {0.0, 0.0, 1.0}}, {"y", {0.0, 1.0, 0.0}}, {"x", {1.0, 0.0, 0.0}}};
    const atemi_vec3 nowhere = {0.0, 0.0, 0.0};
    atemi_status     status = atemi_mjcf_note_loss(
        reader, part->element,
        "a ball joint is read as three hinges about z, y, x, with names that end in _z, _y, _x; "
            "they are singular where the second is at 90 degrees, and have no range; armature, damping "
            "and frictionloss act in each");
    for (int i = 0; i < 3 && !status; ++i) {
        atemi_joint_description hinge = *joint;
        const bool              end = i == 2;
        const atemi_transform   there = shifted(i ? nowhere : anchor);
        const atemi_transform   back = shifted(end ? atemi_vec3_scale(-1.0, anchor) : nowhere);
        hinge.type = ATEMI_JOINT_CONTINUOUS;
        hinge.axis = hinges[i].axis;
        hinge.origin = atemi_transform_compose(&chain->origin, &there);
        status = join_names(reader, joint->name, "_", hinges[i].name, &hinge.name);
        if (!status) {
            status = extend(reader, part->element, chain, &hinge, end && last, &back);
        }
    }
    return status;
}

// ---- The joints of a body

static bool is_free_joint(const atemi_mjcf_element *element)
{
    const char *type = atemi_mjcf_own(element, "type");
    return atemi_mjcf_is_named(element, "freejoint") ||
           (atemi_mjcf_is_named(element, "joint") && type && strcmp(type, "free") == 0);
}

static bool is_joint(const atemi_mjcf_element *element)
{
    return atemi_mjcf_is_named(element, "joint") || atemi_mjcf_is_named(element, "freejoint");
}

// The joint behind `at` in the body, frames included, bodies not; NULL where there is none.
static atemi_mjcf_element *next_joint(const atemi_mjcf_element *body, const atemi_mjcf_element *at)
{
    atemi_mjcf_element *next = atemi_mjcf_next(body, at, at == body);
    while (next && !is_joint(next)) {
        next = atemi_mjcf_next(body, next, atemi_mjcf_is_named(next, "frame"));
    }
    return next;
}

bool atemi_mjcf_is_free(const atemi_mjcf_element *body)
{
    const atemi_mjcf_element *first = next_joint(body, body);
    return first && is_free_joint(first);
}

static atemi_status read_joint(atemi_mjcf_reader *reader, atemi_mjcf_element *element,
                               joint_chain *chain, bool last)
{
    static const char *const types[] = {"free", "ball", "slide", "hinge", NULL};
    atemi_mjcf_part          part;
    atemi_joint_description  joint = atemi_joint_description_default();
    atemi_vec3               anchor = {0.0, 0.0, 0.0};
    double                   ref = 0.0;
    int                      type = 3;
    const atemi_transform    frame = atemi_mjcf_frame(reader, element);
    atemi_status             status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_JOINT, &part);
    if (!status) {
        status = atemi_mjcf_choice(reader, &part, "type", types, &type);
    }
    if (!status && type == 0) {
        status = atemi_mjcf_complain(reader, element,
                                     "a free joint must be the only joint of a body of the world, "
                                     "and say so itself; write <freejoint/>");
    }
    if (!status) {
        status = atemi_mjcf_name(reader, element, "joint", &joint.name);
    }
    if (!status) {
        status = atemi_mjcf_vector(reader, &part, "pos", &anchor);
    }
    if (!status) {
        status = read_passive(reader, &part, &joint);
    }
    if (!status && type != 1) {
        status = place_single(reader, &part, type == 2, &frame, &joint, &ref);
    }
    if (!status) {
        status = atemi_mjcf_count_coordinates(reader, element, type == 1 ? 4 : 1);
    }
    if (status) {
        return status;
    }
    anchor = atemi_transform_apply(&frame, anchor);
    element->joint = reader->document->joint_count;
    return type == 1 ? add_ball(reader, &part, chain, &joint, anchor, last)
                     : add_single(reader, &part, chain, &joint, anchor, ref, last);
}

// Bodies without joints, and anchors outside the body's origin.
static atemi_status close_chain(const atemi_mjcf_reader *reader, const atemi_mjcf_element *body,
                                const joint_chain *chain)
{
    atemi_joint_description joint = atemi_joint_description_default();
    if (chain->link == chain->body) {
        return ATEMI_OK;
    }
    joint.parent = chain->link;
    joint.child = chain->body;
    joint.origin = chain->origin;
    joint.place = atemi_mjcf_place(reader, body);
    const atemi_status status = join_names(reader, chain->body, "/", "fixed", &joint.name);
    return status ? status : add_joint(reader, body, &joint);
}

static atemi_status note_free_drag(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_mjcf_part         part;
    atemi_joint_description joint = atemi_joint_description_default();
    if (!atemi_mjcf_is_named(element, "joint")) {
        return atemi_mjcf_part_of(reader, element, ATEMI_MJCF_FREE, &part);
    }
    atemi_status status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_JOINT, &part);
    if (!status) {
        status = read_passive(reader, &part, &joint);
    }
    if (!status && (joint.armature > 0.0 || joint.damping > 0.0 || joint.friction > 0.0)) {
        status = atemi_mjcf_note_loss(reader, element,
                                      "a free joint of the model has no armature, damping or "
                                      "frictionloss; write <freejoint/>, which has none either");
    }
    return status;
}

static atemi_status add_free(atemi_mjcf_reader *reader, atemi_mjcf_element *body,
                             atemi_mjcf_element *element, const char *parent, const char *link)
{
    atemi_joint_description joint = atemi_joint_description_default();
    atemi_status            status = note_free_drag(reader, element);
    if (!status && (next_joint(body, element) || atemi_mjcf_body_of(body))) {
        status = atemi_mjcf_complain(reader, element,
                                     "a free joint must be the only joint of a body that is "
                                     "directly in the world; remove one of them");
    }
    if (!status) {
        status = atemi_mjcf_count_coordinates(reader, element, 7);
    }
    if (status || body == reader->root) {
        return status;
    }
    joint.type = ATEMI_JOINT_FLOATING;
    joint.parent = parent;
    joint.child = link;
    joint.place = atemi_mjcf_place(reader, element);
    status = atemi_mjcf_name(reader, element, "joint", &joint.name);
    element->joint = reader->document->joint_count;
    return status ? status : add_joint(reader, element, &joint);
}

static atemi_status read_pose(atemi_mjcf_reader *reader, const atemi_mjcf_element *body,
                              atemi_transform *pose)
{
    atemi_mjcf_part       part;
    const atemi_transform frame = atemi_mjcf_frame(reader, body);
    atemi_status          status = atemi_mjcf_part_of(reader, body, ATEMI_MJCF_BODY, &part);
    if (!status) {
        status = atemi_mjcf_pose(reader, &part, pose);
    }
    *pose = status ? frame : atemi_transform_compose(&frame, pose);
    return status;
}

atemi_status atemi_mjcf_add_joints(atemi_mjcf_reader *reader, atemi_mjcf_element *body,
                                   const char *parent, const char *link)
{
    joint_chain         chain = {.link = parent, .body = link};
    atemi_mjcf_element *joint = next_joint(body, body);
    atemi_status        status = read_pose(reader, body, &chain.origin);
    if (!status && joint && is_free_joint(joint)) {
        return add_free(reader, body, joint, parent, link);
    }
    while (joint && !status) {
        atemi_mjcf_element *after = next_joint(body, joint);
        status = read_joint(reader, joint, &chain, !after);
        joint = after;
    }
    return status ? status : close_chain(reader, body, &chain);
}
