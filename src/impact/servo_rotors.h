// SPDX-License-Identifier: Apache-2.0

/// @file
/// Rotors for light joints behind stiff servos.

#pragma once

#include "atemi/blow.h"
#include "dynamics/mass_matrix.h"

/// s. Shorter than anything that contact, motion or control do; with it, a joint has about the
/// rotor that its geared motor would have.
static const double usual_shortest_lag = 4e-5;

/// Inertia to be added to joints whose servos would otherwise bring them to their reference in less
/// than a time; 0 to all others.
/// @param lag    s, that time; 0 for none
/// @param factor at the posture
/// @param work   [v_count]
/// @param rotors [v_count] result, kg m^2 or kg
/// @return whether there are any
bool atemi_servo_rotors(const atemi_model *model, const atemi_blow_servo *servo, double lag,
                        atemi_mass_factor *factor, double *work, double *rotors);
