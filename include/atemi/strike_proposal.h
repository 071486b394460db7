// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer plan. A strike to begin with: for a humanoid without a description, what to
/// decide, from where and within which ranges.
///
/// Sizes follow the robot of [STRIKE], by mass, leg and sole; see docs/theory/humanoid.md.

#pragma once

#include "atemi/humanoid.h"
#include "atemi/strike_plan.h"

ATEMI_BEGIN

/// What is wanted of the strike.
typedef struct atemi_strike_wish {
    atemi_humanoid_options humanoid; ///< what is known of the robot
    double                 height;   ///< of the target above the floor, m; NaN: as the arm likes
    double                 mass;     ///< of the target, kg; NaN: in proportion to the robot's
} atemi_strike_wish;

/// Nothing known, nothing wanted.
ATEMI_API atemi_strike_wish atemi_strike_wish_default(void);

/// The strike. The first foot is the right one. A robot without legs stands on a plate: its first
/// and only sole, on its root link.
typedef struct atemi_strike_proposal {
    atemi_humanoid humanoid;
    atemi_stance   stance;
    bool           bolted; ///< no legs
    int            side;   ///< of the hand that strikes
    double         angle;  ///< between its axis and forwards at the start, rad
    /// All but `feet`, `servo` and `target_width`: soles may be no sites of the robot yet.
    atemi_strike_task task;
    double  stiffness, damping; ///< of the servo of joints that rotate, N m/rad, N m s/rad
    bool    effort_known;       ///< every joint has an effort limit
    bool    speed_known;        ///< every joint has a speed limit
    bool    rotors_known;       ///< every joint has a rotor
    double *q;                  ///< [q_count] of the task
    int    *joints;             ///< [joint_count] of the task
    atemi_strike_range *ranges; ///< [joint_count] of the task
    atemi_arena         arena;  ///< of all three
} atemi_strike_proposal;

/// Makes a proposal.
/// @param wish     NULL for the defaults
/// @param proposal result, to be destroyed
/// @return ATEMI_ERROR_INPUT for a robot that cannot strike; the message says why
ATEMI_API atemi_status atemi_strike_proposal_create(const atemi_model       *model,
                                                    const atemi_strike_wish *wish,
                                                    atemi_strike_proposal   *proposal,
                                                    atemi_error             *error);
ATEMI_API void         atemi_strike_proposal_destroy(atemi_strike_proposal *proposal);

ATEMI_END
