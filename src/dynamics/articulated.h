// SPDX-License-Identifier: Apache-2.0

/// @file
/// Articulated bodies: everything from a node outwards, free to move in its joints. They factor M
/// without forming it.

#pragma once

#include "dynamics/composites.h"

/// A node's articulated body, in world axes about the node's own origin.
typedef struct atemi_articulated_node {
    double     mass[6];      ///< force per linear acceleration, symmetric: xx, yy, zz, yz, xz, xy
    double     coupling[9];  ///< force per angular acceleration, row-major
    double     inertia[6];   ///< moment per angular acceleration, symmetric
    atemi_vec3 force;        ///< U: force and, about the common origin, moment of the body
    atemi_vec3 moment;       ///< for a unit acceleration of the node
    double     inverse;      ///< 1 / D, D the node's inertia with everything behind it yielding
    double     load;         ///< while solving
    atemi_vec3 linear;       ///< while solving: force, then acceleration
    atemi_vec3 angular;
} atemi_articulated_node;

/// Computes the articulated bodies of all nodes from the rigid bodies in world axes.
void atemi_articulated_factor(const atemi_model *model, const atemi_kinematics *k,
                              const atemi_composite_block *bodies, atemi_articulated_node *nodes);

/// Solves M x = b over nodes in place.
void atemi_articulated_solve(const atemi_model *model, const atemi_kinematics *k,
                             atemi_articulated_node *nodes, double *x);
