// SPDX-License-Identifier: Apache-2.0

#include "control/command_checks.h"

#include <math.h>

static const char *const sources[] = {"user", "supervisor"};

// ---- The mode arbiter -----------------------------------------------------------------------

static bool is_user_moving(const atemi_coordination *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->joints[i].goal && c->joints[i].source == ATEMI_SOURCE_USER) {
            return true;
        }
    }
    return c->nodes.goal && c->nodes.source == ATEMI_SOURCE_USER;
}

static atemi_status refuse_source(atemi_command_source source, const char *why, atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_INPUT, "the %s may not command now: %s", sources[source],
                      why);
}

atemi_status atemi_command_check_source(const atemi_coordination *c, atemi_command_source source,
                                        atemi_error *error)
{
    if (c->mode == ATEMI_MODE_USER && source == ATEMI_SOURCE_SUPERVISOR) {
        return refuse_source(source, "the mode is the user's alone", error);
    }
    return ATEMI_OK;
}

atemi_status atemi_command_check_motion(const atemi_coordination *c, atemi_command_source source,
                                        atemi_error *error)
{
    if (c->mode == ATEMI_MODE_SUPERVISOR && source == ATEMI_SOURCE_USER) {
        return refuse_source(source, "motions are the supervisor's in this mode", error);
    }
    if (c->mode == ATEMI_MODE_SHARED && source == ATEMI_SOURCE_SUPERVISOR && is_user_moving(c)) {
        return refuse_source(source, "a motion of the user's goes on", error);
    }
    if (!c->started || c->blind_time > c->options.patience) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "nothing moves without measurements: make a step with those of all "
                          "joints first");
    }
    if (c->limp) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "an interaction diverged: call atemi_coordination_resume() first");
    }
    return atemi_command_check_source(c, source, error);
}

// ---- Arguments ------------------------------------------------------------------------------

static bool is_joint(const atemi_coordination *c, int joint)
{
    return joint >= 0 && joint < c->count;
}

atemi_status atemi_command_check_joint(const atemi_coordination *c, int joint, atemi_error *error)
{
    return is_joint(c, joint)
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT, "there is no joint %d: they are 0 to %d",
                            joint, c->count - 1);
}

bool atemi_command_is_pose(const atemi_transform *pose)
{
    const atemi_mat3 *R = &pose->rotation;
    const atemi_vec3  p = pose->position;
    const double      right = atemi_vec3_dot(atemi_vec3_cross(R->x, R->y), R->z);
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z) && fabs(right - 1.0) < 1e-6;
}
