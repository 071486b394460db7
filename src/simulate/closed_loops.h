// SPDX-License-Identifier: Apache-2.0

/// @file
/// The closed loops of a simulation: the model's own and those of the options.

#pragma once

#include "atemi/simulation.h"
#include "contact/loop_rows.h"

typedef struct atemi_closed_loops {
    int          count, row_count;
    atemi_loop  *loops;    ///< [count]
    atemi_force *forces;   ///< [count] on the first links, evaluated last or over the last step
    atemi_force *impulses; ///< [count] of the last collision
    double      *gaps;     ///< [row_count] scratch
} atemi_closed_loops;

/// Checks the loops of the options.
atemi_status atemi_closed_loops_check(const atemi_model              *model,
                                      const atemi_simulation_options *options, atemi_error *error);

/// As many as there will be, to be taken and filled.
atemi_closed_loops atemi_closed_loops_sized(const atemi_model              *model,
                                            const atemi_simulation_options *options);
void               atemi_closed_loops_take(atemi_arena *arena, atemi_closed_loops *loops);
void               atemi_closed_loops_fill(atemi_closed_loops *loops, const atemi_model *model,
                                           const atemi_simulation_options *options);

/// The force that loops which end in the world have from there.
atemi_vec3 atemi_closed_loops_outer(const atemi_closed_loops *loops);
