// SPDX-License-Identifier: Apache-2.0

/// @file
/// What goes wrong with joints, and when: the key faults of a control scenario.

#pragma once

#include "jobs/control/control_joints.h"

enum { CONTROL_FAULT_TEXT = 240 }; // longer ones are cut

/// An item of the list, as it is noted when it begins.
typedef struct control_fault {
    double              from, until;              ///< s
    char                text[CONTROL_FAULT_TEXT]; ///< what, and of which joints
    atemi_scenario_mark mark;                     ///< of its times
} control_fault;

typedef struct control_faults {
    int                   count, injected_count;
    control_fault        *faults;   ///< [count]
    atemi_injected_fault *injected; ///< [injected_count] of each joint that an item means
} control_faults;

void atemi_control_read_faults(atemi_scenario_reader *reader, const atemi_model *model,
                               control_faults *faults);

/// Warns of faults that come when all is over.
/// @param end s, when the job ends
void atemi_control_check_faults(atemi_scenario_reader *reader, const control_faults *faults,
                                double end);

void atemi_control_faults_destroy(control_faults *faults);
