// SPDX-License-Identifier: Apache-2.0

/// @file
/// Looking ahead: how points in touch would move a moment later, all of them together.

#pragma once

#include "simulate/world.h"

/// Finds the velocities of all points `moment` s after the state (q, v), into `s->ahead`, with
/// rigid contacts at the points that take part only. (q, v) is what was observed last; torques and
/// loads are those that were found last.
///
/// With no rigid contact the robot would have v + dt a. The bump that this makes at the points is
/// the impulse of their forces over dt: complementarity of forces and motions, with friction.
/// @param taking_part [points]
/// @param friction    [points]
atemi_status atemi_look_ahead(atemi_simulation *s, const double *q, const double *v, double moment,
                              const bool *taking_part, const double *friction);
