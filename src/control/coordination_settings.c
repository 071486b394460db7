// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"
#include "atemi/kinematics.h"
#include "control/command_checks.h"
#include "control/ways.h"

// What is set here is what is wanted; coordination_dynamics.c brings it about step by step.

static atemi_status check_joints(const atemi_coordination *c, int joint, atemi_error *error)
{
    return joint == ATEMI_ALL_JOINTS ? ATEMI_OK : atemi_command_check_joint(c, joint, error);
}

static atemi_status check_figure(const char *name, double value, double most, atemi_error *error)
{
    return value >= 0.0 && value <= most
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT, "%s is %g: it must be 0 to %g", name, value,
                            most);
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

atemi_status atemi_coordination_set_integral(atemi_coordination  *coordination,
                                             atemi_command_source source, int joint, double rate,
                                             atemi_error *error)
{
    ATEMI_REQUIRE_OR(coordination, ATEMI_ERROR_CONTRACT);
    atemi_coordination *c = coordination;
    atemi_status        status = atemi_command_check_source(c, source, error);
    status = status ? status : check_joints(c, joint, error);
    status = status ? status : check_figure("integral rate", rate, 1e4, error);
    for (int i = 0; !status && i < c->count; ++i) {
        if (concerns(joint, i)) {
            c->joints[i].settings.integral_rate = rate;
        }
    }
    return status;
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
    atemi_coordination *c = coordination;
    atemi_status        status = atemi_command_check_source(c, source, error);
    status = status ? status : check_joints(c, joint, error);
    status = status ? status : check_figure("gravity scale", scale, 1.0, error);
    for (int i = 0; !status && i < c->count; ++i) {
        if (concerns(joint, i)) {
            c->joints[i].settings.gravity = scale;
        }
    }
    return status;
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
    if (c->base_share < 1.0) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the base is being switched: wait until base_share is 1, it is %g",
                          c->base_share);
    }
    if (!pose && !c->started) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "where %s is cannot be known before the first step: give its pose",
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
    c->base.pose = pose ? *pose : atemi_link_pose(c->at_base.data, link);
    c->base_share = c->started ? 0.0 : 1.0;
    return ATEMI_OK;
}
