// SPDX-License-Identifier: Apache-2.0

/// @file
/// The columns of the job "control", and a row of them.

#pragma once

#include "jobs/columns.h"
#include "jobs/control/control_session.h"

typedef struct control_columns {
    const control_scenario *scenario;
    const control_session  *session; ///< of the row
    int                     hold_count;
    int                    *holds; ///< links that may be held
    int                     count;
    double                 *row;
    atemi_arena             arena;
} control_columns;

/// Makes the recording as well.
atemi_status atemi_control_columns_create(const control_scenario *scenario,
                                          control_columns *columns, atemi_recording **recording,
                                          atemi_error *error);
void         atemi_control_columns_destroy(control_columns *columns);

/// Appends a row of the state reached.
atemi_status atemi_control_columns_append(control_columns *columns, const control_session *session,
                                          atemi_recording *recording, atemi_error *error);

/// The columns of the job control.
extern const atemi_column_table atemi_control_column_table;
