// SPDX-License-Identifier: Apache-2.0

/// @file
/// What computes the rows of a sweep's table, one after the other, in memory of its own: workers
/// of several threads do it at the same time.

#pragma once

#include "atemi/recording.h"
#include "jobs/impact/impact_reach.h"

/// Columns of a row. Those from ATEMI_IMPACT_PLACE on are of sweeps of places or directions only.
enum {
    ATEMI_IMPACT_VIRTUAL_MASS = 3,
    ATEMI_IMPACT_PEAK_FORCE = 4,
    ATEMI_IMPACT_IMPULSE = 5,
    ATEMI_IMPACT_MARGIN = 10,
    ATEMI_IMPACT_PLACE = 15,
    ATEMI_IMPACT_REACHED = 21,
    ATEMI_IMPACT_SWEEP_COLUMNS = 22,
    ATEMI_IMPACT_LOOKS = 101, ///< at the ZMP, in a blow
};

extern const atemi_recorded_column atemi_impact_sweep_columns[ATEMI_IMPACT_SWEEP_COLUMNS];

/// How many columns the table of a sweep has.
int atemi_impact_sweep_width(const atemi_impact_sweep *sweep);

typedef struct atemi_impact_worker {
    const atemi_impact_case *usual;
    atemi_impact_trial       trial; ///< its hooks, and what they hear, are for the user to set
    atemi_impact_reach       reach;
    int                      posture_at, place_at;      ///< the last that it looked for
    bool                     is_reached;                ///< that place
    double                   times[ATEMI_IMPACT_LOOKS]; ///< to look at the ZMP
} atemi_impact_worker;

/// Takes memory. Destroy it, whatever the result.
/// @param usual lives as long as the worker
atemi_status atemi_impact_worker_create(const atemi_impact_scenario *scenario,
                                        const atemi_impact_case *usual, atemi_impact_worker *worker,
                                        atemi_error *error);
void         atemi_impact_worker_destroy(atemi_impact_worker *worker);

/// Computes the row of a case, which does not depend on those before it. If the trial's hooks stop
/// it, the trial says so, and the row is none.
/// @param row [atemi_impact_sweep_width()] result
atemi_status atemi_impact_worker_row(atemi_impact_worker *worker, int number, double *row,
                                     atemi_error *error);
