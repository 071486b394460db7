// SPDX-License-Identifier: Apache-2.0

/// @file
/// The force of ground on a point that stands on it.

#pragma once

#include "atemi/control_loop.h"

/// A point and its ground. Not to be touched.
typedef struct ground_point {
    atemi_ground_point about;
    double             stiffness, damping; ///< as a tick can follow them
    bool               touches;
    atemi_vec3         anchor; ///< in the world: where the spring across it holds the point
    atemi_touch        touch;
} ground_point;

/// Begins anew, with nothing that touches.
/// @param period   of a tick, s
/// @param mobility how fast a force on the point accelerates it at most, 1/kg, times the points
/// that
///                 stand on the same link
void atemi_ground_start(double period, double mobility, ground_point *ground);

/// Finds the force on a point that is there, and moves the anchor of one that slips.
/// @param at, velocity of the point, world
void atemi_ground_touch(ground_point *ground, atemi_vec3 at, atemi_vec3 velocity);
