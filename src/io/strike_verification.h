// SPDX-License-Identifier: Apache-2.0

/// @file
/// A planned strike by full dynamics: the servos follow the motion with its torques fed forward,
/// the feet may lift and slip, the target is a body of its own.

#pragma once

#include "atemi/full_blow.h"
#include "atemi/strike_motion.h"
#include "io/strike_scenario.h"

/// What is seen at each instant of the motion.
typedef struct atemi_strike_track {
    int     count;                          ///< instants
    double *force, *zmp_x, *zmp_y, *margin; ///< [count] NaN where not known
} atemi_strike_track;

typedef struct atemi_strike_verification {
    atemi_full_blow_result result;
    bool                   went_on;                           ///< to its end
    char                   trouble[ATEMI_ERROR_MESSAGE_SIZE]; ///< why it did not
    double                 tilt; ///< of the base off its reference at the end, rad
    atemi_strike_track     track;
} atemi_strike_verification;

/// Simulates the motion and some time after it.
/// @param place of the target's face
atemi_status atemi_strike_verify(const atemi_strike_scenario *scenario,
                                 const atemi_strike_motion *motion, atemi_vec3 place,
                                 atemi_strike_verification *verification, atemi_error *error);
void         atemi_strike_verification_destroy(atemi_strike_verification *verification);
