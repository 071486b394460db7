// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a sequence of tasks.

#pragma once

#include "atemi/task_sequence.h"
#include "control/tap_detector.h"
#include "dynamics/kinematics.h"

struct atemi_task_sequence {
    const atemi_model           *model;
    atemi_coordination          *coordination;
    const atemi_control_task    *tasks;
    int                          task_count, joint_count;
    atemi_sequence_options       options;
    const atemi_sequence_senses *senses; ///< of the step under way

    atemi_sequence_report state;
    atemi_node_target    *nodes;  ///< [nodes] of the largest task
    atemi_transform      *starts; ///< [nodes] of the largest task
    bool                  begun;
    double                cued;        ///< s: since when the cue of the next task is there; or NaN
    double                given;       ///< s: when the task before it was
    bool                  is_reported; ///< the goal of the last motion
    bool                  tapped;
    tap_detector          detector;
    atemi_error           failure;

    atemi_kinematics    kinematics; ///< of what is commanded
    atemi_joint_target *targets;    ///< [joints]
    atemi_arena         arena;
};

/// Gives a motion, the task that is next, and notes its goal.
atemi_status atemi_sequence_begin_motion(atemi_task_sequence *s, const atemi_control_task *task,
                                         atemi_error *error);

/// Gives the last motion again.
atemi_status atemi_sequence_continue_motion(atemi_task_sequence *s, atemi_error *error);

/// Moves the command to where joints are.
atemi_status atemi_sequence_stay(atemi_task_sequence *s, const atemi_control_task *task,
                                 atemi_error *error);
