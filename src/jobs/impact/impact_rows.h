// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a blow leaves in the rows of its recording. docs/recordings.md names the columns.

#pragma once

#include "atemi/recording.h"
#include "jobs/columns.h"
#include "jobs/impact/impact_trial.h"

/// What is known of the blow by a method other than the estimate, by row.
typedef struct atemi_impact_series {
    int     count;    ///< rows that are known
    bool    released; ///< afterwards there is no force
    double *force;    ///< [rows]
    double *compression, *hand_speed, *target_speed, *zmp_x, *zmp_y, *margin; ///< of FULL
} atemi_impact_series;

typedef struct atemi_impact_rows {
    const atemi_impact_scenario *scenario;
    atemi_impact_trial          *trial;
    int                          count, columns;
    double                      *times; ///< [count]
    atemi_impact_series          series[ATEMI_IMPACT_METHODS];
    double                      *row;          ///< [columns]
    double                      *q, *v_last;   ///< [q_count], [v_count] of the row before
    double                      *tau;          ///< [v_count]
    double                      *peak_torques; ///< [v_count] of the servos
    double                      *peak_forces, *peak_moments; ///< [joint_count] in the joints
    atemi_force                 *loads;                      ///< [link_count]
    atemi_force                 *wrenches; ///< [link_count] of the ground on the links in contact
    atemi_vec3                  *places;   ///< [contacts]
    atemi_vec3                  *forces;   ///< [contacts] of the row
    const atemi_impact_sample   *sample;   ///< of the row
    int                          index;    ///< of the row
    double                       time;     ///< of the row before; NaN before the first
    double                       target_speed, travel; ///< of the target, in the row before
    atemi_vec3                   face;                 ///< of the target, at first touch
    atemi_data                  *data;
    atemi_recording             *recording;
    atemi_status                 status; ///< of appending
    atemi_error                  error;
    atemi_arena                  arena;
} atemi_impact_rows;

/// Makes an empty recording, and the room for its rows. Destroy the rows, whatever the result; the
/// recording goes with them unless it was taken away.
atemi_status atemi_impact_rows_create(atemi_impact_trial *trial, atemi_impact_rows *rows,
                                      atemi_error *error);
void         atemi_impact_rows_destroy(atemi_impact_rows *rows);

/// Keeps a sample of a method other than the estimate; `context` is `series`, of its method.
void atemi_impact_series_take(void *context, const atemi_impact_sample *sample);

/// Appends a row with a sample of the estimate; `context` are the rows.
void atemi_impact_rows_take(void *context, const atemi_impact_sample *sample);

/// The columns of the job impact, whose rows are filled from atemi_impact_rows.
extern const atemi_column_table atemi_impact_column_table;

/// A contact in the row under way.
atemi_column_contact atemi_impact_rows_contact(const atemi_impact_rows *rows, int i);
