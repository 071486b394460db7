// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a simulation leaves in a row of its recording. docs/recordings.md names the columns.

#pragma once

#include "atemi/recording.h"
#include "atemi/simulation.h"
#include "jobs/columns.h"
#include "jobs/simulate/simulate_scenario.h"

/// The room to fill rows in.
typedef struct atemi_simulate_columns {
    const atemi_simulate_scenario *scenario;
    atemi_simulation              *simulation; ///< of the row
    int                            count;
    double                        *row;        ///< [count]
    atemi_kinematics               kinematics; ///< of the row
    atemi_force                   *wrenches;   ///< [joint_count]
    struct atemi_link_touch       *touches;    ///< [link_count] of shapes
    atemi_footing                  footing;
    atemi_foothold                *hold;   ///< of the row
    atemi_vec3                     com;    ///< of the row
    double                         margin; ///< least of the ZMP so far, m; infinite without one
    atemi_arena                    arena;
} atemi_simulate_columns;

/// How many columns there will be.
int atemi_simulate_columns_count(const atemi_simulate_scenario *scenario);

/// Makes an empty recording with all columns, and the room for its rows. Destroy both, whatever the
/// result.
atemi_status atemi_simulate_columns_create(const atemi_simulate_scenario *scenario,
                                           atemi_simulate_columns        *columns,
                                           atemi_recording **recording, atemi_error *error);
void         atemi_simulate_columns_destroy(atemi_simulate_columns *columns);

/// Appends a row with the state of the simulation. `columns->kinematics` are then of that state.
atemi_status atemi_simulate_columns_append(atemi_simulate_columns *columns,
                                           atemi_simulation *simulation, atemi_recording *recording,
                                           atemi_error *error);

/// The mechanical energy in the last row, J.
double atemi_simulate_columns_energy(const atemi_simulate_columns *columns);

/// The columns of the job simulate.
extern const atemi_column_table atemi_simulate_column_table;
