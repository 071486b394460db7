// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a strike comes to at some values: posture, motion and blow, objective and constraints.

#pragma once

#include "plan/problem/strike_workspace.h"
#include "plan/touch/strike_balance.h"

/// What is seen of a blow.
typedef struct strike_outcome {
    atemi_blow_result blow;
    int               count; ///< instants, of STRIKE_BLOW_SAMPLES
    atemi_force       wrenches[STRIKE_BLOW_SAMPLES][ATEMI_STRIKE_MAX_FEET]; ///< of the floor
    atemi_force       motion[ATEMI_STRIKE_MAX_FEET]; ///< what the motion needs of it besides
} strike_outcome;

typedef struct strike_evaluation {
    bool          is_done; ///< all that follows is known
    strike_values values;
    // At first touch
    double           *q, *v; ///< [q_count], [v_count]
    atemi_motion      foot_errors[ATEMI_STRIKE_MAX_FEET];
    strike_components components; ///< of v
    atemi_kinematics  kinematics; ///< at q, v
    atemi_vec3        com;
    atemi_force       momentum; ///< about the world's origin
    strike_support    support;
    // Before and after it
    strike_trajectory trajectories[2];
    // The blow as planned
    strike_outcome outcome;
    // What it comes to
    double impact_margin, motion_margin; ///< the least of the ZMP, m
    double objective;
} strike_evaluation;

/// Lays it out on an arena.
void strike_evaluation_take(strike_evaluation *evaluation, atemi_arena *arena,
                            const strike_setup *setup, const strike_grid *grid);

/// Evaluates objective and constraints: a function of its inputs alone. No allocation.
///
/// @param known  an evaluation of the same strike, whose posture and blow are taken over where the
///               values do not change them; NULL for none. It may be the result itself. The blow
///               that is taken over is the same to rounding, so that the bits of a result may
///               depend on `known`
/// @param rows   where the constraints are put
/// @param at     result, see strike_evaluation_take(), which gives it its grid
void strike_evaluate(const strike_setup *setup, const strike_values *values,
                     const strike_evaluation *known, strike_workspace *work, strike_rows *rows,
                     strike_evaluation *at);

/// The same without the constraints of the motion before and after the blow, whose rows are passed
/// over. Of the trajectories only the first accelerations are found.
void strike_evaluate_touch(const strike_setup *setup, const strike_values *values,
                           const strike_evaluation *known, strike_workspace *work,
                           strike_rows *rows, strike_evaluation *at);
