// SPDX-License-Identifier: Apache-2.0

/// @file
/// The momentum that a recording of a strike shows.

#pragma once

#include "dynamics/kinematics.h"

/// Momentum and angular momentum about the world's origin; needs kinematics with `v`.
void atemi_strike_momentum(const atemi_model *model, const atemi_kinematics *kinematics,
                           double momentum[6]);
