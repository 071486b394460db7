// SPDX-License-Identifier: Apache-2.0

/// @file
/// A force and a moment, shared out among points.

#pragma once

#include "atemi/math.h"

#include <stdbool.h>

/// Finds forces at points that amount to a force and a moment, with the least sum of squares.
///
/// @param wrench its moment about `origin`
/// @param places [count] of the points
/// @param forces [count] result; may be `places` itself
///
/// Points in line give no moment about it: that part of the wrench is lost. O(count).
void atemi_distribute(atemi_force wrench, atemi_vec3 origin, const atemi_vec3 *places, int count,
                      atemi_vec3 *forces);

/// The same for points that carry the whole wrench.
/// @return false, with nothing found, where they are in line
bool atemi_distribute_whole(atemi_force wrench, atemi_vec3 origin, const atemi_vec3 *places,
                            int count, atemi_vec3 *forces);

/// The same for points that push only: each has a part of the force, along it, those of largest
/// entropy, so that they are positive and smooth in the wrench, and along the ground what the
/// moment about `up` takes. Points need not be level.
/// @param up unit vector
/// @return false, with nothing found, where the wrench presses outside the points' hull, each seen
///         along the force, or within 1e-6 of its edge, or does not press
bool atemi_distribute_unilateral(atemi_force wrench, atemi_vec3 origin, atemi_vec3 up,
                                 const atemi_vec3 *places, int count, atemi_vec3 *forces);

/// The same with the least sum of squares, and any forces along the ground: of points that are not
/// level these tilt as well. Such forces are found wherever there are any.
/// @return false, with nothing found, where there are none, or only forces a thousand times the
///         wrench
///
/// Iterative, at most a hundred steps of O(count).
bool atemi_distribute_least_unilateral(atemi_force wrench, atemi_vec3 origin, atemi_vec3 up,
                                       const atemi_vec3 *places, int count, atemi_vec3 *forces);

/// The mean of places.
atemi_vec3 atemi_distribution_middle(const atemi_vec3 *places, int count);
