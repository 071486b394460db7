// SPDX-License-Identifier: Apache-2.0

/// @file
/// The cone problem of a pile: many points that meet few others each.

#pragma once

#include "contact/cone_problem.h"
#include "contact/pile_system.h"

/// Solves the problem, whose matrix is `A`, by so many sweeps at most, to `enough`.
/// @param A its freedoms are the entries of v; keeps what the answer does to them
/// @param p [rows] a guess before, the answer after the call
/// @return the largest violation that is left, measured as how far a sweep would still go
double atemi_cone_sweeps(const atemi_cone_problem *problem, atemi_pile_system *A, int most,
                         double *p);
