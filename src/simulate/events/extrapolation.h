// SPDX-License-Identifier: Apache-2.0

/// @file
/// A step for strong damping: linearly implicit in the velocities, of fourth order by
/// extrapolation.

#pragma once

#include "simulate/events/step.h"

/// Takes a step of h, as atemi_runge_kutta_step() does. The flows of its stages are those of a
/// Runge-Kutta step, those in the middle of first order. step->error is how far the answers of
/// fourth and third order are apart.
atemi_status atemi_extrapolation_step(atemi_step *step, atemi_simulation_contacts *set,
                                      atemi_state *state, double h);
