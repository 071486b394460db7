// SPDX-License-Identifier: Apache-2.0

/// @file
/// Capsules inside the links of a robot, and how far two of them are apart: smoothly.

#pragma once

#include "atemi/model.h"
#include "dynamics/kinematics.h"

/// A capsule that is fixed to a link, in its frame or, placed, in the world.
typedef struct strike_capsule {
    int        link;
    atemi_vec3 start, axis; ///< of its middle line
    double     radius;
} strike_capsule;

/// Those of all links, one behind the other for each link, and which pairs of links count.
typedef struct strike_capsules {
    int             count;
    strike_capsule *list; ///< [count]
    double         *made; ///< [links x links] distance where all joints are zero, m; minus
                          ///< infinity of a pair that does not count
} strike_capsules;

/// How many capsules a robot has: in each collision shape, or, of a link without any but meshes,
/// in the uniform box that has its mass and inertia, if it is no larger than the link can be.
int strike_capsules_count(const atemi_model *model);

/// Fills them. Left out are links that a joint connects, or two with a link between them that has a
/// capsule; those that overlap where all joints are zero; and those between which nothing moves.
/// @param moving     [v_count] joints that move, by their velocity
/// @param neutral    [q_count] memory
/// @param kinematics memory
void strike_capsules_fill(strike_capsules *capsules, const atemi_model *model, const bool *moving,
                          double *neutral, atemi_kinematics *kinematics);

/// Whether a pair of links counts, and how near they are where all joints are zero.
bool   strike_capsules_counts(const strike_capsules *capsules, const atemi_model *model, int first,
                              int second);
double strike_capsules_made(const strike_capsules *capsules, const atemi_model *model, int first,
                            int second);

/// A capsule in the world.
strike_capsule strike_capsule_placed(const strike_capsule *capsule, const atemi_model *model,
                                     const atemi_kinematics *kinematics);

/// Where two capsules are nearest.
typedef struct strike_gap {
    double     distance;      ///< negative where they overlap, m
    atemi_vec3 away;          ///< how the distance changes with the second place, less the first
    atemi_vec3 first, second; ///< places on both middle lines
} strike_gap;

/// Finds it: once continuously differentiable in both placements, everywhere; larger than the exact
/// one by no more than 1e-4 of the axes' length, squared, over the distance of the middle lines.
strike_gap strike_capsule_gap(const strike_capsule *a, const strike_capsule *b);

/// The exact distance.
double strike_capsule_distance(const strike_capsule *a, const strike_capsule *b);
