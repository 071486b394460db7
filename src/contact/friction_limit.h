// SPDX-License-Identifier: Apache-2.0

/// @file
/// The limit of friction of points that press on one plane and move as one body: which tangential
/// loads they carry together.
///
/// Vectors of the plane have two components; a load (F_x, F_y, M) and a slip (u_x, u_y, omega) have
/// three. M is about the origin of the points, u the velocity of what is there.

#pragma once

#include "atemi/base.h"
#include "atemi/model.h"

#include <stdbool.h>

/// A point that carries a tangential force up to `most`, N: its friction times its normal force.
typedef struct atemi_friction_point {
    double x, y, most;
} atemi_friction_point;

/// How a load compares with the limit.
typedef struct atemi_friction_limit {
    /// What the load may be multiplied by until the points slip: they hold where it is at least 1.
    /// Infinite for no load, 0 for a load of which nothing is carried.
    double gauge;
    /// How the body begins to slip over the surface at the limit, in such measure that the load
    /// does 1 W. Friction on each point that moves is at its limit and against its motion. 0 for no
    /// load.
    atemi_vec3 slip;
    /// The point that the body rotates about: it does not move, and its friction force is within
    /// its limit. Or ATEMI_NONE. Other points may lie at the same place.
    int pivot;
} atemi_friction_limit;

/// A vector of the plane.
typedef struct atemi_friction_pair {
    double x, y;
} atemi_friction_pair;

/// Workspace of atemi_friction_limit_find().
typedef struct atemi_friction_limit_scratch {
    int                  max_points;
    double              *most;          ///< [max_points] to scale
    atemi_friction_pair *place;         ///< [max_points] to scale
    atemi_friction_pair *at_base;       ///< [max_points] velocities at the base of all slips
    atemi_friction_pair *per_x, *per_y; ///< [max_points] how they change along the axes of these
} atemi_friction_limit_scratch;

/// Lays the workspace out on an arena.
atemi_friction_limit_scratch atemi_friction_limit_scratch_take(atemi_arena *arena, int max_points);

/// Finds the limit.
///
/// @param points  [count] finite, `most` not negative; at most `max_points` of the workspace
/// @param load    finite, pushes the body along the surface; friction answers with its opposite
/// @param scratch overwritten
///
/// The gauge is right to 1e-12 of itself. The slip is one of many where the least is flat: for two
/// points under a mere moment it is a turn about one of them.
///
/// A single place carries no moment about itself. A moment about the points' centre that is within
/// rounding of |M| + |r| |F| counts as none.
///
/// Iterative, a few steps of O(count); at first O(count^2). Cannot fail, does not allocate.
atemi_friction_limit atemi_friction_limit_find(const atemi_friction_point *points, int count,
                                               atemi_vec3                          load,
                                               const atemi_friction_limit_scratch *scratch);
