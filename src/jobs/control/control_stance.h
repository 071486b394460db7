// SPDX-License-Identifier: Apache-2.0

/// @file
/// How a robot stands on its contacts: where they press, whether they slide, whether it fell.

#pragma once

#include "dynamics/kinematics.h"
#include "jobs/control/control_session.h"

enum { CONTROL_FALL_TEXT = 200 }; // longer ones are cut

typedef struct control_stance {
    int              contact_count; ///< 0 for a robot that does not stand
    atemi_kinematics kinematics;
    double           height;                    ///< m, of the centre of mass, first; world
    atemi_vec3       places[CONTROL_MAX_HOLDS]; ///< of the contacts at the beginning
    bool             lifted[CONTROL_MAX_HOLDS];
    double           slide; ///< m, that a contact went across at most
    double      edge;    ///< least distance of a centre of pressure from an edge, of the half side
    double      missing; ///< the most that the contacts cannot give, as commanded
    double      fell;    ///< s, when; infinite before
    char        fall[CONTROL_FALL_TEXT]; ///< in words
    atemi_arena arena;
} control_stance;

/// Where a contact presses.
typedef struct control_pressure {
    double push;   ///< N
    double x, y;   ///< m, along the axes of the contact from its middle; NaN where nothing presses
    double margin; ///< from the nearest edge, of the half side; negative for none
} control_pressure;

control_pressure atemi_control_pressure(const control_session *session, int contact);

atemi_status atemi_control_stance_create(const control_session *session, control_stance *stance,
                                         atemi_error *error);
void         atemi_control_stance_destroy(control_stance *stance);

/// After each step of the coordination.
void atemi_control_stance_step(control_stance *stance, const control_session *session);

/// Adds results, if the robot stands.
atemi_status atemi_control_stance_report(const control_stance *stance, atemi_recording *recording,
                                         atemi_error *error);
