// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a robot is to do, and when: the key tasks of a control scenario.

#pragma once

#include "jobs/control/control_joints.h"
#include "jobs/control/control_rails.h"

/// The reader refuses more in a task.
enum { CONTROL_MOST_NODES = 4 };

typedef enum control_deed {
    CONTROL_JOINTS,   ///< move joints
    CONTROL_NODES,    ///< move nodes
    CONTROL_FOLLOW,   ///< breadcrumbs
    CONTROL_STOP,     ///< all joints, softly
    CONTROL_SET,      ///< stiffness, limits, gravity compensation
    CONTROL_STAY,     ///< the command goes to where joints are
    CONTROL_BASE,     ///< another link is the base
    CONTROL_GRIP,     ///< close a gripper on a rail
    CONTROL_RELEASE,  ///< open it
    CONTROL_OFFLOAD,  ///< the weight is taken away, or comes back
    CONTROL_CONTINUE, ///< the last motion again
    CONTROL_RESUME,   ///< after an interaction that diverged
} control_deed;

/// What a task waits for.
typedef enum control_cue {
    CUE_NOW,
    CUE_STILL,   ///< nothing moves
    CUE_REACHED, ///< the last motion reached its goal
    CUE_TAP,     ///< someone taps the robot
} control_cue;

/// Where a node shall go.
typedef struct control_node {
    atemi_node_target target; ///< where it is absolute
    bool              is_relative;
    bool              keeps_turn; ///< its orientation stays
    atemi_vec3        by;         ///< m, world axes
} control_node;

typedef struct control_task {
    control_deed        deed;
    control_cue         cue;
    double              at, wait; ///< s: not before, and so long after the cue
    atemi_scenario_mark mark, at_mark;
    double              duration; ///< s

    int                 target_count;
    atemi_joint_target *targets;

    int               node_count;
    control_node     *nodes;
    bool             *used; ///< [joints] that nodes may use; or of CONTROL_STAY
    atemi_node_motion motion;

    int     crumb_joint_count, crumb_count;
    int    *crumb_joints;
    double *crumbs; ///< [crumb_count x crumb_joint_count]

    atemi_control_setting setting;
    int                   link, rail;
    double                share; ///< of the weight that is taken away
} control_task;

typedef struct control_tasks {
    int           count;
    control_task *tasks;
} control_tasks;

/// "joints", "nodes", ... as the scenario has them.
const char *atemi_control_deed_text(control_deed deed);

void atemi_control_read_tasks(atemi_scenario_reader *reader, const atemi_model *model,
                              const control_rails *rails, control_tasks *tasks);

/// Warns of tasks that wait until all is over.
/// @param end s, when the job ends
void atemi_control_check_tasks(atemi_scenario_reader *reader, const control_tasks *tasks,
                               double end);

void atemi_control_tasks_destroy(control_tasks *tasks);
