// SPDX-License-Identifier: Apache-2.0

/// @file
/// The target as an obstacle: a cube behind the place that is hit, which no limb goes through.
///
/// The hand that strikes goes straight at it and is left out; the rest of its limb keeps away until
/// they touch, all others always.

#pragma once

#include "atemi/strike_plan.h"
#include "dynamics/kinematics.h"

/// A ball inside a link.
typedef struct strike_ball {
    int        link;
    atemi_vec3 center; ///< in the link's frame
    double     radius;
    bool       strikes; ///< it is of a limb that strikes
} strike_ball;

/// Those of all links that must not touch the target.
typedef struct strike_balls {
    int          count;
    strike_ball *list; ///< [count] those of a link one behind the other
} strike_balls;

/// The target in the world.
typedef struct strike_cube {
    double     half; ///< of its width, m
    atemi_vec3 center, ahead, left, up;
} strike_cube;

/// How many balls a robot has; 0 if the task does not limit the distance to the target.
int strike_balls_count(const atemi_strike_task *task);

/// Fills them.
void strike_balls_fill(strike_balls *balls, const atemi_strike_task *task);

/// The cube behind the hands.
/// @param kinematics at first touch
strike_cube strike_cube_find(const atemi_strike_task *task, const atemi_kinematics *kinematics);

/// How far a ball is from the cube, m; negative inside.
/// @param pose of its link
double strike_cube_distance(const strike_cube *cube, const strike_ball *ball,
                            const atemi_transform *pose);

/// The direction, of length one, in which the distance of a point to the cube grows.
atemi_vec3 strike_cube_away(const strike_cube *cube, atemi_vec3 point);
