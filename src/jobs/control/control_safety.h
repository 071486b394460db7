// SPDX-License-Identifier: Apache-2.0

/// @file
/// What people beside a robot feel, against what they bear; and since when the robot is slow.

#pragma once

#include "jobs/control/control_session.h"

/// What a person felt.
typedef struct control_touching {
    double begun, last;         ///< s, of the contact under way or the last one; NaN before any
    double transient, pressing; ///< N, largest within transient_time of its begin, and later
    double longest;             ///< s, of a contact
    double moved;               ///< m, that the body gave way
    bool   is_noted;
} control_touching;

typedef struct control_safety {
    const control_scenario *scenario;
    control_touching       *people;      ///< [person_count]
    double                  last_motion; ///< s, when a joint was not slow; 0: never
    double                  time;        ///< s, of the last tick
    double                  speed;       ///< rad/s or m/s, of the fastest joint then
    atemi_arena             arena;
} control_safety;

enum { CONTROL_SAFETY_TEXT = 300 }; // longer ones are cut

atemi_status atemi_control_safety_create(const control_scenario *scenario, control_safety *safety,
                                         atemi_error *error);
void         atemi_control_safety_destroy(control_safety *safety);

/// After each tick.
void atemi_control_safety_tick(control_safety *safety, const control_session *session);

/// The force of what people felt, in their limits: above 1 where one was exceeded; NaN where none
/// is set.
double atemi_control_safety_part(const control_safety *safety);

/// Which limit was exceeded most, by how much, and the cure.
/// @param text [CONTROL_SAFETY_TEXT] result
void atemi_control_safety_describe(const control_safety *safety, char *text);

/// Adds results and the table "people".
atemi_status atemi_control_safety_report(const control_safety *safety, atemi_recording *recording,
                                         atemi_error *error);
