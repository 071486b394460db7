// SPDX-License-Identifier: Apache-2.0

/// @file
/// The cubic through two values with two slopes: a guess of what lies between.

#pragma once

#include <stdbool.h>

typedef struct atemi_hermite {
    double value[2], slope[2]; ///< at the ends; slopes by the whole span
} atemi_hermite;

/// The cubic at x in 0 .. 1.
double atemi_hermite_at(const atemi_hermite *h, double x);

/// Whether the cubic may fall below `limit` between ends that are above, by turning once: false is
/// certain then. A dip with two turns, between slopes of one sign, is not looked for.
static inline bool atemi_hermite_may_dip(const atemi_hermite *h, double limit)
{
    const double largest = 4.0 / 27.0; // that a unit of slope at an end adds anywhere
    const double least = h->value[0] < h->value[1] ? h->value[0] : h->value[1];
    return h->slope[0] < 0.0 && h->slope[1] > 0.0 &&
           least - limit < largest * (h->slope[1] - h->slope[0]);
}

/// Where the slope is zero between slopes of different sign.
double atemi_hermite_turn(const atemi_hermite *h);

/// Where the cubic becomes negative for the last time, if it is so at 1 and not yet soon after 0.
double atemi_hermite_root(const atemi_hermite *h);
