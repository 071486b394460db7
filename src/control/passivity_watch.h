// SPDX-License-Identifier: Apache-2.0

/// @file
/// A watch on the energy that feedback gives: a diverging interaction shows as energy out of
/// nowhere.
///
/// A spring and a damper between the commanded and the actual position give no more energy than was
/// put into them, however the command moves and whatever is touched. What the feedback of all
/// joints gives beyond that is summed up; where it exceeds a limit, the loop and what it touches
/// feed each other.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>

/// The feedback of one joint at one instant.
typedef struct atemi_feedback_port {
    double torque;    ///< of the feedback as measured, without what is fed forward, N m
    double error;     ///< commanded less actual position, rad
    double rate;      ///< actual less commanded velocity, rad/s
    double stiffness; ///< N m/rad
    double limit;     ///< of the feedback's torque, N m
} atemi_feedback_port;

/// The energy given so far, and whether it is too much.
typedef struct atemi_passivity_watch {
    double               limit;  ///< J
    double               leak;   ///< W that noise and rounding may give without counting
    double               excess; ///< J that came out of nowhere
    bool                 begun;
    int                  count;
    atemi_feedback_port *before; ///< [count] of the step before
} atemi_passivity_watch;

/// Lays the watch of `count` joints out on an arena.
/// @param limit J, positive
/// @param leak  W, not negative
atemi_passivity_watch atemi_passivity_watch_take(atemi_arena *arena, int count, double limit,
                                                 double leak);

/// One step.
/// @param ports  [count]
/// @param period s since the step before
/// @return whether the excess is within its limit
bool atemi_passivity_watch_step(atemi_passivity_watch *watch, const atemi_feedback_port *ports,
                                double period);

/// Forgets what it saw.
void atemi_passivity_watch_restart(atemi_passivity_watch *watch);
