// SPDX-License-Identifier: Apache-2.0

#include "walk/walk_task.h"

#include <math.h>

atemi_walk_task atemi_walk_task_default(void)
{
    return (atemi_walk_task){.controller = atemi_walking_options_default(),
                             .steps = 1000,
                             .friction = 0.7,
                             .step = 4e-3};
}

static atemi_status check_patch(const atemi_floor_patch *patch, int index, atemi_error *error)
{
    if (!(patch->from < patch->to) || !(patch->friction >= 0.0) || !isfinite(patch->friction)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "patch %d of the floor goes from %g to %g m with friction %g; give it a "
                          "length, and a friction of 0 or more",
                          index, patch->from, patch->to, patch->friction);
    }
    return ATEMI_OK;
}

static atemi_status check_force(const atemi_timed_force *force, const atemi_model *model, int index,
                                atemi_error *error)
{
    const atemi_vec3 f = force->wrench.linear, moment = force->wrench.angular;
    const bool       is_planar = f.y == 0.0 && moment.x == 0.0 && moment.z == 0.0;
    if (force->link < 0 || force->link >= atemi_model_link_count(model) || !is_planar ||
        !isfinite(atemi_vec3_norm(f)) || !isfinite(moment.y)) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "force %d is on link %d with (%g, %g, %g) N; give a link of the robot and "
            "a finite force in the plane of x and z",
            index, force->link, f.x, f.y, f.z);
    }
    return ATEMI_OK;
}

atemi_status atemi_walk_task_check(const atemi_walk_task *task, const atemi_model *model,
                                   atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    if (task->steps < 1) {
        status = atemi_fail(error, ATEMI_ERROR_INPUT, "a walk of %ld steps: give at least 1",
                            task->steps);
    }
    for (int i = 0; i < task->patch_count && !status; ++i) {
        status = check_patch(&task->patches[i], i, error);
    }
    for (int i = 0; i < task->force_count && !status; ++i) {
        status = check_force(&task->forces[i], model, i, error);
    }
    return status;
}

double atemi_walk_task_friction(const atemi_walk_task *task, double x)
{
    double friction = task->friction;
    for (int i = 0; i < task->patch_count; ++i) {
        const bool inside = x >= task->patches[i].from && x < task->patches[i].to;
        friction = inside ? task->patches[i].friction : friction;
    }
    return friction;
}
