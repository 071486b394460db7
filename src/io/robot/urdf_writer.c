// SPDX-License-Identifier: Apache-2.0

#include "io/robot/urdf_writer.h"

#include "atemi/base.h"
#include "io/robot/xml_text.h"

#include <math.h>
#include <string.h>

// Angles of a rotation R = Rz(yaw) Ry(pitch) Rx(roll), with the last found from Rz^T R so that they
// fit each other also where the pitch is a right angle:
//
//   yaw = atan2(R10, R00),   pitch = atan2(-R20, c R00 + s R10),
//   roll = atan2(s R02 - c R12, c R11 - s R01),   s, c = sin, cos of yaw

// ---- Links

static void put_pose(atemi_text *text, const atemi_transform *pose)
{
    const atemi_mat3 *R = &pose->rotation;
    const double      yaw = atan2(R->x.y, R->x.x), s = sin(yaw), c = cos(yaw);
    const atemi_vec3  rpy = {atan2(s * R->z.x - c * R->z.y, c * R->y.y - s * R->y.x),
                             atan2(-R->x.z, c * R->x.x + s * R->x.y), yaw};
    atemi_xml_put_vector(text, "xyz", pose->position);
    atemi_xml_put_vector(text, "rpy", rpy);
}

static void put_origin(atemi_text *text, const atemi_transform *pose)
{
    atemi_text_put_string(text, "<origin");
    put_pose(text, pose);
    atemi_text_put_string(text, "/>");
}

static void put_inertial(atemi_text *text, const atemi_inertia *inertia)
{
    const atemi_transform   pose = {atemi_mat3_identity(), inertia->com};
    const atemi_symmetric3 *I = &inertia->rotational;
    atemi_text_put_string(text, "<inertial>");
    put_origin(text, &pose);
    atemi_text_put_string(text, "<mass");
    atemi_xml_put_number(text, "value", inertia->mass);
    atemi_text_put_string(text, "/><inertia");
    atemi_xml_put_number(text, "ixx", I->xx);
    atemi_xml_put_number(text, "ixy", I->xy);
    atemi_xml_put_number(text, "ixz", I->xz);
    atemi_xml_put_number(text, "iyy", I->yy);
    atemi_xml_put_number(text, "iyz", I->yz);
    atemi_xml_put_number(text, "izz", I->zz);
    atemi_text_put_string(text, "/></inertial>\n");
}

static bool has_inertia(const atemi_inertia *inertia)
{
    const atemi_symmetric3 *I = &inertia->rotational;
    return inertia->mass > 0.0 || I->xx != 0.0 || I->yy != 0.0 || I->zz != 0.0;
}

static void put_shape(atemi_text *text, const atemi_geometry *geometry)
{
    const atemi_vec3 size = geometry->size;
    atemi_text_append(text, "<geometry><%s", atemi_shape_text(geometry->shape));
    switch (geometry->shape) {
    case ATEMI_SHAPE_BOX:
        atemi_xml_put_vector(text, "size", size);
        break;
    case ATEMI_SHAPE_CYLINDER:
    case ATEMI_SHAPE_CAPSULE:
        atemi_xml_put_number(text, "radius", size.x);
        atemi_xml_put_number(text, "length", size.y);
        break;
    case ATEMI_SHAPE_SPHERE:
        atemi_xml_put_number(text, "radius", size.x);
        break;
    case ATEMI_SHAPE_MESH:
        atemi_xml_put_string(text, "filename", geometry->path ? geometry->path : geometry->uri);
        atemi_xml_put_vector(text, "scale", size);
        break;
    }
    atemi_text_put_string(text, "/></geometry>");
}

static void put_geometry(atemi_text *text, const atemi_geometry *geometry)
{
    const char *element = geometry->collision ? "collision" : "visual";
    atemi_text_append(text, "<%s>", element);
    put_origin(text, &geometry->pose);
    put_shape(text, geometry);
    if (geometry->color[3] > 0.0) {
        atemi_text_put_string(text, "<material><color");
        atemi_xml_put_numbers(text, "rgba", geometry->color, 4);
        atemi_text_put_string(text, "/></material>");
    }
    atemi_text_append(text, "</%s>\n", element);
}

static void put_site(atemi_text *text, const atemi_site *site)
{
    const double size[] = {site->size_x, site->size_y};
    atemi_text_put_string(text, "<atemi:site");
    atemi_xml_put_string(text, "name", site->name);
    put_pose(text, &site->pose);
    atemi_xml_put_numbers(text, "size", size, 2);
    atemi_text_put_string(text, "/>\n");
}

// ---- Lists by link

// Shapes and sites stand in lists of their own: those of link i are order[first[i]] and on, up to
// first[i + 1].
typedef struct link_lists {
    int *first, *order;
} link_lists;

static int link_of_geometry(const atemi_model *model, int index)
{
    return atemi_model_geometry(model, index)->link;
}

static int link_of_site(const atemi_model *model, int index)
{
    return atemi_model_site(model, index)->link;
}

// A counting sort. False without memory.
static bool list_by_link(const atemi_model *model, int                                    count,
                         int (*link_of)(const atemi_model *model, int index), link_lists *lists)
{
    const int links = atemi_model_link_count(model);
    lists->first = (int *)atemi_allocate(((size_t)links + 1) * sizeof *lists->first);
    lists->order = (int *)atemi_allocate(((size_t)count + 1) * sizeof *lists->order);
    if (!lists->first || !lists->order) {
        return false;
    }
    memset(lists->first, 0, ((size_t)links + 1) * sizeof *lists->first);
    for (int i = 0; i < count; ++i) {
        ++lists->first[link_of(model, i)];
    }
    for (int i = 1; i <= links; ++i) {
        lists->first[i] += lists->first[i - 1];
    }
    for (int i = count - 1; i >= 0; --i) {
        lists->order[--lists->first[link_of(model, i)]] = i;
    }
    return true;
}

static void put_link(atemi_text *text, const atemi_model *model, int index,
                     const link_lists *shapes, const link_lists *sites)
{
    const atemi_link *link = atemi_model_link(model, index);
    atemi_text_put_string(text, "<link");
    atemi_xml_put_string(text, "name", link->name);
    atemi_text_put_string(text, ">\n");
    if (has_inertia(&link->inertia)) {
        put_inertial(text, &link->inertia);
    }
    for (int i = shapes->first[index]; i < shapes->first[index + 1]; ++i) {
        put_geometry(text, atemi_model_geometry(model, shapes->order[i]));
    }
    for (int i = sites->first[index]; i < sites->first[index + 1]; ++i) {
        put_site(text, atemi_model_site(model, sites->order[i]));
    }
    atemi_text_put_string(text, "</link>\n");
}

static void put_links(atemi_text *text, const atemi_model *model)
{
    link_lists shapes = {0}, sites = {0};
    if (list_by_link(model, atemi_model_geometry_count(model), link_of_geometry, &shapes) &&
        list_by_link(model, atemi_model_site_count(model), link_of_site, &sites)) {
        for (int i = 0; i < atemi_model_link_count(model); ++i) {
            put_link(text, model, i, &shapes, &sites);
        }
    } else {
        text->failed = true;
    }
    atemi_release(shapes.first);
    atemi_release(shapes.order);
    atemi_release(sites.first);
    atemi_release(sites.order);
}

// ---- Joints

static bool has_one_coordinate(const atemi_joint *joint)
{
    return joint->type == ATEMI_JOINT_REVOLUTE || joint->type == ATEMI_JOINT_CONTINUOUS ||
           joint->type == ATEMI_JOINT_PRISMATIC;
}

static void put_drive(atemi_text *text, const atemi_model *model, const atemi_joint *joint)
{
    atemi_text_put_string(text, "<limit");
    atemi_xml_put_finite(text, "lower", joint->limits.lower);
    atemi_xml_put_finite(text, "upper", joint->limits.upper);
    atemi_xml_put_finite(text, "velocity", joint->limits.velocity);
    atemi_xml_put_finite(text, "effort", joint->limits.effort);
    atemi_text_put_string(text, "/><dynamics");
    atemi_xml_put_number(text, "damping", joint->damping);
    atemi_xml_put_number(text, "friction", joint->friction);
    atemi_xml_put_number(text, "armature", joint->armature);
    atemi_xml_put_nonzero(text, "servo_stiffness", joint->servo_stiffness);
    atemi_xml_put_nonzero(text, "servo_damping", joint->servo_damping);
    atemi_text_put_string(text, "/>");
    if (joint->mimic.joint != ATEMI_NONE) {
        atemi_text_put_string(text, "<mimic");
        atemi_xml_put_string(text, "joint", atemi_model_joint(model, joint->mimic.joint)->name);
        atemi_xml_put_number(text, "multiplier", joint->mimic.multiplier);
        atemi_xml_put_number(text, "offset", joint->mimic.offset);
        atemi_text_put_string(text, "/>");
    }
}

static void put_joint(atemi_text *text, const atemi_model *model, const atemi_joint *joint)
{
    atemi_text_put_string(text, "<joint");
    atemi_xml_put_string(text, "name", joint->name);
    atemi_xml_put_string(text, "type", atemi_joint_type_text(joint->type));
    atemi_text_put_string(text, "><parent");
    atemi_xml_put_string(text, "link", atemi_model_link(model, joint->parent_link)->name);
    atemi_text_put_string(text, "/><child");
    atemi_xml_put_string(text, "link", atemi_model_link(model, joint->child_link)->name);
    atemi_text_put_string(text, "/>");
    put_origin(text, &joint->origin);
    atemi_text_put_string(text, "<axis");
    atemi_xml_put_vector(text, "xyz", joint->axis);
    atemi_text_put_string(text, "/>");
    if (has_one_coordinate(joint)) {
        put_drive(text, model, joint);
    }
    atemi_text_put_string(text, "</joint>\n");
}

static void put_posture(atemi_text *text, const atemi_model *model, int index)
{
    const double *q = atemi_model_posture(model, index);
    bool          first = true;
    atemi_text_put_string(text, "<atemi:posture");
    atemi_xml_put_string(text, "name", atemi_model_posture_name(model, index));
    atemi_text_put_string(text, " joints=\"");
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->q_count == 1) {
            atemi_text_put_string(text, first ? "" : " ");
            atemi_xml_put_escaped(text, joint->name);
            atemi_text_put_character(text, '=');
            atemi_text_put_number(text, q[joint->first_q]);
            first = false;
        }
    }
    atemi_text_put_string(text, "\"/>\n");
}

static void put_apart(atemi_text *text, const atemi_model *model, atemi_link_pair pair)
{
    atemi_text_put_string(text, "<atemi:apart");
    atemi_xml_put_string(text, "first", atemi_model_link(model, pair.first)->name);
    atemi_xml_put_string(text, "second", atemi_model_link(model, pair.second)->name);
    atemi_text_put_string(text, "/>\n");
}

void atemi_urdf_write(const atemi_model *model, atemi_text *text)
{
    atemi_text_put_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot");
    atemi_xml_put_string(text, "name", atemi_model_name(model));
    atemi_xml_put_vector(text, "xmlns:atemi=\"urn:atemi\" atemi:gravity",
                         atemi_model_gravity(model));
    atemi_text_put_string(text, ">\n");
    put_links(text, model);
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        put_joint(text, model, atemi_model_joint(model, i));
    }
    for (int i = 0; i < atemi_model_posture_count(model); ++i) {
        put_posture(text, model, i);
    }
    for (int i = 0; i < atemi_model_apart_count(model); ++i) {
        put_apart(text, model, atemi_model_apart(model)[i]);
    }
    atemi_text_put_string(text, "</robot>\n");
}
