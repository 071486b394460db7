// SPDX-License-Identifier: Apache-2.0

/// @file
/// What drives the change of a chain over a step: the torques and the force of the blow, times how
/// the posture changes what they move.

#pragma once

#include "impact/blow_variation.h"
#include "math/rows.h"

/// Values at the poles of a step: real parts, then imaginary ones.
enum { BLOW_POLES = 4, BLOW_PARTS = 2 * BLOW_POLES };

/// Finds the forcing of a step by the time h: rows of the chain, of the hand, and of each axis that
/// deviates. Torques and force are integrated on, into `there`.
/// @param scratch overwritten
void atemi_blow_chain_forcing_find(atemi_blow_propagator *propagator, const atemi_blow_state *from,
                                   double h, atemi_blow_state *scratch,
                                   atemi_blow_variation *variation);

/// A row of it: [BLOW_PARTS x stride]
static inline double *blow_chain_forcing_row(const atemi_blow_variation *v, int row)
{
    return row_of(v->chain.forcing, BLOW_PARTS * v->stride, row);
}
