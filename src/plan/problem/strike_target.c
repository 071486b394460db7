// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"
#include "impact/striking_point.h"

static void find(const atemi_strike_task *task, const atemi_kinematics *kinematics, double distance,
                 atemi_strike_target *target)
{
    const int        hands = atemi_striking_point_hands(&task->point);
    const atemi_vec3 offset = atemi_vec3_scale(distance, task->point.direction);
    const atemi_vec3 first =
        atemi_striking_point_place_in(task->model, kinematics, &task->point, 0);
    const atemi_vec3 last =
        atemi_striking_point_place_in(task->model, kinematics, &task->point, hands - 1);
    const atemi_vec3 between = atemi_vec3_sub(last, first);
    target->place = atemi_vec3_add(first, offset);
    target->face = atemi_vec3_add(target->place, atemi_vec3_scale(0.5, between));
    target->width = atemi_strike_target_width(task, atemi_vec3_norm(between));
}

atemi_status atemi_strike_target_find(const atemi_strike_task *task, const double *q,
                                      double distance, atemi_strike_target *target,
                                      atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    atemi_kinematics_take(&arena, task->model);
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (!status) {
        atemi_kinematics kinematics = atemi_kinematics_take(&arena, task->model);
        atemi_kinematics_update(task->model, q, NULL, NULL, &kinematics);
        find(task, &kinematics, distance, target);
        atemi_arena_destroy(&arena);
    }
    return status;
}
