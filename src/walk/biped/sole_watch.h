// SPDX-License-Identifier: Apache-2.0

/// @file
/// Watches what the feet of a walk in three dimensions do on the floor.

#pragma once

#include "atemi/biped.h"

/// What may make a foot slip now.
typedef struct sole_surroundings {
    double load;      ///< of the weight, on the foot
    bool   is_pushed; ///< an external force acts on the robot
    bool   is_on_ice; ///< a corner is on a patch with less friction than the floor
} sole_surroundings;

/// A foot.
typedef struct sole_watch {
    atemi_sole_state state;
    double           landed;                      ///< when, s
    atemi_sole_slip  slip;                        ///< so far
    double           time;                        ///< of the last look
    atemi_vec3       corners[ATEMI_SOLE_CORNERS]; ///< where they were then
} sole_watch;

/// Begins to look at a foot.
void sole_watch_start(sole_watch *watch, double time, const atemi_point_state *corners);

/// Looks at a foot after a tick.
/// @param corners [ATEMI_SOLE_CORNERS] of that foot
/// @return whether a slip that counts has ended, which then is in `watch->slip`
bool sole_watch_look(sole_watch *watch, int foot, double time, const atemi_point_state *corners,
                     const sole_surroundings *around);
