// SPDX-License-Identifier: Apache-2.0

/// @file
/// What is written down of a walk: rows and events while it goes on, tables at its end.

#pragma once

#include "atemi/recording.h"
#include "jobs/columns.h"
#include "jobs/walk/walk_scenario.h"

/// The collisions of a point of the feet.
typedef struct atemi_walk_collisions {
    long   count;
    double sum, hardest; ///< of impulses, N s
    double fastest;      ///< of approaches, m/s
} atemi_walk_collisions;

typedef struct atemi_walk_log {
    const atemi_walk_scenario *scenario;
    atemi_recording           *recording;
    const atemi_walk          *walk;  ///< of the row
    const atemi_biped_walk    *biped; ///< of the row, in place of that in three dimensions
    atemi_walking_state        state; ///< of the row
    double                    *row;
    double                     next; ///< when a row is due, s
    atemi_foot_state           states[ATEMI_FEET];
    atemi_biped_phase          phase;    ///< in three dimensions
    long                       landings; ///< likewise
    atemi_walk_collisions      collisions[ATEMI_WALKING_POINTS];
    atemi_slip                *slips;
    int                        slip_count, slip_capacity;
    long                       left_out; ///< events that the recording has no room for
    atemi_status               fault;    ///< the first, with its text
    atemi_error                error;
} atemi_walk_log;

/// Makes an empty recording as well. Destroy the log, whatever the result.
atemi_status atemi_walk_log_create(const atemi_walk_scenario *scenario, atemi_walk_log *log,
                                   atemi_error *error);

/// Releases the recording too, unless it was taken out.
void atemi_walk_log_destroy(atemi_walk_log *log);

/// Writes down what is due, and how the feet's states have changed.
/// @return whether there was a row
bool atemi_walk_log_tick(atemi_walk_log *log, const atemi_walk *walk);

/// The same of a walk in three dimensions.
bool atemi_walk_log_biped(atemi_walk_log *log, const atemi_biped_walk *walk);

void atemi_walk_log_slip(atemi_walk_log *log, const atemi_slip *slip);
void atemi_walk_log_event(atemi_walk_log *log, const atemi_event *event);

/// Adds the tables: slips, collisions, gait, arrows and patches.
atemi_status atemi_walk_log_tables(const atemi_walk_log *log, const atemi_gait_watch *gait,
                                   atemi_error *error);

/// The columns of a walk, whose rows are filled from a log.
extern const atemi_column_table atemi_walk_column_table;

/// What a point of the feet is called.
const char *atemi_walk_point_name(int point);
