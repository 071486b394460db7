// SPDX-License-Identifier: Apache-2.0

/// @file
/// Links of the robot that keep away from each other before and after the blow.

#pragma once

#include "plan/problem/strike_evaluation.h"
#include "plan/strike_inside.h"

/// The instants of a trajectory at which distances are looked at: first touch, and the ends of so
/// many parts of each segment.
enum { STRIKE_SELF_LOOKS = 3 };
int    strike_self_instants(const strike_trajectory *path);
double strike_self_time(const strike_trajectory *path, int instant);

/// How many distances the pairs of a task have on a grid: of all capsules at all instants.
int strike_self_count(const strike_setup *setup, const strike_grid *grid);

/// Where the distances of a pair are: of `capsules` with each other, instant after instant.
typedef struct strike_self_pair {
    int first, second; ///< links
    int capsules;      ///< of one times those of the other
} strike_self_pair;

strike_self_pair strike_self_pair_of(const strike_setup *setup, int pair);

/// A gap of a pair, with the number `index` of its capsules, in a posture.
strike_gap strike_self_gap(const strike_setup *setup, const strike_self_pair *pair, int index,
                           const atemi_kinematics *kinematics);

/// The constraints of the pairs of a task.
void strike_constrain_self(const strike_setup *setup, const strike_evaluation *at,
                           strike_workspace *work, strike_rows *rows);

/// Finds pairs that a plan takes nearer to each other than its task allows, and that the task does
/// not have yet: the nearest ones.
/// @param pairs [limit] result
/// @return how many there are
int strike_self_find(strike_inside plan, double tolerance, int limit, int (*pairs)[2]);
