// SPDX-License-Identifier: Apache-2.0

/// @file
/// Memory that an evaluation of a strike computes in. It carries nothing from one evaluation to the
/// next.

#pragma once

#include "plan/motion/strike_trajectory.h"
#include "plan/touch/strike_feet.h"

/// The least and the largest of some values.
typedef struct strike_extremes {
    double least, largest;
} strike_extremes;

/// How often a strike was evaluated, and what took how long.
typedef struct strike_meter {
    double (*clock)(void); ///< or NULL
    int                evaluations;
    atemi_strike_times times;
} strike_meter;

typedef struct strike_workspace {
    strike_meter                     *meter;
    atemi_inverse_kinematics_scratch *ik;
    strike_velocity_workspace         velocities;
    strike_trajectory_workspace       trajectory;
    strike_feet                       feet;
    atemi_virtual_base                base;
    atemi_blow_scratch                blow;
    atemi_kinematics                  kinematics; ///< of an instant
    double          *q, *v, *a, *last_v, *last_a; ///< [q_count], [v_count] of instants
    double          *doubt_q, *doubt_v;           ///< [q_count], [v_count] where a target is met
    double          *stiffness, *damping;         ///< [v_count] of servos in doubt
    double          *held;                        ///< [v_count] by servos at first touch
    strike_extremes *speeds;                      ///< [knots x v_count] in each segment
    double          *distances;                   ///< [balls x knots] to the target
    double          *gaps;                        ///< between links, see strike_self.h
    atemi_arena      arena;
} strike_workspace;

/// Creates it for evaluations on a grid. Destroy it, whatever the result.
/// @param meter remains the caller's
atemi_status strike_workspace_create(const strike_setup *setup, const strike_grid *grid,
                                     strike_meter *meter, strike_workspace *work,
                                     atemi_error *error);
void         strike_workspace_destroy(strike_workspace *work);
