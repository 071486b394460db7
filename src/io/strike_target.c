// SPDX-License-Identifier: Apache-2.0

#include "io/strike_target.h"

#include "atemi/kinematics.h"

#include <math.h>

// A cube of its mass, as dense as wood; a wall is wider than a blow. Around hands it leaves a rim.

static const double density = 500.0;  // kg/m^3
static const double wall_width = 1.0; // m
static const double rim = 0.1;        // m

static double width_of(const atemi_strike_task *task, double span)
{
    const double mass = task->target.mass;
    return fmax(isfinite(mass) ? cbrt(mass / density) : wall_width, span + 2.0 * rim);
}

static void find(const atemi_strike_task *task, const atemi_kinematics *kinematics, double distance,
                 atemi_strike_target *target)
{
    const int        hands = atemi_striking_point_hands(&task->point);
    const atemi_vec3 offset = atemi_vec3_scale(distance, task->point.direction);
    const atemi_vec3 first = atemi_striking_point_place(task->model, kinematics, &task->point, 0);
    const atemi_vec3 last =
        atemi_striking_point_place(task->model, kinematics, &task->point, hands - 1);
    const atemi_vec3 between = atemi_vec3_sub(last, first);
    target->place = atemi_vec3_add(first, offset);
    target->face = atemi_vec3_add(target->place, atemi_vec3_scale(0.5, between));
    target->width = width_of(task, atemi_vec3_norm(between));
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
