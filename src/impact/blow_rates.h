// SPDX-License-Identifier: Apache-2.0

/// @file
/// How fast the parts of a blow are, in 1/s: its contact, and the servos.

#pragma once

#include "impact/blow_parts.h"

/// The fastest rate of hand and target on the surface between them: of the spring or of the damper;
/// of any other law where it is steepest until the speed of approach is used up.
double atemi_blow_contact_rate(const atemi_blow_problem *problem);

/// The stiffness of a servo as far as it matters, see blow_rates.c.
double atemi_blow_stiffness_that_counts(const atemi_blow_problem *problem, int axis,
                                        double stiffness);

/// Likewise its damping, or viscous friction.
double atemi_blow_damping_that_counts(const atemi_blow_problem *problem, int axis, double damping);

/// The rate of all stiffnesses together, which is no less than the fastest one that they make.
double atemi_blow_stiffness_rate(const atemi_blow_problem *problem);
