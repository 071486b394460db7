// SPDX-License-Identifier: Apache-2.0

/// @file
/// The accelerations that meet as many wanted ones as there are unknowns, as well as they can.

#pragma once

#include <stdbool.h>

/// As many rows as unknowns: atemi_walking_motion_find() wants three of the standing foot, three of
/// the other, two of the trunk and one of the pressure. The unknowns are three of the base and
/// three of each leg.
enum { ATEMI_WANTED_MOST = 9 };

typedef struct atemi_wanted_motion {
    int    count; ///< of rows so far
    int    unknowns[ATEMI_WANTED_MOST];
    double rows[ATEMI_WANTED_MOST][ATEMI_WANTED_MOST];
    double targets[ATEMI_WANTED_MOST];
} atemi_wanted_motion;

/// Wants row a = target, with a weight.
/// @param row [rates]
/// @param a   [rates] zero at the unknowns
void atemi_wanted_motion_add(atemi_wanted_motion *wanted, int rates, const double *row,
                             double target, double weight, const double *a);

/// Minimizes the squares of all errors, and a little those of the accelerations, so that a
/// stretched leg asks for nothing impossible.
/// @param a [rates] the unknowns are set
/// @return false, and nothing is set, where the rows are not finite
bool atemi_wanted_motion_solve(const atemi_wanted_motion *wanted, double *a);
