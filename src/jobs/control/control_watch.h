// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a control job comes to: figures of the whole run, of each motion of nodes, of each goal and
/// of each grip.

#pragma once

#include "dynamics/kinematics.h"
#include "jobs/control/control_session.h"

/// The motion of the first node of a task, as it really went.
typedef struct control_motion {
    int    task;
    double begun;    ///< s
    double distance; ///< m, from where it was to its target
    double moved;    ///< m, that it really went
    double tracking; ///< m, largest distance from where it was commanded to be
    double off_line; ///< m, largest distance from the line to its target
    double error;    ///< m from its target, at last
    double rotation; ///< rad, likewise
    double force;    ///< N, the largest at any contact
} control_motion;

enum { CONTROL_STOP_TEXT = 400 }; // longer ones are cut

typedef struct control_watch {
    int              motion_count;
    control_motion  *motions;    ///< [tasks] a task begins one at most
    atemi_transform  begin;      ///< of the motion under way
    int              given;      ///< motions of the sequence so far
    atemi_kinematics kinematics; ///< of what is commanded

    double     *demands, *forward; ///< [joints] of the step before
    bool        has_before;
    double      torque_step, forward_step; ///< N m a step
    double      base_step; ///< N m a step, of what is demanded while the base is switched
    double      feedback;  ///< N m
    double      current;   ///< A
    double      torque_part, speed_part; ///< of the joints' limits
    double      contact_force, hand_force, hold_force, hold_moment;
    double      hand_forces[CONTROL_MAX_HANDS];
    double      deviation; ///< rad, of a joint with a spring
    double      energy;    ///< J
    int         safe_stops;
    bool       *begun;                         ///< [faults] that are put in
    bool       *stopped;                       ///< [joints]
    unsigned   *noted;                         ///< [joints] faults that were noted
    char        first_stop[CONTROL_STOP_TEXT]; ///< in words
    atemi_arena arena;
} control_watch;

atemi_status atemi_control_watch_create(const control_scenario *scenario, control_watch *watch,
                                        atemi_error *error);
void         atemi_control_watch_destroy(control_watch *watch);

/// After each step of the coordination.
void atemi_control_watch_step(control_watch *watch, const control_session *session);

/// After each tick: what may be short.
void atemi_control_watch_tick(control_watch *watch, const control_session *session);

/// Adds results and tables.
atemi_status atemi_control_watch_report(const control_watch *watch, const control_session *session,
                                        bool completed, atemi_recording *recording,
                                        atemi_error *error);
