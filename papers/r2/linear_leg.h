// SPDX-License-Identifier: Apache-2.0

/// @file
/// A robot held by one link whose joints have the stiffness and damping of [R2] eq. 1 and 2 and
/// nothing else: no springs, motors, loops or limits.

#pragma once

#include "atemi/model.h"

/// What is asked of the joints: `frequency` of the first `leg` ones, `other` of the rest, rad/s.
typedef struct linear_leg_task {
    const atemi_model *model;
    const double      *q;
    int                held, free; ///< links: the one that is held, and one that can move
    int                leg;
    double             frequency, other, ratio;
    double             period; ///< of the samples, s
    int                samples;
} linear_leg_task;

/// Steps of the leg's joints, one after the other, from rest.
/// @param responses [leg x samples] of the joint that leaps, in units of the leap; begins at 0
atemi_status linear_leg_step(const linear_leg_task *task, double *responses, atemi_error *error);
