// SPDX-License-Identifier: Apache-2.0

/// @file
/// What is written down of a walk, in the plane (walk_log.c) or in three dimensions (biped_log.c):
/// rows and events while it goes on, tables (walk_tables.c) at its end.

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

/// A slip of the walk's kind.
typedef union atemi_walk_slip {
    atemi_slip      planar;
    atemi_sole_slip sole;
} atemi_walk_slip;

typedef struct atemi_walk_log {
    const atemi_walk_scenario *scenario;
    atemi_recording           *recording;
    const atemi_walk          *walk;  ///< of the row
    const atemi_biped_walk    *biped; ///< of the row, in place of that in three dimensions
    atemi_walking_state        state; ///< of the row
    double                    *row;
    double                     next; ///< when a row is due, s
    atemi_foot_state           states[ATEMI_FEET];
    atemi_biped_phase          phase;              ///< in three dimensions
    long                       landings;           ///< likewise
    atemi_sole_state           soles[ATEMI_SIDES]; ///< likewise
    atemi_walk_collisions      collisions[ATEMI_WALKING_POINTS];
    atemi_walk_slip           *slips;
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
void atemi_walk_log_sole_slip(atemi_walk_log *log, const atemi_sole_slip *slip);

/// How it fell, and from what.
void atemi_walk_log_fall(atemi_walk_log *log, const atemi_biped_summary *summary);

void atemi_walk_log_slip(atemi_walk_log *log, const atemi_slip *slip);
void atemi_walk_log_event(atemi_walk_log *log, const atemi_event *event);

/// Adds the tables: slips, collisions, gait, arrows and patches.
atemi_status atemi_walk_log_tables(const atemi_walk_log *log, const atemi_walk *walk,
                                   atemi_error *error);

/// Those of a walk in three dimensions: slips, arrows and patches.
atemi_status atemi_walk_log_biped_tables(const atemi_walk_log *log, const atemi_biped_walk *walk,
                                         atemi_error *error);

enum { ATEMI_WALK_TEXT = 256 };

/// Adds an event, or counts it where there is no room.
void atemi_walk_log_add(atemi_walk_log *log, const atemi_recorded_event *event);

/// Adds the row of the walk that the log has now.
void atemi_walk_log_row(atemi_walk_log *log, double time);

/// Makes room for a slip.
/// @return false without memory, which is a fault
bool atemi_walk_log_reserve(atemi_walk_log *log);

/// "left foot", "right foot": of a foot in the plane, and of a side in three dimensions.
const char *atemi_walk_foot_name(int foot);
const char *atemi_walk_side_name(int side);

/// The columns of a walk, whose rows are filled from a log.
extern const atemi_column_table atemi_walk_column_table;

/// What a fall came from, in words; "" for none.
const char *atemi_walk_fall_reason(atemi_fall_cause cause);

/// What a point of the feet is called.
const char *atemi_walk_point_name(int point);
