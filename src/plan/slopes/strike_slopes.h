// SPDX-License-Identifier: Apache-2.0

/// @file
/// How the constraints of the motion before and after a blow change with the variables: exactly,
/// from the derivatives of the trajectories.

#pragma once

#include "contact/stance_derivatives.h"
#include "plan/problem/strike_evaluation.h"
#include "plan/slopes/strike_trajectory_derivatives.h"

/// Where slopes are put, in the order of the constraints: a row for each direction.
typedef struct strike_slopes {
    int     stride;
    double *values;          ///< [constraints x stride] of those without parts
    double *parts;           ///< [parts x stride]
    int     next, next_part; ///< as in strike_rows
} strike_slopes;

/// The derivatives of an evaluation, and what is needed to find them.
typedef struct strike_derivatives {
    strike_directions                       directions;
    strike_trajectory_derivatives_workspace work;
    stance_derivatives                      stance;
    double                                 *q, *v; ///< [v_count x stride] at first touch
    strike_components                       components;
    strike_trajectory                       trajectories[2];
    double *at_q, *at_v, *at_a;          ///< [v_count x stride] at an instant
    double *seen_v, *seen_a;             ///< [looks x v_count] the velocities themselves
    double *tau;                         ///< [v_count x stride]
    double *forces;                      ///< [corners x 3 x stride]
    double *wrench, *link, *target;      ///< [6 x stride]
    double *rows;                        ///< [6 x v_count]
    double *along;                       ///< [v_count] a direction
    double *moved_q, *moved_v, *moved_a; ///< [q_count], [v_count] a motion along it
    double *corners;                     ///< [2 corners x stride] of the feet, along x and y
    double *reach; ///< [2 feet x stride] how far each foot is off, in place and orientation; where
                   ///< all stand, not found
} strike_derivatives;

/// Lays them out on an arena.
strike_derivatives strike_derivatives_take(atemi_arena *arena, const strike_setup *setup,
                                           const strike_variables *variables,
                                           const strike_grid      *grid);

/// Whether they can be found: the times of the motion are given.
bool strike_derivatives_are_known(const strike_setup *setup);

/// The derivatives of posture and trajectories of an evaluation, whose trajectories are found
/// again.
/// @return false if goals depend on each other somewhere: then they are not known
bool strike_derivatives_find(const strike_setup *setup, const strike_variables *variables,
                             strike_evaluation *at, strike_workspace *work,
                             strike_derivatives *derivatives);

/// How the wrench of a foot changes, into `derivatives->wrench`, from how the forces at its corners
/// do: in `derivatives->forces`, with that of the posture in `derivatives->at_q`.
void strike_wrench_slopes(const strike_setup *setup, const atemi_kinematics *kinematics, int foot,
                          const atemi_contact_point *points, const atemi_vec3 *forces, int count,
                          strike_derivatives *derivatives);

/// The slopes of strike_foot_grip() and strike_foot_edges(), for `derivatives->wrench`.
/// @param parts [2 x stride], [4 x stride] result
void strike_grip_slopes(const strike_setup *setup, int foot, atemi_force wrench, double friction,
                        const strike_derivatives *derivatives, double *parts);
void strike_edge_slopes(const strike_setup *setup, const atemi_kinematics *kinematics, int foot,
                        const strike_derivatives *derivatives, double *parts);

/// The slopes of strike_constrain_motion(), of strike_constrain_effort() and of
/// strike_constrain_clearance(), where the task has them.
void strike_motion_slopes(const strike_setup *setup, const strike_evaluation *at,
                          strike_workspace *work, strike_derivatives *derivatives,
                          strike_slopes *slopes);
