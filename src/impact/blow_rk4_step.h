// SPDX-License-Identifier: Apache-2.0

/// @file
/// How long steps of Runge and Kutta may be, and how fast friction may act for their sake.

#pragma once

#include "impact/blow_parts.h"

/// The step that is asked for, or a part of it that is stable. `torque` and `work` [stride] are
/// overwritten.
double atemi_blow_rk4_step(const atemi_blow_problem *problem, double *torque, double *work);

/// Lets joints creep faster under Coulomb friction, as far as steps of the length h must follow.
void atemi_blow_rk4_soften(const atemi_blow_problem *problem, double h, double *torque,
                           double *work);
