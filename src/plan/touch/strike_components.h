// SPDX-License-Identifier: Apache-2.0

/// @file
/// Joint velocities at a posture in two components: what the hand's goal and what the body's goals
/// ask for, at their values of first touch. While the goals are at fractions of these values, the
/// joint velocities are the components times the fractions.

#pragma once

#include "plan/touch/strike_goals.h"

/// The components.
typedef struct strike_components {
    double *hand, *body; ///< [v_count]
} strike_components;

/// The goals without the base; see strike_components.c.
typedef struct strike_reduction {
    int     count;      ///< rows of C, independent
    int     stride;     ///< of S
    bool    consistent; ///< all rows of hands and body are independent
    double  y[6];
    double *X, *C, *weighted, *S, *ease, *scale, *shift, *squares, *z, *hand, *body;
    int    *goals; ///< [count] rows of the goals
} strike_reduction;

/// What is needed to find joint velocities.
typedef struct strike_velocity_workspace {
    atemi_velocity_goals goals;
    double              *weights; ///< [v_count]
    strike_reduction     reduction;
} strike_velocity_workspace;

strike_components         strike_components_take(atemi_arena *arena, const atemi_model *model);
strike_velocity_workspace strike_velocity_workspace_take(atemi_arena        *arena,
                                                         const strike_setup *setup);

/// The components at a posture, with feet that stay as they are.
void strike_components_find(const strike_setup *setup, const strike_values *x, const double *q,
                            strike_velocity_workspace *work, const strike_components *components);

/// The joint velocities at a posture and a time before or after first touch, in one piece.
/// @param foot_gain 1/s, with which feet go back to their places
void strike_velocities_at(const strike_setup *setup, const strike_values *x, const double *q,
                          double time, double foot_gain, strike_velocity_workspace *work,
                          double *v);
