// SPDX-License-Identifier: Apache-2.0

/// @file
/// How posture and trajectories of a strike change with its variables, along all directions at once
/// (see strike_component_derivatives.h). Times that are decided count as constant.

#pragma once

#include "plan/motion/strike_trajectory.h"
#include "plan/slopes/strike_component_derivatives.h"

typedef struct strike_trajectory_derivatives_workspace {
    strike_component_workspace components;
    double                    *mean, *near; ///< [v_count x stride]
    double                    *legs;        ///< [v_count x 6 feet]
    double                    *rows;        ///< [6 x v_count]
    double                    *moves;       ///< [6 x stride]
} strike_trajectory_derivatives_workspace;

strike_trajectory_derivatives_workspace
strike_trajectory_derivatives_workspace_take(atemi_arena *arena, const strike_setup *setup,
                                             const strike_directions *directions);

/// Lays out a trajectory of derivatives: its vectors have a row for each velocity.
/// @param dq, dv, components those of first touch, kept elsewhere
strike_trajectory strike_trajectory_derivatives_take(atemi_arena *arena, const strike_setup *setup,
                                                     const strike_directions *directions,
                                                     const strike_grid *grid, double *dq,
                                                     double *dv, strike_components components);

/// The derivatives of the posture at first touch.
/// @param q  where strike_posture_find() has found it
/// @param dq [v_count x stride] result
void strike_posture_vary(const strike_setup *setup, const strike_variables *variables,
                         const strike_directions *directions, const strike_values *x,
                         const double *q, const atemi_kinematics *kinematics,
                         atemi_inverse_kinematics_scratch        *ik,
                         strike_trajectory_derivatives_workspace *work, double *dq);

/// Follows both trajectories, as strike_trajectories_follow() does, together with their
/// derivatives.
/// @param derivatives knot 0 is filled, except for the slopes
/// @return false if goals depend on each other somewhere: then derivatives are not known
bool strike_trajectories_vary(const strike_setup *setup, const strike_directions *directions,
                              const strike_values *x, strike_velocity_workspace *velocities,
                              strike_trajectory_workspace             *trajectory,
                              strike_trajectory_derivatives_workspace *work,
                              strike_trajectory trajectories[2], strike_trajectory derivatives[2]);

/// The derivatives of configuration, velocities and accelerations `time` away from first touch.
/// @param dq, dv, da [v_count x stride] results
void strike_trajectory_vary_at(const strike_setup *setup, const strike_directions *directions,
                               const strike_trajectory *path, const strike_trajectory *derivative,
                               double time, strike_trajectory_workspace *memory,
                               strike_trajectory_derivatives_workspace *work, double *dq,
                               double *dv, double *da);
