// SPDX-License-Identifier: Apache-2.0

/// @file
/// The torques of a robot that is held by more links than its base: all of them bear it.

#pragma once

#include "dynamics/base_frame.h"

/// How loads are distributed in one posture. Not to be touched.
typedef struct atemi_load_distribution {
    int     max_links, joint_count, first_v;
    int     rows;     ///< 6 of each link
    double *jacobian; ///< [6 x v_count]
    double *scaled;   ///< [rows x joints] J, each column times the limit of its joint
    double *limits;   ///< [joints] effort
    double *factor;   ///< [rows x rows]
    double *forces;   ///< [rows]
} atemi_load_distribution;

/// Lays it out on an arena.
atemi_load_distribution atemi_load_distribution_take(atemi_arena *arena, const atemi_model *model,
                                                     int max_links);

/// Reads the effort limits of the joints; once, after it was laid out.
void atemi_load_distribution_start(const atemi_model *model, atemi_load_distribution *loads);

/// Goes over to the posture that the scratch of the base was placed in.
/// @param held [links] all that are held; beyond `max_links` the last ones do not bear anything
void atemi_load_distribution_place(const atemi_model *model, const atemi_base_frame *base,
                                   const atemi_base_frame_scratch *scratch, const bool *held,
                                   atemi_load_distribution *loads);

/// Distributes torques that the base alone would bear the robot with.
/// @param torques [joints] in and out
void atemi_load_distribution_apply(atemi_load_distribution *loads, double *torques);
