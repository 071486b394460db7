// SPDX-License-Identifier: Apache-2.0

/// @file
/// The step limit: how long a step of the Runge-Kutta method may be.

#pragma once

#include "simulate/events/step.h"

/// Finds the damping of the state reached, for the limits of the next steps.
/// @return ATEMI_ERROR_SINGULAR where it asks for steps that are too short; the error names the
/// joint
atemi_status atemi_step_limit_find(atemi_evaluation *e, const atemi_state *state,
                                   atemi_error *error);

/// Finds it again every so many steps, and when a run begins, if the hook says something new.
atemi_status atemi_step_limit_renew(atemi_evaluation *e, const atemi_state *state, long steps,
                                    atemi_error *error);
atemi_status atemi_step_limit_begin(atemi_evaluation *e, const atemi_state *state,
                                    atemi_error *error);

/// Whether damping is too strong for a Runge-Kutta step of h.
bool atemi_step_limit_is_stiff(const atemi_evaluation *e, double h);

/// The longest step, at most `h`, from the state that was observed last. What is stiff then is for
/// extrapolation.
double atemi_step_limit(const atemi_evaluation *e, double h);

/// Whether the stages of the step of h that was taken last show that it was too long.
bool atemi_step_limit_exceeded(const atemi_step *step, double h);

/// A shorter one, which is the limit then, until it is found again.
double atemi_step_limit_cut(atemi_step *step, double h);

/// The fastest angular velocity of a link in the state observed last, rad/s. O(links).
double atemi_fastest_rotation(const atemi_evaluation *e);
