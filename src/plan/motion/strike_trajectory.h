// SPDX-License-Identifier: Apache-2.0

/// @file
/// The trajectories of a strike: where the joints are before and after the blow, and how fast, at a
/// few knots and, interpolated, between them.

#pragma once

#include "plan/touch/strike_components.h"

enum { STRIKE_MAX_KNOTS = 9 }; ///< of a phase, first touch aside: those of the fine grid

/// Where a trajectory is known, and where it is looked at, as fractions of the hand's time up to 1,
/// and from there to 2 of what is left until the body rests.
typedef struct strike_grid {
    int           hand_knots, knots; ///< while the hand moves, and in all; of STRIKE_MAX_KNOTS
    const double *knot_fractions;    ///< [knots]
    int           instants;          ///< at which torques and friction are looked at
    const double *instant_fractions; ///< [instants + 1] the first is first touch
} strike_grid;

/// The grid of a plan, and one on which the search looks around: a rough one, in half the time.
extern const strike_grid strike_fine_grid, strike_rough_grid;

/// An instant of the trajectory.
typedef struct strike_knot {
    double            time;   ///< away from first touch, s
    double            travel; ///< see strike_trajectory.c
    double           *q;      ///< [q_count]
    double           *v;      ///< [v_count]
    strike_components components;
    strike_components slopes; ///< of the components, by the travel
} strike_knot;

enum { STRIKE_LOOKS = 3 }; ///< parts of a segment at whose ends velocities are looked at

/// One phase.
typedef struct strike_trajectory {
    const strike_grid *grid;
    double             sign;       ///< -1 before the blow, where time runs back
    double             hand, body; ///< times of the goals, s
    strike_knot        knots[STRIKE_MAX_KNOTS + 1];
} strike_trajectory;

/// What is needed to follow one.
typedef struct strike_trajectory_workspace {
    double *mean_v; ///< [v_count]
    double *near_q; ///< [q_count]
} strike_trajectory_workspace;

strike_trajectory_workspace strike_trajectory_workspace_take(atemi_arena       *arena,
                                                             const atemi_model *model);

/// Lays a trajectory out on an arena.
/// @param q, v, components those of first touch, kept elsewhere
strike_trajectory strike_trajectory_take(atemi_arena *arena, const atemi_model *model,
                                         const strike_grid *grid, double *q, double *v,
                                         strike_components components);

/// Of a goal's value at first touch, the fraction at a time. It rises from rest within `rise` and
/// falls to rest within `fall`.
double strike_fraction_at(double time, double rise, double fall);

/// Its integral from first touch to `time` away from it, with the time T of that phase.
double strike_fraction_integral(double T, double time);

/// The time away from first touch of a fraction of the trajectory, see strike_grid.
double strike_trajectory_time(const strike_trajectory *path, double fraction);

/// Follows both trajectories from the posture and the components of first touch.
/// @param paths before and after the blow; knot 0 is filled
void strike_trajectories_follow(const strike_setup *setup, const strike_values *x,
                                strike_velocity_workspace   *velocities,
                                strike_trajectory_workspace *work, strike_trajectory paths[2]);

/// Only knot 0 of both, with its slopes: velocities and accelerations of first touch are known
/// then.
void strike_trajectories_start(const strike_setup *setup, const strike_values *x,
                               strike_velocity_workspace   *velocities,
                               strike_trajectory_workspace *work, strike_trajectory paths[2]);

/// All velocities at a time away from first touch, in the segment that ends with a knot.
/// @param v, a [v_count]; `a` or NULL
void strike_trajectory_velocities(const strike_trajectory *path, int knot, double time, int count,
                                  double *v, double *a);

/// Configuration, velocities and accelerations `time` away from first touch.
/// @param q, v, a results; `a` or NULL
void strike_trajectory_at(const atemi_model *model, const strike_trajectory *path, double time,
                          strike_trajectory_workspace *work, double *q, double *v, double *a);

// ---- Steps of strike_trajectories_follow(). All of them are linear in components and velocities,
// and so hold for derivatives as well: `count` is that of the numbers in each vector.

/// Signs and times of both trajectories and their knots.
void strike_trajectories_begin(const strike_values *x, strike_trajectory paths[2]);

/// A short time after first touch, at which the components give their first slopes; and those
/// slopes, from the components there, which stand in their place. Before first touch, travel grows
/// against time.
double strike_first_step(const strike_values *x);
void   strike_first_slopes(double h, int count, strike_trajectory paths[2]);

/// The knot that ends the segment of a time.
int strike_trajectory_knot(const strike_trajectory *path, double time);

/// Components at knot k that go on along their slope from the knot before.
void strike_trajectory_extrapolate(strike_trajectory *path, int k, int count);

/// The slopes, now that the components at knot k are known.
void strike_trajectory_find_slopes(strike_trajectory *path, int k, int count);

/// What velocities and accelerations take of the knots at both ends of a segment.
/// @param v, a [STRIKE_ENDS] of the hand's component and its slope at the beginning, the same at
///             the end; then of the body's
enum { STRIKE_ENDS = 8 };
void strike_trajectory_weights(const strike_trajectory *path, int knot, double time, double *v,
                               double *a);

/// How often posture and components of a knot are found in turn.
int strike_trajectory_passes(int knot);

/// The mean velocities from the beginning of a knot's segment to a time in it.
/// @param mean [count] result
/// @return the time from there, negative where it runs back
double strike_trajectory_mean(const strike_trajectory *path, int knot, double time, int count,
                              double *mean);
