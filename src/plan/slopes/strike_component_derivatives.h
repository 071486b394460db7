// SPDX-License-Identifier: Apache-2.0

/// @file
/// How the components of the joint velocities change with the posture and with what is decided.
///
/// Derivatives are taken along several directions at once: those of the variables of a plan. Each
/// quantity has a row of derivatives, one for each direction, padded to `stride`.

#pragma once

#include "dynamics/derivatives.h"
#include "plan/touch/strike_components.h"

/// Which direction decides on a value of the motion; ATEMI_NONE if none does.
typedef struct strike_directions {
    int count, stride;
    int speed, lift, roll, pitch, com_x, com_y;
} strike_directions;

strike_directions strike_directions_of(const strike_variables *variables);

/// What is needed to find derivatives of the components.
typedef struct strike_component_workspace {
    atemi_derivatives_scratch derivatives;
    double                   *a, *tau;           ///< [v_count]
    double                   *dq, *dv, *da;      ///< [v_count x v_count]
    double                   *rows, *matrix;     ///< [6 x v_count]
    double                   *slopes;            ///< [v_count] of the weights
    atemi_force              *wrenches;          ///< [link_count]
    double                   *lambda;            ///< [rows] multipliers of the goals
    double                   *missing, *reduced; ///< [rows x stride]
    double                   *forces;            ///< [v_count x stride]
    double                   *few;               ///< [6 x stride]
} strike_component_workspace;

strike_component_workspace strike_component_workspace_take(atemi_arena             *arena,
                                                           const strike_setup      *setup,
                                                           const strike_directions *directions);

/// The derivatives of the components at a posture.
///
/// @param components at q, as strike_components_find() has just found them
/// @param velocities as it left them
/// @param dq         [v_count x stride] derivatives of the posture
/// @param result     [v_count x stride] each; of the hand NULL where it does not count
void strike_components_vary(const strike_setup *setup, const strike_directions *directions,
                            const double *q, const strike_components *components,
                            const strike_velocity_workspace *velocities, const double *dq,
                            strike_component_workspace *work, const strike_components *result);
