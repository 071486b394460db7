// SPDX-License-Identifier: Apache-2.0

/// @file
/// A control job that runs: its loop and its tasks, made from a scenario.

#pragma once

#include "jobs/control/control_log.h"
#include "jobs/control/control_scenario.h"

typedef struct control_session {
    const control_scenario *scenario;
    control_log            *log;
    atemi_control_loop     *loop;
    atemi_task_sequence    *sequence;
    atemi_whole_body_plant *plant;        ///< of the loop
    atemi_coordination     *coordination; ///< of the loop
} control_session;

/// The loop that a scenario asks for; arrays are the scenario's.
atemi_control_loop_options atemi_control_session_loop(const control_scenario *scenario);

/// @param session to be destroyed, whatever the result; it must not be moved
atemi_status atemi_control_session_create(const control_scenario *scenario, control_log *log,
                                          control_session *session, atemi_error *error);
void         atemi_control_session_destroy(control_session *session);

/// One step of the coordination, with the tasks that are due before it.
void atemi_control_session_step(control_session *session);

/// One tick, with the external forces of the scenario.
atemi_status atemi_control_session_tick(control_session *session, atemi_error *error);
