// SPDX-License-Identifier: Apache-2.0

/// @file
/// How objective and constraints of the blow change with the variables: exactly.

#pragma once

#include "atemi/blow_derivatives.h"
#include "plan/slopes/strike_slopes.h"

/// What is needed to find them.
typedef struct strike_blow_derivatives {
    atemi_virtual_base_derivatives *posture;
    atemi_blow_derivatives_scratch *blow;
    double                         *drift;          ///< [stride]
    double                         *q, *v;          ///< [v_count x stride] of a case that moves
    double                         *motion;         ///< [6 feet x stride] wrenches of the motion
    double                         *wrenches;       ///< [samples x 6 feet x stride] of the blow
    double                         *forces;         ///< [v_count x stride]
    double                         *places;         ///< [3 feet x stride] of the feet
    double                         *moved;          ///< [2 x stride] the ZMP
    double                         *rest, *missing; ///< [v_count]
} strike_blow_derivatives;

/// Lays it out on an arena.
strike_blow_derivatives strike_blow_derivatives_take(atemi_arena *arena, const strike_setup *setup,
                                                     const strike_directions *directions);

/// The slopes of strike_constrain_blow(), and of the objective.
/// @param derivatives after strike_derivatives_find()
/// @param objective   [stride] result
/// @return false if the floor or the blow have no derivatives: then they are not found
bool strike_blow_slopes(const strike_setup *setup, const strike_evaluation *at,
                        strike_workspace *work, strike_derivatives *derivatives,
                        strike_blow_derivatives *blow, strike_slopes *slopes, double *objective);
