// SPDX-License-Identifier: Apache-2.0

/// @file
/// How a blow by Runge-Kutta steps changes along several directions: each step has its own
/// derivative, and so has their result, whatever the law of the contact.

#pragma once

#include "impact/blow_variation.h"

/// Begins at first touch, with nothing changed before. `start` and `drift` are filled.
void atemi_blow_rk4_variation_begin(const atemi_blow_problem *problem, atemi_blow_variation *v);

/// Begins a step: from `now` to `there`.
void atemi_blow_rk4_variation_start(atemi_blow_variation *v);

/// One of its four stages, whose slopes and torques [stride] are known. Of the step h it counts for
/// the part `weight`, and leads to the next stage over the part `ahead`; 0 for the last. The target
/// gives way by `target_give`, 0 if it stands.
void atemi_blow_rk4_variation_stage(const atemi_blow_problem *problem,
                                    const atemi_blow_state *stage, const atemi_blow_slope *slope,
                                    const double *torque, double h, double weight, double ahead,
                                    double target_give, atemi_blow_variation *v);

/// The step, whose changes are `there`, ends where a margin is zero that takes this of a state, and
/// that has this slope over time. It is to be taken once more.
void atemi_blow_rk4_variation_move_end(const atemi_blow_gradient *gradient, double slope,
                                       atemi_blow_variation *v);

/// The target has begun to move or has come to rest, `now`.
void atemi_blow_rk4_variation_rest(atemi_blow_variation *v);

/// Goes on from `there`, where a mode ends or not. Steps from there end at the same time as before.
void atemi_blow_rk4_variation_advance(bool mode_ends, atemi_blow_variation *v);

/// The change of the force of a state, `at` it, as that of the largest force.
void atemi_blow_rk4_variation_peak(const atemi_blow_problem *problem, const atemi_blow_state *state,
                                   const atemi_blow_change *at, atemi_blow_variation *v);

/// The changes of a sample at the end of a step, `there`; `torque` [stride] of all elements.
void atemi_blow_rk4_variation_show(const atemi_blow_problem *problem, const atemi_blow_state *state,
                                   const double *torque, atemi_blow_variation *v);
