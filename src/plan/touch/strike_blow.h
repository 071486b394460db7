// SPDX-License-Identifier: Apache-2.0

/// @file
/// The blow of a strike, as planned and as it may come instead, and what it does to balance.

#pragma once

#include "plan/problem/strike_evaluation.h"

/// A blow that the hand's reference enters with joint velocities v and a drift, m/s^2.
/// @param held [v_count] what the servos give for the motion alone; NULL for nothing
atemi_blow_setting strike_blow_setting(const strike_setup *setup, const double *v,
                                       const double *held, double drift);

/// The constant acceleration under which the hand's reference would lose, or gain, as much on
/// average while hand and target touch, in proportion to the hand's speed.
/// @param time of first touch, from the planned one, s
double strike_blow_drift(const strike_setup *setup, const strike_values *x, double time);

/// How it is computed, beyond the time in touch.
atemi_blow_options strike_blow_options(const strike_setup *setup, double duration);

/// The blow as planned.
/// @param at posture and velocities of first touch, and the motion
void strike_blow_find(const strike_setup *setup, const strike_evaluation *at,
                      strike_workspace *work, strike_outcome *outcome);

/// The constraints of the ZMP, of friction and of the soles while a blow lasts: the planned one,
/// and those of the task's cases.
/// @param at all but what this comes to
/// @return the least margin of the ZMP, m
double strike_constrain_blow(const strike_setup *setup, const strike_evaluation *at,
                             strike_workspace *work, strike_rows *rows);

/// The same of one case of doubt.
double strike_constrain_case(const strike_setup *setup, const strike_evaluation *plan,
                             const atemi_strike_deviation *deviation, strike_workspace *work,
                             strike_rows *rows);
