// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_robot.h"

// A link that looks like nothing gets bones: capsules from its origin to the joints of its
// children, or, at an end of the tree, through its centre of mass. What floats hangs on nothing.

static const double thickness = 0.06;                                   // radius by length
static const double thinnest = 0.004, thickest = 0.04, shortest = 1e-3; // m

static double radius_of(double length)
{
    return fmin(fmax(thickness * length, thinnest), thickest);
}

static atemi_status add_bone(atemi_report_robot *robot, int link, atemi_vec3 end,
                             atemi_error *error)
{
    const double length = atemi_vec3_norm(end);
    if (!(length > shortest)) {
        return ATEMI_OK;
    }
    const atemi_report_part part = {
        .link = link,
        .shape = ATEMI_SHAPE_CAPSULE,
        .pose = {atemi_mat3_with_z(atemi_vec3_scale(1.0 / length, end)),
                 atemi_vec3_scale(0.5, end)},
        .size = {radius_of(length), length, 0.0},
        .mesh = ATEMI_NONE,
    };
    return atemi_report_add_part(robot, &part, error);
}

// What stands fixed in a scene is not held by a bone of the world.
static bool is_of_scene(const atemi_link *link, const atemi_joint *joint)
{
    return link->parent_joint == ATEMI_NONE && link->inertia.mass == 0.0 &&
           joint->type == ATEMI_JOINT_FIXED;
}

atemi_status atemi_report_derive_parts(atemi_report_robot *robot, int link, atemi_error *error)
{
    const atemi_link *about = atemi_model_link(robot->model, link);
    atemi_status      status = ATEMI_OK;
    bool              is_end = true;
    for (int i = 0; i < atemi_model_joint_count(robot->model) && !status; ++i) {
        const atemi_joint *joint = atemi_model_joint(robot->model, i);
        if (joint->parent_link == link) {
            is_end = false;
            status = joint->type == ATEMI_JOINT_FLOATING || is_of_scene(about, joint)
                         ? ATEMI_OK
                         : add_bone(robot, link, joint->origin.position, error);
        }
    }
    if (!status && is_end && about->inertia.mass > 0.0) {
        status = add_bone(robot, link, atemi_vec3_scale(2.0, about->inertia.com), error);
    }
    return status;
}
