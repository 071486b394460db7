// SPDX-License-Identifier: Apache-2.0

/// @file
/// The record of goals that the trajectory monitor of [R2] keeps: what was asked for, how far it
/// came and why it ended. A ring in the caller's memory: the newest goals are in it.

#pragma once

#include "atemi/api.h"

ATEMI_BEGIN

/// Who commands.
typedef enum atemi_command_source {
    ATEMI_SOURCE_USER,
    ATEMI_SOURCE_SUPERVISOR,
} atemi_command_source;

typedef enum atemi_goal_motion {
    ATEMI_MOTION_JOINTS,
    ATEMI_MOTION_NODES,
    ATEMI_MOTION_BREADCRUMBS,
} atemi_goal_motion;

/// How a goal ended.
typedef enum atemi_goal_outcome {
    ATEMI_OUTCOME_ACTIVE,       ///< not yet
    ATEMI_OUTCOME_REACHED,      ///< the command is there
    ATEMI_OUTCOME_STOPPED,      ///< by a stop, or because the base was switched
    ATEMI_OUTCOME_REPLACED,     ///< another goal took at least one of its joints
    ATEMI_OUTCOME_OBSTRUCTED,   ///< a joint did not follow
    ATEMI_OUTCOME_OUT_OF_REACH, ///< no posture meets the critical axes
    ATEMI_OUTCOME_NO_CONTACT,   ///< a force was wanted where nothing is
    ATEMI_OUTCOME_FAULT,        ///< measurements or commands failed, or an interaction diverged
} atemi_goal_outcome;

/// "active", "reached", "stopped", "replaced", "obstructed", "out of reach", "no contact", "fault".
ATEMI_API const char *atemi_goal_outcome_text(atemi_goal_outcome outcome);

/// A goal and what came of it.
typedef struct atemi_goal_record {
    int                  id; ///< from 1 on; 0: nothing yet
    atemi_goal_motion    motion;
    atemi_command_source source;
    atemi_goal_outcome   outcome;
    double               begun;    ///< s since the coordination was created
    double               ended;    ///< s; meaningless while active
    double               done;     ///< part of its way, 0 to 1; of breadcrumbs, those taken
    double               position; ///< largest error then: rad or m of joints, m of nodes
    double               turn;     ///< rad, of nodes
    int                  joint;    ///< that did not follow, or -1
} atemi_goal_record;

/// The last goals, the oldest of which makes room.
typedef struct atemi_goal_log {
    atemi_goal_record *records;  ///< [capacity]
    int                capacity; ///< 0 for none
    int                last;     ///< id of the newest
} atemi_goal_log;

/// An empty log over the caller's memory, which is cleared.
ATEMI_API atemi_goal_log atemi_goal_log_over(atemi_goal_record *records, int capacity);

/// Enters a goal.
/// @return its id
ATEMI_API int atemi_goal_log_begin(atemi_goal_log *log, atemi_goal_motion motion,
                                   atemi_command_source source, double time);

/// The record of a goal, or NULL where newer ones took its place or there never was one.
ATEMI_API atemi_goal_record *atemi_goal_log_find(const atemi_goal_log *log, int id);

ATEMI_END
