// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a robot is to do, and when: the key tasks of a control scenario.

#pragma once

#include "jobs/control/control_joints.h"
#include "jobs/control/control_rails.h"

/// The reader refuses more in a task.
enum { CONTROL_MAX_NODES = 4 };

typedef struct control_tasks {
    int                  count;
    atemi_control_task  *tasks; ///< [count] their arrays are its own
    atemi_scenario_mark *marks; ///< [count] of their times
} control_tasks;

void atemi_control_read_tasks(atemi_scenario_reader *reader, const atemi_model *model,
                              const atemi_joint_plant_options *plants, const control_rails *rails,
                              control_tasks *tasks);

/// Warns of tasks that wait until all is over.
/// @param end s, when the job ends
void atemi_control_check_tasks(atemi_scenario_reader *reader, const control_tasks *tasks,
                               double end);

void atemi_control_tasks_destroy(control_tasks *tasks);
