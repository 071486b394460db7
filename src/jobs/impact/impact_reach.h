// SPDX-License-Identifier: Apache-2.0

/// @file
/// Postures of a sweep in which the hand is somewhere else.
///
/// What the robot stands on stays where it is, and its centre of mass above the same place; all
/// else stays near the posture that it comes from.

#pragma once

#include "atemi/inverse_kinematics.h"
#include "jobs/impact/impact_trial.h"

typedef struct atemi_impact_reach {
    const atemi_impact_trial         *trial;
    atemi_arena                       arena;
    atemi_inverse_kinematics_scratch *scratch;
    atemi_posture_goal               *goals;  ///< [max_goals] hand, feet, centre of mass
    int                               count;  ///< of goals
    bool                             *moving; ///< [v_count] no base that nothing holds
    double                           *q;      ///< [q_count] the posture found
} atemi_impact_reach;

/// Takes memory for postures of a trial's robot. Destroy it, whatever the result.
atemi_status atemi_impact_reach_create(const atemi_impact_trial *trial, atemi_impact_reach *reach,
                                       atemi_error *error);
void         atemi_impact_reach_destroy(atemi_impact_reach *reach);

/// Begins at a posture, which the trial has been set to.
void atemi_impact_reach_begin(atemi_impact_reach *reach);

/// Finds the posture, into `q`, in which the hand is at a place of the world.
/// @param from [q_count] the posture that it began at
/// @return whether there is one
bool atemi_impact_reach_find(atemi_impact_reach *reach, const double *from, atemi_vec3 place);
