// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where searches start.

#pragma once

#include "plan/problem/strike_variables.h"

#include <stdint.h>

/// Of 0 to 1, a part that is spread evenly over it: the digits of an index in some base backwards.
double strike_spread(unsigned index, unsigned base);

/// Start 0 is the task's own, the others are spread over the ranges.
/// @param seed shifts these
/// @param x    [variables] result
void strike_start(const strike_variables *variables, int index, unsigned seed, double *x);

/// The same posture with slower motion.
/// @param fraction of the speeds and momenta that is left
/// @param x    [variables] changed
void strike_slow_down(const strike_variables *variables, double fraction, double *x);

/// Moves to another posture, by one of two methods in turn: some distance off, or with a third of
/// the variables anywhere in their ranges.
/// @param turn   of the methods
/// @param random its state
/// @param x      [variables] changed
void strike_hop(const strike_variables *variables, int turn, uint64_t *random, double *x);

/// Whether there is any variable that strike_hop() moves.
bool strike_can_hop(const strike_variables *variables);
