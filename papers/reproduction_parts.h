// SPDX-License-Identifier: Apache-2.0

/// @file
/// A reproduction from inside, and the papers that fill it. A new paper is a file reproduce_NAME.c,
/// its function declared here, and a line in the table of reproduction.c.

#pragma once

#include "atemi/recording.h"
#include "jobs/job.h"
#include "model/names.h"
#include "papers/reproduction.h"

/// All zero is an empty one.
struct atemi_reproduction {
    const char            *paper; ///< that is being reproduced
    atemi_reproduced      *rows;
    int                    count, capacity;
    bool                   failed;    ///< the memory was not enough
    atemi_recording       *recording; ///< the figures as tables; at the end, the rows as results
    const atemi_job_hooks *hooks;     ///< or NULL
    double                 done, fraction; ///< of all that is to be done: so far, and by this paper
    bool                   stopped;
    atemi_string_pool      strings;
};

/// A number as a paper prints it.
typedef struct atemi_printed {
    atemi_reproduced_kind  kind;
    double                 value;
    double                 tolerance;
    const char            *unit; ///< a literal, as is the note
    const char            *note; ///< or NULL; of what is fitted, what was
    atemi_reproduced_bound bound;
} atemi_printed;

/// Adds a row. Without memory it is lost, and the reproduction fails at its end.
/// @param quantity a format
void atemi_reproduction_add(atemi_reproduction *reproduction, atemi_printed printed, double ours,
                            const char *quantity, ...) ATEMI_PRINTF(4, 5);

/// Adds a figure.
atemi_status atemi_reproduction_add_figure(atemi_reproduction         *reproduction,
                                           const atemi_recorded_table *figure, atemi_error *error);

/// A figure of columns of a recording, over time.
typedef struct atemi_reproduced_curves {
    const char                  *name, *title;
    int                          count;    ///< of columns, with the time, which is the first
    const char *const           *channels; ///< [count] of the recording
    const atemi_recorded_column *columns;  ///< [count] in the figure
} atemi_reproduced_curves;

atemi_status atemi_reproduction_add_curves(atemi_reproduction            *reproduction,
                                           const atemi_recording         *recording,
                                           const atemi_reproduced_curves *curves,
                                           atemi_error                   *error);

/// Tells how much of this paper is done, 0 to 1.
/// @return whether it goes on; if not, the paper returns with the rows that it has
bool atemi_reproduction_goes_on(atemi_reproduction *reproduction, double done);

/// [SDC]
atemi_status atemi_reproduce_sdc(atemi_reproduction *reproduction, atemi_error *error);

/// [ENE]
atemi_status atemi_reproduce_ene(atemi_reproduction *reproduction, atemi_error *error);

/// [STRIKE]
atemi_status atemi_reproduce_strike(atemi_reproduction *reproduction, atemi_error *error);

/// [R2]
atemi_status atemi_reproduce_r2(atemi_reproduction *reproduction, atemi_error *error);

/// [WALK]
atemi_status atemi_reproduce_walk(atemi_reproduction *reproduction, atemi_error *error);
