// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer motion. Trajectories of one number over time: cubic and quintic polynomials between given
/// values, and trapezoidal velocity profiles.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>

ATEMI_BEGIN

/// A coordinate at one instant. The unit is the coordinate's own.
typedef struct atemi_axis_state {
    double position;
    double velocity;     ///< 1/s
    double acceleration; ///< 1/s^2
} atemi_axis_state;

// ---- Polynomials

// Before its first instant and after its last one each goes on at the speed it has there.

/// The cubic polynomial from rest to rest, [STRIKE] III-C.
/// @param duration s, positive
/// @param time     s, since the start
ATEMI_API atemi_axis_state atemi_cubic_rest_at(double from, double to, double duration,
                                               double time);

/// The cubic polynomial between two positions with two velocities; the accelerations of the ends
/// do not count.
ATEMI_API atemi_axis_state atemi_cubic_at(const atemi_axis_state *start,
                                          const atemi_axis_state *end, double duration,
                                          double time);

/// The quintic polynomial between two positions, velocities and accelerations.
ATEMI_API atemi_axis_state atemi_quintic_at(const atemi_axis_state *start,
                                            const atemi_axis_state *end, double duration,
                                            double time);

// ---- Trapezoidal velocity profiles

// The shortest trajectory of an axis from one position and velocity to another under limits of
// velocity and acceleration, and the same in a given longer time, so that several axes arrive
// together ([R2] trajectory manager). Velocities are continuous, accelerations jump.

/// What is asked of one axis. The accelerations of the ends do not count.
typedef struct atemi_trapezoid_task {
    atemi_axis_state start, end;
    double           velocity;     ///< the bound of |velocity|, positive; may be infinite
    double           acceleration; ///< the bound of |acceleration|, positive
} atemi_trapezoid_task;

/// Three, and one more at each end that is faster than the bound.
enum { ATEMI_TRAPEZOID_MAX_PIECES = 5 };

/// A profile in pieces of constant acceleration.
///
/// A start that is faster than the bound is first braked to it; an end that is faster is reached by
/// accelerating beyond it at last.
typedef struct atemi_trapezoid {
    int              count;                                 ///< of pieces
    double           durations[ATEMI_TRAPEZOID_MAX_PIECES]; ///< s
    atemi_axis_state states[ATEMI_TRAPEZOID_MAX_PIECES];    ///< at the start of each piece
    double           duration;                              ///< s, of the whole
    atemi_axis_state end;
} atemi_trapezoid;

/// The profile of least duration.
/// @return false where the task is not finite or a bound not positive, and nothing is written then
ATEMI_API bool atemi_trapezoid_fastest(const atemi_trapezoid_task *task, atemi_trapezoid *profile);

/// The profile that takes `duration`, if there is one, otherwise the next longer duration that has
/// one. Not every one has: an axis that starts and ends fast either slows down in between, which
/// takes little more time, or turns round and comes back, which takes much more.
ATEMI_API bool atemi_trapezoid_in(const atemi_trapezoid_task *task, double duration,
                                  atemi_trapezoid *profile);

/// The profiles of several axes that all take the same time: `duration`, or the least longer one
/// that every axis can take.
/// @param profiles [count] result
ATEMI_API bool atemi_trapezoid_synchronize(const atemi_trapezoid_task *tasks, int count,
                                           double duration, atemi_trapezoid *profiles);

/// The state at a time since the start; before and after, the axis goes on at the speed that it has
/// there.
ATEMI_API atemi_axis_state atemi_trapezoid_at(const atemi_trapezoid *profile, double time);

ATEMI_END
