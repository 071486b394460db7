// SPDX-License-Identifier: Apache-2.0

/// @file
/// How stable the joints of a control job are, found before it runs.

#pragma once

#include "jobs/control/control_log.h"
#include "jobs/control/control_scenario.h"

enum { CONTROL_DRIVE_COLUMNS = 10, CONTROL_DRIVE_LABEL = 160 }; // longer labels are cut

typedef struct control_margins {
    int                      count;          ///< of joints
    atemi_coordinated_joint *joints;         ///< [joints] as the loop fits them
    atemi_joint_stability   *stability;      ///< [joints]
    double (*values)[CONTROL_DRIVE_COLUMNS]; ///< [joints]
    char (*texts)[CONTROL_DRIVE_LABEL];      ///< [joints]
    const char **labels;                     ///< [joints]
    double       least;                      ///< phase margin, degrees
    atemi_arena  arena;
} control_margins;

/// Finds the margins of all joints, lowers natural frequencies that would not be stable, for the
/// whole run, and notes that as events.
/// @param margins to be destroyed, whatever the result
atemi_status atemi_control_margins_create(control_scenario *scenario, control_log *log,
                                          control_margins *margins, atemi_error *error);
void         atemi_control_margins_destroy(control_margins *margins);

/// Adds the table "drives" and the result "least_phase_margin".
atemi_status atemi_control_margins_report(const control_margins *margins,
                                          atemi_recording *recording, atemi_error *error);
