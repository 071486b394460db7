// SPDX-License-Identifier: Apache-2.0

#include "papers/walk/support_foot.h"

#include "atemi/model_builder.h"

#include <math.h>

// A joint with the pose T(q) = T_0 E(a, q) of the child C in its parent P, turned round: P becomes
// the child. With its frame P' at the joint,
//
//   P' = C E(a, -q) = C E(-a, q),      P = P' T_0^-1
//
// so q stays, and inertias move from P to P'. The foot's own frame goes to the edge.

static const char floor_name[] = "floor";
static const char slider_name[] = "support_slider";

typedef struct rooting {
    const atemi_support_foot *foot;
    const atemi_model        *robot;
    atemi_model_builder      *builder;
    atemi_error              *error;
} rooting;

// ---- The way from the root to the foot ------------------------------------------------------

// The joint by which the way leaves a link for the foot; none at the foot itself, nor off the way.
static int joint_to_foot(const atemi_model *robot, int foot, int link)
{
    int joint = ATEMI_NONE;
    for (int at = foot; at != link; at = atemi_model_joint(robot, joint)->parent_link) {
        joint = atemi_model_link(robot, at)->parent_joint;
        if (joint == ATEMI_NONE) {
            return ATEMI_NONE;
        }
    }
    return joint;
}

static bool is_turned_round(const rooting *r, const atemi_joint *joint)
{
    return joint->child_link == r->foot->link ||
           joint_to_foot(r->robot, r->foot->link, joint->child_link) != ATEMI_NONE;
}

// The frame of a robot's link in that of the rooted one.
static atemi_transform old_frame(const rooting *r, int link)
{
    const int       joint = joint_to_foot(r->robot, r->foot->link, link);
    atemi_transform pose = atemi_transform_identity();
    if (link == r->foot->link) {
        pose.position = atemi_vec3_scale(-1.0, r->foot->edge);
    } else if (joint != ATEMI_NONE) {
        pose = atemi_transform_inverse(&atemi_model_joint(r->robot, joint)->origin);
    }
    return pose;
}

// ---- The parts ------------------------------------------------------------------------------

static atemi_status check_robot(const rooting *r)
{
    bool is_simple = atemi_model_base(r->robot) == ATEMI_BASE_SAGITTAL;
    for (int j = 0; j < atemi_model_joint_count(r->robot); ++j) {
        is_simple = is_simple && atemi_model_joint(r->robot, j)->v_count <= 1;
    }
    return is_simple ? ATEMI_OK
                     : atemi_fail(r->error, ATEMI_ERROR_INPUT,
                                  "%s cannot be rooted in its link %s: that takes a sagittal base, "
                                  "and joints of one coordinate each",
                                  atemi_model_name(r->robot),
                                  atemi_model_link(r->robot, r->foot->link)->name);
}

static atemi_status add_massless(const rooting *r, const char *name)
{
    const atemi_link_description link = {.name = name};
    return atemi_model_builder_add_link(r->builder, &link, r->error);
}

static atemi_status add_support_joint(const rooting *r, const char *name, atemi_joint_type type,
                                      const char *parent, const char *child, atemi_vec3 axis)
{
    atemi_joint_description joint = atemi_joint_description_default();
    joint.name = name;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.axis = axis;
    return atemi_model_builder_add_joint(r->builder, &joint, r->error);
}

// The floor, the slider if it slips, and the joint that the foot stands on.
static atemi_status add_support(const rooting *r)
{
    const atemi_vec3 along = {1.0, 0.0, 0.0}, about = {0.0, 1.0, 0.0};
    const char      *base = r->foot->slips ? slider_name : floor_name;
    atemi_status     status = add_massless(r, floor_name);
    if (!status && r->foot->slips) {
        status = add_massless(r, slider_name);
    }
    if (!status && r->foot->slips) {
        status = add_support_joint(r, "support_slide", ATEMI_JOINT_PRISMATIC, floor_name,
                                   slider_name, along);
    }
    return status ? status
                  : add_support_joint(r, "support_turn",
                                      r->foot->rotates ? ATEMI_JOINT_CONTINUOUS : ATEMI_JOINT_FIXED,
                                      base, atemi_model_link(r->robot, r->foot->link)->name, about);
}

static atemi_status add_links(const rooting *r)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_model_link_count(r->robot) && !status; ++i) {
        const atemi_link            *from = atemi_model_link(r->robot, i);
        const atemi_transform        frame = old_frame(r, i);
        const atemi_link_description link = {
            .name = from->name, .inertia = atemi_inertia_transformed(&from->inertia, &frame)};
        status = atemi_model_builder_add_link(r->builder, &link, r->error);
    }
    return status;
}

static atemi_joint_description describe_joint(const rooting *r, const atemi_joint *joint)
{
    const bool              round = is_turned_round(r, joint);
    const int               parent = round ? joint->child_link : joint->parent_link;
    const int               child = round ? joint->parent_link : joint->child_link;
    const atemi_transform   frame = old_frame(r, parent);
    const atemi_mimic       mimic = joint->mimic;
    atemi_joint_description about = atemi_joint_description_default();
    about.name = joint->name;
    about.type = joint->type;
    about.parent = atemi_model_link(r->robot, parent)->name;
    about.child = atemi_model_link(r->robot, child)->name;
    about.origin = round ? frame : atemi_transform_compose(&frame, &joint->origin);
    about.axis = round ? atemi_vec3_scale(-1.0, joint->axis) : joint->axis;
    about.limits = joint->limits;
    about.mimic = mimic.joint == ATEMI_NONE ? NULL : atemi_model_joint(r->robot, mimic.joint)->name;
    about.mimic_multiplier = mimic.multiplier;
    about.mimic_offset = mimic.offset;
    about.armature = joint->armature;
    about.damping = joint->damping;
    about.friction = joint->friction;
    return about;
}

static atemi_status add_joints(const rooting *r)
{
    atemi_status status = ATEMI_OK;
    for (int j = 0; j < atemi_model_joint_count(r->robot) && !status; ++j) {
        const atemi_joint_description joint = describe_joint(r, atemi_model_joint(r->robot, j));
        status = atemi_model_builder_add_joint(r->builder, &joint, r->error);
    }
    return status;
}

static atemi_status add_sites(const rooting *r)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < atemi_model_site_count(r->robot) && !status; ++i) {
        const atemi_site            *from = atemi_model_site(r->robot, i);
        const atemi_transform        frame = old_frame(r, from->link);
        const atemi_site_description site = {.name = from->name,
                                             .link = atemi_model_link(r->robot, from->link)->name,
                                             .pose = atemi_transform_compose(&frame, &from->pose),
                                             .size_x = from->size_x,
                                             .size_y = from->size_y};
        status = atemi_model_builder_add_site(r->builder, &site, r->error);
    }
    return status;
}

typedef atemi_status stage(const rooting *r);

static stage *const stages[] = {check_robot, add_support, add_links, add_joints, add_sites};

atemi_status atemi_support_foot_model(const atemi_support_foot *foot, const atemi_model *robot,
                                      atemi_model **rooted, atemi_error *error)
{
    atemi_model_options options = atemi_model_options_default();
    rooting             r = {.foot = foot, .robot = robot, .error = error};
    atemi_status        status =
        atemi_model_builder_create(atemi_model_name(robot), NULL, &r.builder, error);
    options.base = ATEMI_BASE_FIXED;
    options.gravity = atemi_model_gravity(robot);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && !status; ++i) {
        status = stages[i](&r);
    }
    if (!status) {
        status = atemi_model_builder_finish(r.builder, &options, rooted, error);
    }
    atemi_model_builder_destroy(r.builder);
    return status;
}

// ---- States ---------------------------------------------------------------------------------

// Every joint has one coordinate, so q and v have the same indices.
static int index_in(const atemi_model *model, const atemi_joint *joint)
{
    return atemi_model_joint(model, atemi_model_find_joint(model, joint->name))->first_v;
}

void atemi_support_foot_root(const atemi_model *robot, const atemi_model *rooted,
                             const double *robot_x, double *rooted_x)
{
    for (int i = 0; i < atemi_model_v_count(rooted); ++i) {
        rooted_x[i] = 0.0;
    }
    for (int j = 0; j < atemi_model_joint_count(rooted); ++j) {
        const atemi_joint *joint = atemi_model_joint(rooted, j);
        const bool         is_shared = atemi_model_find_joint(robot, joint->name) != ATEMI_NONE;
        if (joint->v_count == 1 && is_shared) {
            rooted_x[joint->first_v] = robot_x[index_in(robot, joint)];
        }
    }
}
