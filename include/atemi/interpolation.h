// SPDX-License-Identifier: Apache-2.0

/// @file
/// Smooth ways of one number between given values: cubic, quintic, and piecewise cubic polynomials
/// of time. Before its first instant and after its last one each goes on at the speed it has there.

#pragma once

#include "atemi/api.h"

ATEMI_BEGIN

/// A coordinate at one instant. The unit is the coordinate's own.
typedef struct atemi_axis_state {
    double position;
    double velocity;     ///< 1/s
    double acceleration; ///< 1/s^2
} atemi_axis_state;

/// The cubic polynomial from rest to rest, [STRIKE] III-C.
/// @param duration s, positive
/// @param time     s, since the start
ATEMI_API atemi_axis_state atemi_cubic_rest_at(double from, double to, double duration,
                                               double time);

/// The cubic polynomial between two positions with two velocities; the accelerations of the ends
/// play no part.
ATEMI_API atemi_axis_state atemi_cubic_at(const atemi_axis_state *start,
                                          const atemi_axis_state *end, double duration,
                                          double time);

/// The quintic polynomial between two positions, velocities and accelerations.
ATEMI_API atemi_axis_state atemi_quintic_at(const atemi_axis_state *start,
                                            const atemi_axis_state *end, double duration,
                                            double time);

/// Cubic polynomials through knots.
typedef struct atemi_piecewise_cubic {
    int           count;  ///< of knots, at least 1
    const double *times;  ///< [count] increasing
    const double *values; ///< [count]
    const double *slopes; ///< [count]; NULL for zero at every knot, so that nothing overshoots
} atemi_piecewise_cubic;

/// The state at a time. O(log count).
ATEMI_API atemi_axis_state atemi_piecewise_cubic_at(const atemi_piecewise_cubic *curve,
                                                    double                       time);

/// The slopes with which the acceleration is continuous as well (the cubic spline), for given
/// slopes at both ends.
/// @param slopes [count] result
/// @param work   [count]
ATEMI_API void atemi_spline_slopes(int count, const double *times, const double *values,
                                   double first_slope, double last_slope, double *work,
                                   double *slopes);

ATEMI_END
