// SPDX-License-Identifier: Apache-2.0

/// @file
/// The application above the coordination: gives the tasks of a scenario one after the other, each
/// when what it waits for is there.

#pragma once

#include "dynamics/kinematics.h"
#include "jobs/control/control_grips.h"

enum { CONTROL_REASON = 400 };

typedef struct control_program {
    const control_scenario *scenario;
    control_loop           *loop;
    control_log            *log;
    int                     next;  ///< task
    double                  cued;  ///< s: since when its cue is there; NaN while it is not
    double                  given; ///< s: when the task before it was

    int               motion; ///< task of the last motion, or ATEMI_NONE
    int               motions;
    int               goal; ///< of it
    bool              is_told;
    int               node_count; ///< of it
    atemi_node_target nodes[CONTROL_MOST_NODES];
    atemi_transform   from[CONTROL_MOST_NODES]; ///< where they were

    control_grips grips;
    atemi_vec3    slow;     ///< force in the load cell, smoothed, N
    double        quiet;    ///< s for which nothing has moved
    double        touched;  ///< s: since when it has changed; NaN while it has not
    double        strength; ///< N, of that change
    bool          tapped;
    int           taps;

    bool                failed;
    char                reason[CONTROL_REASON];
    atemi_kinematics    kinematics; ///< of what is commanded
    atemi_joint_target *targets;    ///< [joints] room
    atemi_arena         arena;
} control_program;

atemi_status atemi_control_program_create(control_loop *loop, control_log *log,
                                          control_program *program, atemi_error *error);
void         atemi_control_program_destroy(control_program *program);

/// Before a step of the coordination: gives what is due.
void atemi_control_program_step(control_program *program);

/// Finds where links are commanded to be.
void atemi_control_program_locate(control_program *program);

/// How the last motion is.
atemi_goal_outcome atemi_control_program_outcome(const control_program *program);
