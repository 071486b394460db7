// SPDX-License-Identifier: Apache-2.0

/// @file
/// The motion of a planned strike: from rest to the first touch and on to rest.
///
/// The goals of the plan, the hand's speed, momenta and velocity of the centre of mass, rise from
/// zero and fall to zero along cubic polynomials ([STRIKE] Fig. 3); the rates that meet them are
/// integrated back from the posture of first touch and on from it ([STRIKE] eq. 12). Joints at
/// their limits take no part, and the feet are led back where they would drift.

#pragma once

#include "atemi/strike_plan.h"

ATEMI_BEGIN

/// What a motion asks for, at its worst.
typedef enum atemi_strike_demand {
    ATEMI_DEMAND_POSITION, ///< room of a joint to its limits, rad or m: at least 0
    ATEMI_DEMAND_SPEED,    ///< fraction of a joint's speed limit: at most 1
    ATEMI_DEMAND_EFFORT,   ///< fraction of a joint's effort limit, friction included: at most 1
    ATEMI_DEMAND_BALANCE, ///< distance of the ZMP to the edge of the support polygon, m: at least 0
    ATEMI_DEMAND_FRICTION, ///< friction that is left under a foot, N: at least 0
    ATEMI_DEMAND_TARGET,   ///< distance of a link to the target, m: at least 0
    ATEMI_DEMAND_COUNT
} atemi_strike_demand;

/// The worst instant of a demand.
typedef struct atemi_strike_peak {
    double value;
    double time;  ///< s
    int    index; ///< joint, foot of the task, or link; ATEMI_NONE where nothing is asked for
} atemi_strike_peak;

/// A motion on a grid of time; first touch is at 0.
typedef struct atemi_strike_motion {
    int               count; ///< of instants
    int               touch; ///< which of them is the first touch
    double            step;  ///< between them, s
    int               q_count, v_count;
    double           *q;   ///< [count x q_count]
    double           *v;   ///< [count x v_count]
    double           *a;   ///< [count x v_count]
    double           *tau; ///< [count x v_count] that it needs, without the blow, friction left out
    double            foot_drift; ///< largest distance of a foot from its place, m
    atemi_strike_peak peaks[ATEMI_DEMAND_COUNT];
    double            blow_time; ///< over which the plan looks at the blow, s
} atemi_strike_motion;

/// Computes the motion of a plan.
/// @param step   s, such as 1e-3
/// @param motion result, to be destroyed
ATEMI_API atemi_status atemi_strike_motion_make(atemi_strike_plan *plan, double step,
                                                atemi_strike_motion *motion, atemi_error *error);
ATEMI_API void         atemi_strike_motion_destroy(atemi_strike_motion *motion);

/// Whether a motion keeps a limit of the robot, of the floor or of the target at every instant,
/// also between those that the plan looks at. What the task does not limit is always kept, as are
/// positions of joints that are given beyond their limits.
ATEMI_API bool atemi_strike_motion_keeps(const atemi_strike_motion *motion,
                                         atemi_strike_demand        demand);

/// Whether it keeps all of them.
ATEMI_API bool atemi_strike_motion_feasible(const atemi_strike_motion *motion);

/// The time of an instant, s.
ATEMI_API double atemi_strike_motion_time(const atemi_strike_motion *motion, int index);

/// Position, rates, accelerations and torques at any time; at rest before the first instant and
/// after the last one.
/// @param tau or NULL
ATEMI_API void atemi_strike_motion_at(const atemi_strike_motion *motion, const atemi_model *model,
                                      double time, double *q, double *v, double *a, double *tau);

ATEMI_END
