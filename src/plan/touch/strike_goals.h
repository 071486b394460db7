// SPDX-License-Identifier: Apache-2.0

/// @file
/// What joint velocities have to meet: the goals of hands, body and feet.

#pragma once

#include "atemi/inverse_kinematics.h"
#include "plan/problem/strike_setup.h"
#include "plan/problem/strike_variables.h"

enum { STRIKE_BODY_GOALS = 5, STRIKE_GOAL_ROLL = 1 }; ///< P_z, L_x, L_y and the centre of mass

/// How many rows the goal of a hand has: 6, or 3 where it may rotate as it likes.
int strike_goals_of_hand(const strike_setup *setup);

/// How many rows all goals have.
int strike_goals_count(const strike_setup *setup);

/// Sets the goals at a posture: fractions of those of first touch, and feet that go back to their
/// places with a gain, 1/s.
/// @return how many rows are the hands': the first ones; then come STRIKE_BODY_GOALS, then the feet
int strike_goals_set(const strike_setup *setup, const strike_values *x, const double *q,
                     double hand_fraction, double body_fraction, double foot_gain,
                     atemi_velocity_goals *goals);
