// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the floor does to the feet, and what they have left before they slip or tip.

#pragma once

#include "plan/strike_problem.h"

/// Makes ready for blows in a posture.
void strike_feet_prepare(strike_problem *problem, const double *q);

/// What a blow adds to what the floor does to the feet, at an instant of it.
/// @param wrenches [foot_count] onto the feet's links, world axes, about the links' origins
void strike_feet_in_blow(strike_problem *problem, const atemi_blow_sample *sample,
                         atemi_force *wrenches);

/// What the floor does to the feet by a motion; `v` and `a` NULL for rest. Its torques are in
/// `tau`.
void strike_feet_of_motion(strike_problem *problem, const double *q, const double *v,
                           const double *a, atemi_force *wrenches);

/// The ZMP of such wrenches.
/// @return false where the floor does not press
bool strike_feet_zmp(const strike_problem *problem, const atemi_force *wrenches, atemi_vec3 *zmp);

/// What is left of friction under a foot, N, should it turn this way or that: the less counts.
void strike_foot_grip(const strike_problem *problem, int foot, atemi_force wrench, double friction,
                      double left[2]);

/// What its pressure lacks before it tips over each of its edges, N m.
void strike_foot_edges(const strike_problem *problem, int foot, atemi_force wrench, double left[4]);
