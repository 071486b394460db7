// SPDX-License-Identifier: Apache-2.0

/// @file
/// One step of the classical Runge-Kutta method, with the modes as they are.

#pragma once

#include "simulate/events/step.h"

/// From the start of the step to h later, projected and evaluated there: it may be called again
/// with another h.
atemi_status atemi_runge_kutta_step(atemi_step *step, atemi_simulation_contacts *set,
                                    atemi_state *state, double h);
