// SPDX-License-Identifier: Apache-2.0

/// @file
/// Elimination: a system of equations that is solved once, in place and in whole packs.

#pragma once

#include "math/pack.h"

#include <stdbool.h>

/// How many doubles a row of n elements and its right-hand side takes: the stride.
static inline int elimination_stride(int n)
{
    return (n / ATEMI_LANES + 1) * ATEMI_LANES;
}

/// Solves A x = b by Gaussian elimination with partial pivoting.
/// @param A n rows of the stride: a row of A, its element of b, and zeros; destroyed
/// @param x [stride] result, the first n
/// @return false where A is singular
bool atemi_eliminate(int n, double *A, double *x);
