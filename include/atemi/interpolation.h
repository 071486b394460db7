// SPDX-License-Identifier: Apache-2.0

/// @file
/// Smooth ways of one number between given values: cubic and quintic polynomials of time. Before
/// its first instant and after its last one each goes on at the speed it has there.

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

ATEMI_END
