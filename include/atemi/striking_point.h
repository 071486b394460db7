// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where a robot strikes: with one hand, or with two that hit the same target at the same time.
///
/// Hands that strike together carry the force of the blow in equal parts, and what moves is their
/// mean:
///
///     u = n . mean of the hands' velocities,     f / hands on each of them
///
/// so that two hands are one point whose Jacobian is the mean of theirs. See docs/theory/blow.md on
/// when that is exact.

#pragma once

#include "atemi/data.h"
#include "atemi/error.h"

ATEMI_BEGIN

enum { ATEMI_STRIKE_MAX_HANDS = 2 };

/// A point of a link.
typedef struct atemi_striking_hand {
    int        link;
    atemi_vec3 point; ///< in the link's frame
} atemi_striking_hand;

/// Where the robot strikes.
typedef struct atemi_striking_point {
    int                 link;
    atemi_vec3          point;     ///< in the link's frame
    atemi_vec3          direction; ///< n: world axes, unit length, from the robot into what it hits
    int                 more;      ///< hands that strike with this one
    atemi_striking_hand others[ATEMI_STRIKE_MAX_HANDS - 1]; ///< [more]
} atemi_striking_point;

/// Refuses links that there are not, points that are not finite, a direction that is not of length
/// 1, and more hands than ATEMI_STRIKE_MAX_HANDS.
ATEMI_API atemi_status atemi_striking_point_check(const atemi_model          *model,
                                                  const atemi_striking_point *point,
                                                  atemi_error                *error);

/// How many hands strike.
ATEMI_API int atemi_striking_point_hands(const atemi_striking_point *point);

/// One of them, from 0 on.
ATEMI_API atemi_striking_hand atemi_striking_point_hand(const atemi_striking_point *point,
                                                        int                         hand);

/// Where a hand is in the world, at the state of the data.
ATEMI_API atemi_vec3 atemi_striking_point_place(const atemi_data           *data,
                                                const atemi_striking_point *point, int hand);

/// The speed of a hand along the direction, m/s.
ATEMI_API double atemi_striking_point_speed(const atemi_data           *data,
                                            const atemi_striking_point *point, int hand);

/// The acceleration of all hands along the direction, their mean, m/s^2. Needs an update with `v`
/// and `a`.
ATEMI_API double atemi_striking_point_acceleration(const atemi_data           *data,
                                                   const atemi_striking_point *point);

/// Adds what a blow does to the robot, -force along the direction, to the forces on its links, in
/// world axes at their origins.
/// @param loads [link_count]
ATEMI_API void atemi_striking_point_add_force(const atemi_data           *data,
                                              const atemi_striking_point *point, double force,
                                              atemi_force *loads);

ATEMI_END
