// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer control. Tasks for a coordinated robot, one after the other, each when its cue is there:
/// at once, when nothing moves any more, when the last motion reached its goal, when someone taps
/// the robot.
///
///     const atemi_control_task tasks[] = {reach, hold_still};
///     atemi_task_sequence_create(model, coordination, tasks, 2, NULL, &sequence, &error);
///     every step: atemi_task_sequence_step(sequence, &senses);      // what is due is commanded
///                 atemi_coordination_step(coordination, ...);
///
/// The sequence commands the coordination (atemi/coordination.h) and asks for what a coordination
/// cannot do (grippers, a weight that is taken away) through hooks. After creation nothing here
/// allocates, locks or does I/O.

#pragma once

#include "atemi/coordination.h"

ATEMI_BEGIN

/// What a task does.
typedef enum atemi_task_action {
    ATEMI_TASK_JOINTS,   ///< moves joints
    ATEMI_TASK_NODES,    ///< moves nodes
    ATEMI_TASK_FOLLOW,   ///< lets joints follow breadcrumbs
    ATEMI_TASK_STOP,     ///< stops all joints, softly
    ATEMI_TASK_SET,      ///< sets stiffness, limits, gravity compensation
    ATEMI_TASK_STAY,     ///< moves the command to where joints are
    ATEMI_TASK_BASE,     ///< makes another link the base
    ATEMI_TASK_GRIP,     ///< closes a gripper on a rail, by its hook
    ATEMI_TASK_RELEASE,  ///< opens it, by its hook
    ATEMI_TASK_OFFLOAD,  ///< takes weight away or gives it back, by its hook
    ATEMI_TASK_CONTINUE, ///< gives the last motion again
    ATEMI_TASK_RESUME,   ///< goes on after an interaction that diverged
} atemi_task_action;

/// "joints", "nodes", "follow", "stop", "set", "stay", "base", "grip", "release", "offload",
/// "continue", "resume".
ATEMI_API const char *atemi_task_action_text(atemi_task_action action);

/// What a task waits for.
typedef enum atemi_task_cue {
    ATEMI_CUE_NOW,
    ATEMI_CUE_STILL,   ///< nothing moves and nothing is blended
    ATEMI_CUE_REACHED, ///< the last motion reached its goal; the sequence fails if it did not
    ATEMI_CUE_TAP,     ///< someone taps the robot
} atemi_task_cue;

/// Where a node shall go.
typedef struct atemi_task_node {
    atemi_node_target target;
    bool              is_relative; ///< from where it is commanded to be, not to target's position
    bool              keeps_rotation; ///< its orientation stays
    atemi_vec3        by;             ///< m beyond that, world axes
} atemi_task_node;

/// How joints shall be; NaN leaves a value as it is.
typedef struct atemi_joint_setting {
    const bool *joints;                           ///< [joints] that it is for
    double      natural_frequency, damping_ratio; ///< rad/s; both or neither
    double      torque_limit;                     ///< N m
    double      integral_rate;                    ///< 1/s
    double      gravity;                          ///< scale, 0 to 1
} atemi_joint_setting;

/// Commands a setting to a coordination.
ATEMI_API atemi_status atemi_joint_setting_command(const atemi_joint_setting *setting,
                                                   atemi_coordination        *coordination,
                                                   atemi_command_source source, atemi_error *error);

/// A task. Only what its action reads counts. Arrays are the caller's, as long as the sequence
/// lives.
typedef struct atemi_control_task {
    atemi_task_action action;
    atemi_task_cue    cue;
    double            at;       ///< s: not before
    double            wait;     ///< s after the cue; after the task before it for ATEMI_CUE_NOW
    double            duration; ///< s, of joints, stay and offload; 0 for as soon as possible

    int                       target_count;
    const atemi_joint_target *targets; ///< of ATEMI_TASK_JOINTS

    int                    node_count;
    const atemi_task_node *nodes;
    atemi_node_motion      motion; ///< of nodes; its joints are those below
    const bool            *joints; ///< [joints] that nodes may use, or that stay; NULL for all

    int           breadcrumb_joint_count, breadcrumb_count;
    const int    *breadcrumb_joints;
    const double *breadcrumbs; ///< [breadcrumb_count x breadcrumb_joint_count]

    atemi_joint_setting setting;
    int                 link, rail;       ///< of base, grip and release
    double              offload_fraction; ///< of the weight
} atemi_control_task;

/// What is reported while a sequence runs.
typedef enum atemi_sequence_event_kind {
    ATEMI_SEQUENCE_TASK,   ///< a task is given
    ATEMI_SEQUENCE_GOAL,   ///< the goal of the last motion ended
    ATEMI_SEQUENCE_TAP,    ///< a tap was felt
    ATEMI_SEQUENCE_FAILED, ///< a task could not be given
} atemi_sequence_event_kind;

typedef struct atemi_sequence_event {
    atemi_sequence_event_kind kind;
    double                    time;  ///< s
    int                       task;  ///< that is given, or failed
    const atemi_goal_record  *goal;  ///< that ended
    double                    force; ///< N, of a tap
} atemi_sequence_event;

/// What a sequence asks of whoever runs it. Each may be NULL: nothing happens then.
typedef struct atemi_sequence_hooks {
    void *context;
    void (*grip)(void *context, int link, int rail);
    void (*release)(void *context, int link);
    void (*offload)(void *context, double fraction, double duration);
    /// Called once a step: brings grippers up to date. A failure ends the sequence, with its
    /// message.
    atemi_status (*update)(void *context, atemi_error *error);
    /// Whether grippers close or weight changes: not yet ATEMI_CUE_STILL.
    bool (*is_busy)(void *context);
    /// Whether a link is held: motions of nodes then leave it where it is.
    bool (*is_held)(void *context, int link);
    void (*report)(void *context, const atemi_sequence_event *event);
} atemi_sequence_hooks;

typedef struct atemi_sequence_options {
    double               period;        ///< of a step, s; 0.02
    double               tap_threshold; ///< N, change of the force that is a tap; 8
    int                  max_holds;     ///< links that are held at a time; 4
    atemi_sequence_hooks hooks;         ///< none
} atemi_sequence_options;

/// The values said above.
ATEMI_API atemi_sequence_options atemi_sequence_options_default(void);

typedef struct atemi_task_sequence atemi_task_sequence;

/// Creates a sequence. Model, coordination and tasks must live as long as it does.
/// @param options NULL for the defaults
/// @return ATEMI_ERROR_MEMORY
ATEMI_API atemi_status atemi_task_sequence_create(const atemi_model        *model,
                                                  atemi_coordination       *coordination,
                                                  const atemi_control_task *tasks, int task_count,
                                                  const atemi_sequence_options *options,
                                                  atemi_task_sequence         **sequence,
                                                  atemi_error                  *error);

/// Releases the sequence. NULL is fine.
ATEMI_API void atemi_task_sequence_destroy(atemi_task_sequence *sequence);

/// What a step knows of the robot.
typedef struct atemi_sequence_senses {
    double            time;       ///< s
    const double     *positions;  ///< [joints] as measured
    const atemi_vec3 *cell_force; ///< N, in a load cell that feels taps; NULL without one
} atemi_sequence_senses;

/// Before each step of the coordination: commands what is due. The first call does nothing: a
/// coordination takes commands once it has measured.
ATEMI_API void atemi_task_sequence_step(atemi_task_sequence         *sequence,
                                        const atemi_sequence_senses *senses);

/// How far a sequence has come.
typedef struct atemi_sequence_report {
    int  next;         ///< task that is given next; the task that failed, or all
    int  motion;       ///< task of the last motion, or ATEMI_NONE
    int  motion_count; ///< motions given so far
    int  goal;         ///< id of the last motion's goal, 0 without one
    int  tap_count;
    bool failed;

    // The nodes of the last motion, and behind them links that are held besides the base; none if
    // it was no motion of nodes.
    int                      node_count;
    const atemi_node_target *nodes;  ///< [node_count] with targets in the world
    const atemi_transform   *starts; ///< [node_count] where they were commanded to be
} atemi_sequence_report;

/// How far it has come after the last step.
ATEMI_API atemi_sequence_report atemi_task_sequence_report(const atemi_task_sequence *sequence);

/// Why a sequence failed; "" if it did not.
ATEMI_API const char *atemi_task_sequence_failure(const atemi_task_sequence *sequence);

/// How the last motion is; ATEMI_OUTCOME_REACHED if there was none.
ATEMI_API atemi_goal_outcome atemi_task_sequence_outcome(const atemi_task_sequence *sequence);

ATEMI_END
