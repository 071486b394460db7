// SPDX-License-Identifier: Apache-2.0

/// @file
/// Grippers that close on rails: jaws pull, and lock where little is left.

#pragma once

#include "jobs/control/control_log.h"
#include "jobs/control/control_loop.h"

typedef enum grip_state { GRIP_CLOSING, GRIP_CLOSED, GRIP_FAILED } grip_state;

typedef struct control_grip {
    grip_state state;
    int        link, rail;
    double     begun, ended; ///< s
    double     off;          ///< m from the rail as it began
    double     left;         ///< m from it now, or as it ended
    double     left_turn;    ///< rad
    double     force;        ///< N, the largest of the jaws
} control_grip;

typedef struct control_grips {
    int           count;
    control_grip *grips; ///< [tasks] a task begins one at most
} control_grips;

/// Begins to close a gripper.
void atemi_control_grip(control_grips *grips, control_loop *loop, int link, int rail);

/// Opens it.
void atemi_control_release(control_loop *loop, control_log *log, int link);

/// One step: whether jaws lock, or give up.
void atemi_control_grips_step(control_grips *grips, control_loop *loop, control_log *log);

/// Whether any closes still; and the first that failed, or NULL.
bool                atemi_control_grips_close(const control_grips *grips);
const control_grip *atemi_control_grips_failed(const control_grips *grips);
