// SPDX-License-Identifier: Apache-2.0

/// @file
/// Complex symmetric matrices at the four poles of the propagator: the lower triangle in packed
/// rows.

#pragma once

#include "impact/blow_lanes.h"

#include <stddef.h>

/// How many elements n rows have.
static inline size_t symmetric_size(int n)
{
    return (size_t)n * (size_t)(n + 1) / 2;
}

static inline atemi_blow_lane *symmetric_row(atemi_blow_lane *A, int i)
{
    return A + symmetric_size(i);
}

/// A = L D L^T without pivoting, for matrices whose leading minors are far from zero. The factor
/// takes A's place, with the inverse of D_i where L has its ones; `work` [n] is overwritten.
void atemi_blow_symmetric_factor(int n, atemi_blow_lane *A, atemi_blow_lane *work);

/// Solves with the factor, in place.
void atemi_blow_symmetric_solve(int n, atemi_blow_lane *factor, atemi_blow_lane *x);
