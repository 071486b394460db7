// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/kinematics.h"
#include "control/command_checks.h"
#include "control/coordination_standing.h"
#include "control/joint_trajectories.h"

#include <stddef.h>
#include <string.h>

// What is set here is what is wanted; coordination_dynamics.c brings it about step by step.

static atemi_status check_joints(const atemi_coordination *c, int joint, atemi_error *error)
{
    return joint == ATEMI_ALL_JOINTS ? ATEMI_OK : atemi_command_check_joint(c, joint, error);
}

static atemi_status check_figure(const char *name, double value, double limit, atemi_error *error)
{
    return value >= 0.0 && value <= limit
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT, "%s is %g: it must be 0 to %g", name, value,
                            limit);
}

static bool concerns(int joint, int i)
{
    return joint == ATEMI_ALL_JOINTS || joint == i;
}

atemi_status atemi_coordination_set_dynamics(atemi_coordination  *coordination,
                                             atemi_command_source source, int joint,
                                             atemi_desired_dynamics dynamics, atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination, ATEMI_ERROR_CONTRACT);
    atemi_coordination *c = coordination;
    atemi_status        status = atemi_command_check_source(c, source, error);
    status = status ? status : check_joints(c, joint, error);
    status =
        status ? status : check_figure("natural frequency", dynamics.natural_frequency, 1e4, error);
    status = status ? status : check_figure("damping ratio", dynamics.damping_ratio, 1e4, error);
    for (int i = 0; !status && i < c->count; ++i) {
        if (concerns(joint, i)) {
            c->joints[i].settings.dynamics = dynamics;
        }
    }
    return status;
}

// A figure of one joint, or of all.
typedef struct joint_setting {
    const char *name;
    double      value, limit;
    size_t      place; ///< in a moved_joint
} joint_setting;

static atemi_status set_joints(atemi_coordination *c, atemi_command_source source, int joint,
                               joint_setting setting, atemi_error *error)
{
    atemi_status status = atemi_command_check_source(c, source, error);
    status = status ? status : check_joints(c, joint, error);
    status = status ? status : check_figure(setting.name, setting.value, setting.limit, error);
    for (int i = 0; !status && i < c->count; ++i) {
        if (concerns(joint, i)) {
            memcpy((char *)&c->joints[i] + setting.place, &setting.value, sizeof setting.value);
        }
    }
    return status;
}

atemi_status atemi_coordination_set_integral(atemi_coordination  *coordination,
                                             atemi_command_source source, int joint, double rate,
                                             atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination, ATEMI_ERROR_CONTRACT);
    const joint_setting setting = {"integral rate", rate, 1e4,
                                   offsetof(moved_joint, settings.integral_rate)};
    return set_joints(coordination, source, joint, setting, error);
}

atemi_status atemi_coordination_set_torque_limit(atemi_coordination  *coordination,
                                                 atemi_command_source source, int joint,
                                                 double limit, atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination && source <= ATEMI_SOURCE_SUPERVISOR, ATEMI_ERROR_CONTRACT);
    atemi_coordination *c = coordination;
    atemi_status        status = check_joints(c, joint, error);
    status = status ? status : check_figure("torque limit", limit, 1e9, error);
    for (int i = 0; !status && i < c->count; ++i) {
        if (concerns(joint, i)) {
            c->joints[i].torque_limits[source] = limit;
        }
    }
    return status;
}

atemi_status atemi_coordination_set_gravity(atemi_coordination  *coordination,
                                            atemi_command_source source, int joint, double scale,
                                            atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination, ATEMI_ERROR_CONTRACT);
    const joint_setting setting = {"gravity scale", scale, 1.0,
                                   offsetof(moved_joint, settings.gravity)};
    return set_joints(coordination, source, joint, setting, error);
}

static bool bears(const atemi_coordination *c, int link)
{
    bool found = c->held[link];
    for (int k = 0; k < c->options.contact_count && !found; ++k) {
        found = c->standing.supports[k].about.link == link;
    }
    return found;
}

static atemi_status check_base(const atemi_coordination *c, int link, const atemi_transform *pose,
                               atemi_error *error)
{
    if (!atemi_base_frame_fits(c->model, link)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "link %d cannot be the base of %s: it has %d links, and a fixed base has "
                          "its root alone",
                          link, atemi_model_name(c->model), atemi_model_link_count(c->model));
    }
    if (c->base_fraction < 1.0) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the base is being switched: wait until base_fraction is 1, it is %g",
                          c->base_fraction);
    }
    if (!pose && !c->started) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "where %s is cannot be known before the first step: give its pose",
                          atemi_model_link(c->model, link)->name);
    }
    if (atemi_coordination_is_standing(c) && !bears(c, link)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "%s cannot be the base of a robot that stands: it is no contact, and "
                          "nothing holds it",
                          atemi_model_link(c->model, link)->name);
    }
    return !pose || atemi_command_is_pose(pose)
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the base's pose must be finite, and its rotation a rotation");
}

atemi_status atemi_coordination_set_base(atemi_coordination  *coordination,
                                         atemi_command_source source, int link,
                                         const atemi_transform *pose, atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination, ATEMI_ERROR_CONTRACT);
    atemi_coordination *c = coordination;
    atemi_status        status = atemi_command_check_source(c, source, error);
    status = status ? status : check_base(c, link, pose, error);
    if (status) {
        return status;
    }
    atemi_goal_stop(c, c->nodes.goal, ATEMI_OUTCOME_STOPPED, ATEMI_NONE);
    atemi_base_frame_place(c->model, &c->base, &c->at_base, c->q);
    c->base_before = c->base;
    c->base.link = link;
    c->base.pose = pose ? *pose : atemi_link_pose_in(c->model, &c->at_base.kinematics, link);
    c->base_fraction = c->started ? 0.0 : 1.0;
    return ATEMI_OK;
}
