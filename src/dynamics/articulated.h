// SPDX-License-Identifier: Apache-2.0

/// @file
/// Articulated bodies: everything from a node outwards, free to move in its joints. They factor M
/// without forming it.

#pragma once

#include "dynamics/composites.h"
#include "math/quad.h"

/// A node's articulated body, in world axes about the node's own origin.
typedef struct atemi_articulated_node {
    quad3  mass;            ///< A: force per linear acceleration
    quad3  coupling;        ///< B: force per angular acceleration
    quad3  inertia;         ///< C: moment per angular acceleration
    quad   reach;           ///< from the parent's origin
    quad   slide, rotation; ///< the node's axis: one of them, the other is zero
    quad   force, moment;   ///< U
    quad   linear, angular; ///< while solving: force, then acceleration
    double inverse;         ///< 1 / D
    double load;            ///< u, while solving
} atemi_articulated_node;

/// Computes the articulated bodies of all nodes from the rigid bodies in world axes.
/// @return false if a node moves no mass, beyond rounding: then the rest is not computed
bool atemi_articulated_factor(const atemi_model *model, const atemi_kinematics *k,
                              const atemi_composite_block *bodies, atemi_articulated_node *nodes);

/// Solves M x = b over nodes in place.
void atemi_articulated_solve(const atemi_model *model, atemi_articulated_node *nodes, double *x);
