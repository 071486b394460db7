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

/// The cube, and what must not touch it.
typedef struct strike_obstacle {
    int              count;
    strike_ball     *balls; ///< [count] those of a link one behind the other
    atemi_kinematics kinematics;
    double           half;                    ///< of its width, m
    atemi_vec3       center, ahead, left, up; ///< in the world, by the posture of first touch
} strike_obstacle;

/// How many balls a robot has.
int strike_obstacle_balls(const atemi_strike_task *task);

strike_obstacle strike_obstacle_take(atemi_arena *arena, const atemi_model *model, int balls);

/// Fills the balls, once.
void strike_obstacle_begin(strike_obstacle *obstacle, const atemi_strike_task *task);

/// Puts the cube where the hands are.
/// @param kinematics of the posture of first touch
void strike_obstacle_place(strike_obstacle *obstacle, const atemi_strike_task *task,
                           const atemi_kinematics *kinematics);

/// Looks at a posture.
void strike_obstacle_look(strike_obstacle *obstacle, const atemi_model *model, const double *q);

/// How far a ball is from the cube in the posture looked at last, m; negative inside.
double strike_obstacle_distance(const strike_obstacle *obstacle, const atemi_model *model,
                                int ball);
