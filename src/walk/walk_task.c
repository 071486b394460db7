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

static atemi_status check_push(const atemi_walk_push *push, const atemi_model *model, int index,
                               atemi_error *error)
{
    if (push->link < 0 || push->link >= atemi_model_link_count(model) ||
        !isfinite(atemi_vec3_norm(push->force)) || push->force.y != 0.0) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "force %d is on link %d with (%g, %g, %g) N; give a link of the robot and "
            "a finite force with y = 0",
            index, push->link, push->force.x, push->force.y, push->force.z);
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
    for (int i = 0; i < task->push_count && !status; ++i) {
        status = check_push(&task->pushes[i], model, i, error);
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

static bool acts(const atemi_walk_push *push, double time)
{
    return time >= push->from && time < push->to;
}

bool atemi_walk_task_is_pushed(const atemi_walk_task *task, double time)
{
    for (int i = 0; i < task->push_count; ++i) {
        if (acts(&task->pushes[i], time)) {
            return true;
        }
    }
    return false;
}

void atemi_walk_task_push(const atemi_walk_task *task, double time, atemi_force *forces)
{
    for (int i = 0; i < task->push_count; ++i) {
        const atemi_walk_push *push = &task->pushes[i];
        if (acts(push, time)) {
            forces[push->link].linear = atemi_vec3_add(forces[push->link].linear, push->force);
        }
    }
}

double atemi_walk_task_next_jump(const atemi_walk_task *task, double time)
{
    double next = INFINITY;
    for (int i = 0; i < task->push_count; ++i) {
        const atemi_walk_push *push = &task->pushes[i];
        next = push->from > time ? fmin(next, push->from) : next;
        next = push->to > time ? fmin(next, push->to) : next;
    }
    return next;
}
