// SPDX-License-Identifier: Apache-2.0

/// @file
/// Control jobs of [R2]: the shipped scenarios, as they are or changed a little.

#pragma once

#include "io/bytes/text.h"
#include "papers/reproduction_parts.h"

enum { ATEMI_R2_CHANGES = 3 };

/// A piece of a scenario's text, and what stands there instead.
typedef struct atemi_r2_change {
    const char *old, *now;
} atemi_r2_change;

/// A shipped scenario, with changes.
typedef struct atemi_r2_scenario {
    const char     *name;
    atemi_r2_change changes[ATEMI_R2_CHANGES]; ///< those with an old piece
} atemi_r2_scenario;

/// A paper's work under way.
typedef struct atemi_r2_study {
    atemi_reproduction *reproduction;
    double              from, part; ///< of the paper: done, and by what is under way
} atemi_r2_study;

/// Writes the text of a scenario, to be destroyed.
/// @return ATEMI_ERROR_NOT_FOUND where there is no such scenario or piece
atemi_status atemi_r2_write(const atemi_r2_scenario *scenario, atemi_text *text,
                            atemi_error *error);

/// Runs a scenario, as so much of the paper's work.
/// @param recording the result, to be destroyed; NULL where the study was stopped
atemi_status atemi_r2_run(atemi_r2_study *study, const atemi_r2_scenario *scenario, double part,
                          atemi_recording **recording, atemi_error *error);

/// The largest number of a table's column, over rows from `first` on; NaN where there is none.
double atemi_r2_largest(const atemi_recording *recording, const char *table, const char *column,
                        int first, int count);
