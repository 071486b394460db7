// SPDX-License-Identifier: Apache-2.0

/// @file
/// How fast the damping of joints and servos works.

#pragma once

#include "simulate/world.h"

/// The fastest rate, 1/s, at which the damping of joints and servos brings a motion to rest in the
/// state reached: the largest eigenvalue of M^-1 D. 0 without damping. D goes into `s->damped`,
/// Coulomb friction into `s->rubbed`.
/// @param stiffest the coordinate whose damping has the largest part in it
double atemi_damping_rate(atemi_simulation *s, int *stiffest);

/// Whether D is another one than when the rate was found.
bool atemi_damping_changed(atemi_simulation *s);
