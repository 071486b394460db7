// SPDX-License-Identifier: Apache-2.0

/// @file
/// Floors of several kinds: the friction of a point, changed while a simulation runs.

#pragma once

#include "atemi/simulation.h"

ATEMI_BEGIN

/// Gives a point other coefficients of friction from now on, as where it has come to another kind
/// of floor. What sticks and is loaded beyond the new limit begins to slip with the next step.
/// No allocation; free where nothing changes.
/// @return ATEMI_ERROR_INPUT for coefficients that are negative, not finite, or kinetic above
///         static ones; ATEMI_ERROR_SINGULAR if a slipping contact jams with the new friction.
///         Nothing has changed then
ATEMI_API atemi_status atemi_point_friction_set(atemi_simulation *simulation, int point,
                                                double static_friction, double kinetic_friction,
                                                atemi_error *error);

ATEMI_END
