// SPDX-License-Identifier: Apache-2.0

/// @file
/// A reproduction from inside, and the papers that fill it. A new paper is a file reproduce_NAME.c,
/// its function declared here, and a line in the table of reproduction.c.

#pragma once

#include "atemi/recording.h"
#include "atemi/reproduction.h"
#include "model/names.h"

/// All zero is an empty one.
struct atemi_reproduction {
    const char       *paper; ///< that is being reproduced
    atemi_reproduced *rows;
    int               count, room;
    bool              failed;    ///< the memory was not enough
    atemi_recording  *recording; ///< the figures as tables; at the end, the rows as results
    atemi_string_pool strings;
};

/// A number as a paper prints it.
typedef struct atemi_printed {
    double      value;
    double      tolerance;
    const char *unit; ///< a literal, as is the note
    const char *note; ///< or NULL
} atemi_printed;

/// Adds a row. Without memory it is lost, and the reproduction fails at its end.
/// @param quantity a format
void atemi_reproduction_add(atemi_reproduction *reproduction, atemi_printed printed, double ours,
                            const char *quantity, ...) ATEMI_PRINTF(4, 5);

/// Adds a figure.
atemi_status atemi_reproduction_add_figure(atemi_reproduction         *reproduction,
                                           const atemi_recorded_table *figure, atemi_error *error);

/// [SDC]
atemi_status atemi_reproduce_sdc(atemi_reproduction *reproduction, atemi_error *error);

/// [ENE]
atemi_status atemi_reproduce_ene(atemi_reproduction *reproduction, atemi_error *error);
