// SPDX-License-Identifier: Apache-2.0

/// @file
/// The states of a gait and the ways between them, [WALK] Fig. 10, as data: what each foot does on
/// the floor, what ends that, and how often and how long it was so.
///
/// A foot touches the floor with its sole (a surface), with heel or toe (a line), or not at all,
/// and sticks or slips. The supporting foot is the one that has been on the floor longer; when it
/// leaves, the other one supports. Both feet may be on the floor in any way: the states are all
/// pairs.

#pragma once

#include "atemi/simulation.h"

ATEMI_BEGIN

typedef enum atemi_foot_state {
    ATEMI_FOOT_AIR,
    ATEMI_FOOT_HEEL_STICK,
    ATEMI_FOOT_HEEL_SLIP,
    ATEMI_FOOT_TOE_STICK,
    ATEMI_FOOT_TOE_SLIP,
    ATEMI_FOOT_SOLE_STICK,
    ATEMI_FOOT_SOLE_SLIP,
    ATEMI_FOOT_STATES,
} atemi_foot_state;

/// What a foot's state ends with: the quantity that becomes zero.
typedef enum atemi_gait_guard {
    ATEMI_GUARD_NONE,          ///< this side of the state does not change
    ATEMI_GUARD_HEEL_GAP,      ///< the heel reaches the floor: a bump
    ATEMI_GUARD_TOE_GAP,       ///< the toe does
    ATEMI_GUARD_SOLE_GAP,      ///< heel and toe do at once
    ATEMI_GUARD_HEEL_PRESSURE, ///< the heel's normal force vanishes: the pressure is at the toe
    ATEMI_GUARD_TOE_PRESSURE,  ///< the toe's does: the pressure is at the heel
    ATEMI_GUARD_FORCE,         ///< the foot's normal force vanishes
    ATEMI_GUARD_HEEL_ROCK,     ///< the heel's bump lifts the toe
    ATEMI_GUARD_TOE_ROCK,      ///< the toe's bump lifts the heel
    ATEMI_GUARD_FRICTION,      ///< friction reaches its limit, K f_n - |f_t|
    ATEMI_GUARD_SPEED,         ///< the sliding speed vanishes
} atemi_gait_guard;

/// A way from one state of a foot to another. Both parts may change at once, in a bump.
typedef struct atemi_gait_arrow {
    atemi_foot_state from, to;
    atemi_gait_guard touch; ///< ends how it touches
    atemi_gait_guard slide; ///< ends whether it slides, or starts it with the touch
} atemi_gait_arrow;

/// "air", "heel stick", "heel slip", "toe stick", "toe slip", "sole stick", "sole slip".
ATEMI_API const char *atemi_foot_state_text(atemi_foot_state state);

/// The condition in words, "" for none.
ATEMI_API const char *atemi_gait_guard_text(atemi_gait_guard guard);

/// The state of a foot whose heel and toe are in these modes.
ATEMI_API atemi_foot_state atemi_foot_state_of(atemi_contact_mode heel, atemi_contact_mode toe);

/// The way from one state to another one.
ATEMI_API atemi_gait_arrow atemi_gait_arrow_between(atemi_foot_state from, atemi_foot_state to);

enum { ATEMI_GAIT_FEET = 2 };

/// What a gait has been: counted and timed.
typedef struct atemi_gait_watch {
    double           time;                    ///< of the last look, s
    int              support;                 ///< the supporting foot
    atemi_foot_state states[ATEMI_GAIT_FEET]; ///< of left and right foot
    long             exchanges;               ///< of the supporting foot
    /// By the state of the supporting foot, then of the other one: how often, and how long, s.
    long   visits[ATEMI_FOOT_STATES][ATEMI_FOOT_STATES];
    double times[ATEMI_FOOT_STATES][ATEMI_FOOT_STATES];
    /// How often a foot went from one state to another.
    long arrows[ATEMI_FOOT_STATES][ATEMI_FOOT_STATES];
} atemi_gait_watch;

/// Begins to watch a simulation whose first four points are heel and toe of the left foot and heel
/// and toe of the right one.
ATEMI_API atemi_gait_watch atemi_gait_watch_start(const atemi_simulation *simulation);

/// Looks again: what has changed since then has changed now. Short states are seen only by one who
/// looks often.
/// @return whether the state of a foot has changed
ATEMI_API bool atemi_gait_watch_look(atemi_gait_watch *watch, const atemi_simulation *simulation);

ATEMI_END
